#include "sw/config/parts.h"

#include "sw/config/tree.h"

namespace strobe::config {

const std::vector<Part>& parts() {
  static const std::vector<Part> kParts = {
      {"core", "cores", "A core of Strobe", "core"},
      {"profiler", "profilers", "A profiler of Strobe", "profilers.0"},
      {"workload", "workloads", "A workload of Strobe", "workload"},
      {"instrument", "instruments", "An instrumentation of Strobe", "instrument"},
      {"replay", "replays", "The profilers of a replay of Strobe", "profilers"},
  };
  return kParts;
}

yaml::Node run_with(const Part& part, yaml::Node node) {
  std::vector<std::string> steps = split_path(part.at);
  for (; !steps.empty(); steps.pop_back()) {
    yaml::Node outer;
    outer.mark = node.mark;
    if (steps.back() == "0") {
      outer.kind = yaml::Node::Kind::kSequence;
      outer.items.push_back(std::move(node));
    } else {
      outer.kind = yaml::Node::Kind::kMap;
      outer.entries.push_back({steps.back(), outer.mark, std::move(node)});
    }
    node = std::move(outer);
  }
  return node;
}

}  // namespace strobe::config
