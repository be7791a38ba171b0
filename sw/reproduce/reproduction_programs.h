// The programs that reproductions run: the project's workloads and those of
// scripts/fetch-workloads.
#pragma once

#include <string>
#include <vector>

#include "sw/config/load.h"

namespace strobe {

struct ReproductionProgram {
  const char* name;
  const char* run_file;  // below the current directory
  bool own;              // a workload of the project, which takes its size as the argument

  /// The run of the program, with `sets` besides. Throws std::runtime_error with all that is wrong.
  config::LoadResult load(const std::vector<std::string>& sets) const;
};

struct ReproductionPrograms {
  std::vector<ReproductionProgram> there;  // in the order of the list, at least one
  std::vector<std::string> skipped;        // name and reason
};

/// Confines this process, once, to reading what the programs' runs read; it may make several runs,
/// of which later ones read their files anew.
void confine_to_programs();

/// Those that are on this machine. Throws std::runtime_error when none is.
ReproductionPrograms reproduction_programs();

}  // namespace strobe
