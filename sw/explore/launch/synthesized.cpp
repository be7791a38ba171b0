#include "sw/explore/launch/synthesized.h"

#include <fmt/format.h>

#include <algorithm>

namespace strobe::explore {

std::vector<size_t> synthesized_profilers(const Space& space) {
  std::vector<std::string> keys;
  for (const Objective& objective : space.file().objectives) keys.push_back(objective.key);
  for (const Condition& condition : space.file().constraints) {
    const auto& names = condition.expression.names();
    keys.insert(keys.end(), names.begin(), names.end());
  }
  std::vector<size_t> profilers;
  for (size_t i = 0; i < space.loaded().configuration.profilers.size(); ++i) {
    const std::string prefix = fmt::format("profilers.{}{}", i, kSynthesisPart);
    if (std::any_of(keys.begin(), keys.end(),
                    [&](const std::string& key) { return key.rfind(prefix, 0) == 0; })) {
      profilers.push_back(i);
    }
  }
  return profilers;
}

std::string block_at(const Space& space, const Point& point, size_t profiler,
                     const BlockOf& block) {
  const config::LoadResult loaded = config::load_run_tree(space.tree(point), space.directory());
  return loaded.good() ? block(loaded.configuration, profiler) : "";
}

std::set<std::string> synthesized_blocks(const Space& space, const std::vector<uint64_t>& designs,
                                         const BlockOf& block) {
  std::set<std::string> blocks;
  for (const size_t profiler : synthesized_profilers(space)) {
    for (const uint64_t design : designs) {
      Point point;
      point.design = design;
      blocks.insert(block_at(space, point, profiler, block));
    }
  }
  blocks.erase("");
  return blocks;
}

}  // namespace strobe::explore
