#include "sw/profile/flow/bias_graph.h"

#include <algorithm>
#include <tuple>

#include "sw/profile/reports/export.h"

namespace strobe::profile {
namespace {

bool way_before(const SeenWays::Way& a, const SeenWays::Way& b) {
  return std::tie(a.pc, a.target) < std::tie(b.pc, b.target);
}

}  // namespace

std::string BiasGraph::place(uint32_t block) const {
  return name + ": at " + hexadecimal(pcs.at(block));
}

void BiasGraph::check() const {
  if (pcs.empty()) throw FlowError(name + ": it has no block; expected an entry at least");
  const auto expect_each = [this](size_t size, const char* what) {
    if (size == 0 || size == pcs.size()) return;
    throw FlowError(name + ": of " + std::to_string(size) + " blocks it is known whether " + what +
                    "; expected " + std::to_string(blocks()) + ", or 0");
  };
  expect_each(idle.size(), "they were executed");
  expect_each(complete.size(), "all their executions were seen");
  std::vector<bool> left(blocks());
  uint32_t last = 0;
  for (const BiasEdge& edge : edges) {
    if (edge.from >= blocks() || (edge.to >= blocks() && edge.to != kOutside)) {
      throw FlowError(name + ": an edge goes from block " + std::to_string(edge.from) + " to " +
                      std::to_string(edge.to) + "; expected numbers below " +
                      std::to_string(blocks()));
    }
    if (edge.from < last) {
      throw FlowError(place(edge.from) + ": its edges come after those of block " +
                      std::to_string(last) + "; expected the edges in the order of blocks");
    }
    last = edge.from;
    left[edge.from] = true;
  }
  for (uint32_t block = 0; block < blocks(); ++block) {
    if (left[block]) continue;
    throw FlowError(place(block) +
                    ": no edge leaves the block; expected one, to the outside where the function "
                    "ends");
  }
}

std::vector<uint32_t> first_edges(const BiasGraph& graph) {
  std::vector<uint32_t> first(graph.pcs.size() + 1);
  for (const BiasEdge& edge : graph.edges) ++first[edge.from + 1];
  for (size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
  return first;
}

SeenWays::SeenWays(const Profile& profile) {
  for (const auto& [tuple, count] : profile.entries()) {
    ways_.push_back({tuple.pc, tuple.value, count});
  }
  std::sort(ways_.begin(), ways_.end(), way_before);
  size_t kept = 0;
  for (const Way& way : ways_) {
    if (kept > 0 && ways_[kept - 1].pc == way.pc && ways_[kept - 1].target == way.target) {
      ways_[kept - 1].count += way.count;
    } else {
      ways_[kept++] = way;
    }
  }
  ways_.resize(kept);
}

uint64_t SeenWays::count(uint64_t pc, uint64_t target) const {
  const Way wanted{pc, target, 0};
  const auto at = std::lower_bound(ways_.begin(), ways_.end(), wanted, way_before);
  return at != ways_.end() && at->pc == pc && at->target == target ? at->count : 0;
}

std::pair<const SeenWays::Way*, const SeenWays::Way*> SeenWays::of(uint64_t pc) const {
  const auto range = std::equal_range(ways_.begin(), ways_.end(), Way{pc, 0, 0},
                                      [](const Way& a, const Way& b) { return a.pc < b.pc; });
  return {ways_.data() + (range.first - ways_.begin()),
          ways_.data() + (range.second - ways_.begin())};
}

BiasGraph bias_graph(const FlowFunction& function, const SeenWays& seen) {
  BiasGraph graph;
  graph.name = function.name;
  for (const FlowBlock& block : function.blocks) graph.pcs.push_back(block.first);
  for (const FlowEdge& edge : function.edges) {
    const uint64_t pc = function.blocks[edge.from].last;
    graph.edges.push_back(
        {edge.from, edge.to, is_choice(edge.kind) ? seen.count(pc, edge.target) : 0});
  }
  // What is left of an indirect jump's executions left the function.
  for (size_t i = 0; i < function.edges.size(); ++i) {
    const FlowEdge& edge = function.edges[i];
    if (edge.kind != FlowKind::kLeaves || edge.target != 0) continue;
    const auto [first, last] = seen.of(function.blocks[edge.from].last);
    uint64_t others = 0;
    for (const SeenWays::Way* way = first; way != last; ++way) others += way->count;
    const EdgeRange edges = edges_of(function, edge.from);
    for (auto other = edges.begin(); other != edges.end(); ++other) {
      others -= graph.edges[other - function.edges.begin()].seen;
    }
    graph.edges[i].seen = others;
  }
  return graph;
}

}  // namespace strobe::profile
