#include "sw/profile/reports/bolt_profile.h"

#include <algorithm>
#include <map>

namespace strobe::profile {

std::string bolt_profile(const Entries& branches, const Entries& missed, const SymbolOf& place_of) {
  struct Counts {
    uint64_t all = 0, missed = 0;
  };
  std::map<std::pair<uint64_t, uint64_t>, Counts> edges;
  for (const auto& [tuple, count] : branches) edges[{tuple.pc, tuple.value}].all += count;
  for (const auto& [tuple, count] : missed) edges[{tuple.pc, tuple.value}].missed += count;
  std::string text;
  for (const auto& [edge, counts] : edges) {
    const std::string from = place_of(edge.first), to = place_of(edge.second);
    if (from.empty() || to.empty() || counts.all == 0) continue;
    text += "1 " + from + " 1 " + to + ' ' + std::to_string(std::min(counts.missed, counts.all)) +
            ' ' + std::to_string(counts.all) + '\n';
  }
  return text;
}

}  // namespace strobe::profile
