#include "sw/profile/flow/edge_profile.h"

#include <algorithm>
#include <cmath>

namespace strobe::profile {
namespace {

/// Calls visit(pc, target, frequency in the program) for each way of a branch.
template <class Visit>
void for_branches(const ControlFlow& flow, const ProgramProfile& frequencies, Visit visit) {
  for (size_t f = 0; f < flow.functions.size(); ++f) {
    const FlowFunction& function = flow.functions[f];
    for (size_t i = 0; i < function.edges.size(); ++i) {
      const FlowEdge& edge = function.edges[i];
      if (!is_choice(edge.kind)) continue;
      visit(function.blocks[edge.from].last, edge.target,
            frequencies.entries[f] * frequencies.functions[f].edges[i]);
    }
  }
}

/// The value of a key in a sorted table; 0 without it.
template <class Key>
double find(const std::vector<std::pair<Key, double>>& table, const Key& key) {
  const auto at =
      std::lower_bound(table.begin(), table.end(), key,
                       [](const auto& row, const Key& wanted) { return row.first < wanted; });
  return at != table.end() && at->first == key ? at->second : 0;
}

}  // namespace

Profile branch_profile(const ControlFlow& flow, const ProgramProfile& frequencies, uint8_t tag,
                       uint64_t total) {
  double sum = 0;
  for_branches(flow, frequencies,
               [&](uint64_t /*pc*/, uint64_t /*target*/, double frequency) { sum += frequency; });
  Entries entries;
  if (sum == 0) return Profile();
  for_branches(flow, frequencies, [&](uint64_t pc, uint64_t target, double frequency) {
    const double count = std::round(frequency / sum * static_cast<double>(total));
    entries.push_back({Tuple{pc, target, tag}, static_cast<uint64_t>(count)});
  });
  return Profile(std::move(entries));
}

Profile of_branches(const Profile& profile, const ControlFlow& flow) {
  std::vector<uint64_t> pcs;
  for (const FlowFunction& function : flow.functions) {
    for (const FlowEdge& edge : function.edges) {
      if (is_choice(edge.kind)) pcs.push_back(function.blocks[edge.from].last);
    }
  }
  std::sort(pcs.begin(), pcs.end());
  Entries entries;
  for (const auto& entry : profile.entries()) {
    if (std::binary_search(pcs.begin(), pcs.end(), entry.first.pc)) entries.push_back(entry);
  }
  return Profile(std::move(entries));
}

FrequencyTable::FrequencyTable(const ControlFlow& flow, const ProgramProfile& frequencies) {
  for (size_t f = 0; f < flow.functions.size(); ++f) {
    const FlowFunction& function = flow.functions[f];
    const EdgeProfile& profile = frequencies.functions[f];
    for (size_t i = 0; i < function.blocks.size(); ++i) {
      blocks_.emplace_back(function.blocks[i].first, frequencies.entries[f] * profile.blocks[i]);
    }
    for (size_t i = 0; i < function.edges.size(); ++i) {
      const FlowEdge& edge = function.edges[i];
      edges_.emplace_back(std::pair(function.blocks[edge.from].last, edge.target),
                          frequencies.entries[f] * profile.edges[i]);
    }
  }
  std::sort(blocks_.begin(), blocks_.end());
  std::sort(edges_.begin(), edges_.end());
}

double FrequencyTable::block(uint64_t pc) const { return find(blocks_, pc); }

double FrequencyTable::edge(uint64_t pc, uint64_t target) const {
  return find(edges_, std::pair(pc, target));
}

}  // namespace strobe::profile
