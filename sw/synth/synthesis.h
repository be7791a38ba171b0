// The whole: from points and a library to a report, with what was done before taken from the cache.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sw/synth/result.h"

namespace strobe::synth {

struct Options {
  std::string library = "osu018";  // a name of libraries.yaml, or a Liberty file
  double feature_nm = 0;           // of a Liberty file; 0: not given
  std::string macros;              // CSV of the user's memories; empty: none
  bool cells_only = false;         // no FPGA cells, no proof
  /// A folder for the netlists as sources to simulate, MODULE.sv; then nothing but cells is done.
  std::string netlists = "";
  /// A VCD of the only subject's netlist at work, for its power; then nothing but cells is done.
  std::string power = "";
  /// Called after each step of a subject with the step's name and the subject's place, from 1.
  std::function<void(const char*, size_t, const Subject&)> finished = [](const char*, size_t,
                                                                         const Subject&) {};
};

/// The files that a synthesis reads and what they hold, {"name", "sha256"} each: `library`, `rtl`
/// (all of it, without a name) and `macros`, null without any.
nlohmann::json inputs_of(const Options& options);

/// The blocks of a point: each distinct module below it with its parameters, then itself. Cached.
std::vector<Point> blocks_of(const Point& point);

/// Synthesizes every subject. Throws std::runtime_error or std::invalid_argument with one sentence:
/// a tool that is missing, an unknown library, a point that does not elaborate.
Report synthesize(const std::vector<Subject>& subjects, const Options& options);

}  // namespace strobe::synth
