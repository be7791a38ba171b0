// The parts of a run that may be files of their own, which run files include.
#pragma once

#include <string>
#include <vector>

#include "sw/yaml/document.h"

namespace strobe::config {

struct Part {
  std::string name;    // "core"
  std::string folder;  // of configs/, with such files
  std::string title;   // heads its schema
  std::string at;      // its key path in a run file; "0" stands for an item of a list
};

/// core, profiler, workload, instrument, and the profilers of a replay.
const std::vector<Part>& parts();

/// A tree of a run file that has nothing but `node`, at the part's key path.
yaml::Node run_with(const Part& part, yaml::Node node);

}  // namespace strobe::config
