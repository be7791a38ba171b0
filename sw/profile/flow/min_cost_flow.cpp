#include "sw/profile/flow/min_cost_flow.h"

#include <algorithm>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

#include "sw/profile/flow/chain.h"

namespace strobe::profile {
namespace {

constexpr int64_t kEndless = std::numeric_limits<int64_t>::max() / 4;

/// Flow that may still be pushed along an arc; the arc with the number ^ 1 takes it back.
struct FlowArc {
  uint32_t to;
  int64_t room, cost;
};

/// A network in which each node has more or less flow than it passes on.
class Network {
 public:
  explicit Network(uint32_t nodes)
      : excess(nodes), arcs_of_(nodes), potential_(nodes), distance_(nodes), by_(nodes) {}

  /// @return the number of the arc
  uint32_t add(uint32_t from, uint32_t to, int64_t room, int64_t cost) {
    const auto number = static_cast<uint32_t>(arcs_.size());
    arcs_.push_back({to, room, cost});
    arcs_.push_back({from, 0, -cost});
    arcs_of_[from].push_back(number);
    arcs_of_[to].push_back(number + 1);
    return number;
  }

  int64_t pushed(uint32_t arc) const { return arcs_[arc ^ 1].room; }

  /// Pushes flow from nodes with an excess to nodes that lack some, along cheapest paths, until
  /// none has any.
  void balance() {
    for (uint32_t end = nearest(); end != kOutside; end = nearest()) push(end);
  }

  std::vector<int64_t> excess;  // by node; below 0 where flow is lacking

 private:
  /// Finds cheapest paths from all nodes with an excess (Dijkstra on reduced costs, which are not
  /// below 0). @return the nearest node that lacks flow; kOutside when none does
  uint32_t nearest() {
    using Entry = std::pair<int64_t, uint32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    std::fill(distance_.begin(), distance_.end(), kEndless);
    std::fill(by_.begin(), by_.end(), kOutside);
    for (uint32_t node = 0; node < excess.size(); ++node) {
      if (excess[node] <= 0) continue;
      distance_[node] = 0;
      open.emplace(0, node);
    }
    uint32_t end = kOutside;
    while (!open.empty() && end == kOutside) {
      const auto [distance, node] = open.top();
      open.pop();
      if (distance > distance_[node]) continue;
      if (excess[node] < 0) end = node;
      for (const uint32_t number : arcs_of_[node]) {
        const FlowArc& arc = arcs_[number];
        const int64_t there = distance + arc.cost + potential_[node] - potential_[arc.to];
        if (arc.room == 0 || there >= distance_[arc.to]) continue;
        distance_[arc.to] = there;
        by_[arc.to] = number;
        open.emplace(there, arc.to);
      }
    }
    if (end == kOutside) return end;
    for (uint32_t node = 0; node < excess.size(); ++node) {
      potential_[node] += std::min(distance_[node], distance_[end]);
    }
    return end;
  }

  void push(uint32_t end) {
    int64_t amount = -excess[end];
    uint32_t begin = end;
    for (; by_[begin] != kOutside; begin = arcs_[by_[begin] ^ 1].to) {
      amount = std::min(amount, arcs_[by_[begin]].room);
    }
    amount = std::min(amount, excess[begin]);
    for (uint32_t node = end; by_[node] != kOutside; node = arcs_[by_[node] ^ 1].to) {
      arcs_[by_[node]].room -= amount;
      arcs_[by_[node] ^ 1].room += amount;
    }
    excess[begin] -= amount;
    excess[end] += amount;
  }

  std::vector<FlowArc> arcs_;
  std::vector<std::vector<uint32_t>> arcs_of_;  // by node
  std::vector<int64_t> potential_, distance_;
  std::vector<uint32_t> by_;  // the last arc of the cheapest path to a node
};

void check_counts(const BiasGraph& graph) {
  graph.check();
  if (graph.blocks() > kMostBlocks) {
    throw FlowError(graph.name + ": it has " + std::to_string(graph.blocks()) +
                    " blocks; expected at most " + std::to_string(kMostBlocks));
  }
  uint64_t total = 0;
  for (const BiasEdge& edge : graph.edges) {
    constexpr uint64_t kMost = uint64_t{1} << 62;
    if (edge.seen > kMost || (total += edge.seen) > kMost) {
      throw FlowError(graph.place(edge.from) +
                      " and before it, the counts add up to more than 2^62");
    }
  }
}

}  // namespace

EdgeProfile min_cost_flow(const BiasGraph& graph, const FlowCosts& costs) {
  check_counts(graph);
  const std::vector<uint32_t> first = first_edges(graph);
  const uint32_t outside = graph.blocks();
  Network network(outside + 1);
  std::vector<uint32_t> more, less;  // the arcs of each edge that make its count larger and smaller
  std::vector<int64_t> counted;
  for (const BiasEdge& edge : graph.edges) {
    const uint32_t to = std::min(edge.to, outside);
    const bool only = first[edge.from + 1] - first[edge.from] == 1;
    const auto seen = only ? 0 : static_cast<int64_t>(edge.seen);
    const int64_t increase = only ? 0 : seen == 0 ? costs.increase_from_zero : costs.increase;
    more.push_back(network.add(edge.from, to, kEndless, increase));
    less.push_back(network.add(to, edge.from, seen, costs.decrease));
    counted.push_back(seen);
    network.excess[edge.from] -= seen;
    network.excess[to] += seen;
  }
  network.add(outside, 0, kEndless, 0);
  network.balance();
  EdgeProfile profile;
  profile.blocks.resize(graph.blocks());
  for (uint32_t i = 0; i < graph.edges.size(); ++i) {
    const int64_t count = counted[i] + network.pushed(more[i]) - network.pushed(less[i]);
    profile.edges.push_back(static_cast<double>(count));
    profile.blocks[graph.edges[i].from] += static_cast<double>(count);
  }
  note_evidence(graph, &profile);
  return profile;
}

}  // namespace strobe::profile
