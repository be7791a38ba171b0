// The whole flow: from points and a library to a report. Results of earlier runs come from the
// cache.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sw/synth/netlist/result.h"

namespace strobe::synth {

struct Options {
  std::string library = "osu018";  // a name of libraries.yaml, or a Liberty file
  double feature_nm = 0;           // for a Liberty file; 0: not given
  std::string macros;              // CSV of the user's memories; empty: none
  bool cells_only = false;         // leaves out the FPGA cells and the proof
  /// A folder for the netlists as sources to simulate, MODULE.sv. With it, only cells are
  /// synthesized.
  std::string netlists = "";
  /// A VCD of the only subject's working netlist, for its power. With it, only cells are
  /// synthesized.
  std::string power = "";
  /// Called after each step of a subject with the step's name and the subject's place, from 1.
  std::function<void(const char*, size_t, const Subject&)> finished = [](const char*, size_t,
                                                                         const Subject&) {};
};

/// The files that a synthesis reads and the hashes of their contents, {"name", "sha256"} each:
/// `library`, `rtl` (all of it, without a name) and `macros` (null without any).
nlohmann::json inputs_of(const Options& options);

/// The blocks of a point: each distinct module below it with its parameters, and the point itself
/// last. The results are cached.
std::vector<Point> blocks_of(const Point& point);

/// Synthesizes every subject. Throws std::runtime_error or std::invalid_argument with one sentence
/// for a missing tool, an unknown library or a point that does not elaborate.
Report synthesize(const std::vector<Subject>& subjects, const Options& options);

}  // namespace strobe::synth
