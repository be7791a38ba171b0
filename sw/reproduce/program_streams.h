// Recorded streams of the programs that reproductions run, and profilers scored on them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sc_models/machine/config/run_config.h"
#include "sc_models/machine/outcome/outcome.h"

namespace strobe {

struct ProgramStream {
  std::string name;  // the program's
  std::filesystem::path file;
};

struct ProgramStreams {
  std::vector<ProgramStream> programs;
  std::vector<std::string> skipped;  // name and reason
};

/// Streams of the workloads and of the fetched programs that are there: `instructions` of each on
/// the core of ISCA 2001 with timing, after a tenth as many. Recorded once, then found in `folder`.
/// @param selection  names the stream; `selectors` is its YAML list
ProgramStreams record_programs(const std::filesystem::path& folder, const std::string& selection,
                               const std::string& selectors, uint64_t instructions);

/// A profiler of a table and what the paper calls it.
struct Contender {
  const char* paper;  // "H[P_256]_2048"
  const char* yaml;   // "name: ..., kind: ..., ..."
};

/// One program, every contender in the table's order, a point every `every` events.
std::vector<platform::ProfilerOutcome> score_contenders(const std::filesystem::path& folder,
                                                        const ProgramStream& program,
                                                        const std::vector<Contender>& contenders,
                                                        uint64_t every);

}  // namespace strobe
