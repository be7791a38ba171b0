// Recorded streams of the programs that reproductions run, and the profilers that watch them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sw/config/load.h"
#include "sw/reproduce/reproduction_programs.h"

namespace strobe {

struct ProgramStream {
  std::string name;  // the program's
  std::filesystem::path file;
};

/// The stream of a program: `instructions` of it on the core of ISCA 2001 with timing, after a
/// tenth as many. Recorded once, then found in `folder`; a recording of another build or with other
/// inputs is named on stderr and made anew. Throws std::runtime_error when the run fails.
/// @param selection  names the stream; `selectors` is its YAML list
ProgramStream record_program(const std::filesystem::path& folder,
                             const ReproductionProgram& program, const std::string& selection,
                             const std::string& selectors, uint64_t instructions);

/// A profiler of a table and what the paper calls it.
struct Contender {
  const char* paper;  // "H[P_256]_2048"
  const char* yaml;   // "name: ..., kind: ..., ..."
};

/// The configuration of these profilers on the stream, in their order. Throws std::runtime_error
/// when it is none.
config::LoadResult load_contenders(const ProgramStream& program,
                                   const std::vector<Contender>& contenders);

}  // namespace strobe
