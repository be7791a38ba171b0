#include "sw/object/analysis/call_graph.h"

#include <algorithm>
#include <deque>
#include <utility>

namespace strobe::object {
namespace {

constexpr uint32_t kFar = ~uint32_t{0};

/// The nodes of a graph and one more, which stands between those that call indirectly and those
/// whose address is taken.
class Edges {
 public:
  explicit Edges(const CallGraph& graph) : graph_(graph) {
    for (uint32_t i = 0; i < graph.nodes.size(); ++i) {
      if (graph.nodes[i].address_taken) taken_.push_back(i);
    }
  }

  uint32_t size() const { return between() + 1; }
  uint32_t between() const { return static_cast<uint32_t>(graph_.nodes.size()); }

  template <typename Function>
  void of(uint32_t node, Function call) const {
    if (node == between()) {
      for (const uint32_t callee : taken_) call(callee);
      return;
    }
    for (const uint32_t callee : graph_.nodes[node].callees) call(callee);
    if (graph_.nodes[node].calls_indirectly) call(between());
  }

 private:
  const CallGraph& graph_;
  std::vector<uint32_t> taken_;
};

/// The strongly connected component of each node (Tarjan), without recursion.
std::vector<uint32_t> components_of(const Edges& edges) {
  const uint32_t size = edges.size();
  std::vector<std::vector<uint32_t>> successors(size);
  for (uint32_t i = 0; i < size; ++i) {
    edges.of(i, [&](uint32_t callee) { successors[i].push_back(callee); });
  }
  std::vector<uint32_t> component(size, kFar), index(size, kFar), low(size, 0), open;
  std::vector<bool> is_open(size);
  uint32_t next_index = 0, next_component = 0;
  for (uint32_t root = 0; root < size; ++root) {
    if (index[root] != kFar) continue;
    std::vector<std::pair<uint32_t, size_t>> stack = {{root, 0}};
    while (!stack.empty()) {
      const uint32_t node = stack.back().first;
      if (stack.back().second == 0 && index[node] == kFar) {
        index[node] = low[node] = next_index++;
        open.push_back(node);
        is_open[node] = true;
      }
      if (stack.back().second < successors[node].size()) {
        const uint32_t callee = successors[node][stack.back().second++];
        if (index[callee] == kFar) {
          stack.emplace_back(callee, 0);
        } else if (is_open[callee]) {
          low[node] = std::min(low[node], index[callee]);
        }
        continue;
      }
      if (low[node] == index[node]) {
        uint32_t member;
        do {
          member = open.back();
          open.pop_back();
          is_open[member] = false;
          component[member] = next_component;
        } while (member != node);
        ++next_component;
      }
      stack.pop_back();
      if (!stack.empty()) {
        low[stack.back().first] = std::min(low[stack.back().first], low[node]);
      }
    }
  }
  return component;
}

/// The least number of calls from a root; kFar of what no root reaches. The way through the node
/// between is one call.
std::vector<uint32_t> distances_of(const Edges& edges, const std::vector<bool>& root) {
  std::vector<uint32_t> distance(edges.size(), kFar);
  std::deque<uint32_t> open;
  for (uint32_t i = 0; i < root.size(); ++i) {
    if (root[i]) {
      distance[i] = 0;
      open.push_back(i);
    }
  }
  while (!open.empty()) {
    const uint32_t node = open.front();
    open.pop_front();
    const bool free = node == edges.between();
    edges.of(node, [&](uint32_t callee) {
      const uint32_t through = distance[node] + (free ? 0 : 1);
      if (through >= distance[callee]) return;
      distance[callee] = through;
      if (free) {
        open.push_front(callee);
      } else {
        open.push_back(callee);
      }
    });
  }
  return distance;
}

}  // namespace

bool CallGraph::leaf(uint32_t node) const {
  return nodes[node].callees.empty() && !nodes[node].calls_indirectly;
}

EntryRules entry_rules(const CallGraph& graph) {
  const Edges edges(graph);
  const auto size = static_cast<uint32_t>(graph.nodes.size());
  EntryRules rules;
  rules.leaf.resize(size);
  rules.root.assign(size, true);
  rules.recursion_from_below.resize(size);
  rules.checked.resize(size);
  for (uint32_t i = 0; i < edges.size(); ++i) {
    edges.of(i, [&](uint32_t callee) {
      if (callee < size && callee != i) rules.root[callee] = false;
    });
  }
  const std::vector<uint32_t> component = components_of(edges);
  const std::vector<uint32_t> distance = distances_of(edges, rules.root);
  // A caller in the same component that is at least as far away from the roots.
  uint32_t farthest_between = 0;  // among indirect callers in the component of between()
  bool any_between = false;
  for (uint32_t i = 0; i < size; ++i) {
    if (!graph.nodes[i].calls_indirectly || component[i] != component[edges.between()]) continue;
    any_between = true;
    farthest_between = std::max(farthest_between, distance[i]);
  }
  for (uint32_t i = 0; i < size; ++i) {
    for (const uint32_t callee : graph.nodes[i].callees) {
      if (component[i] == component[callee] && distance[i] >= distance[callee]) {
        rules.recursion_from_below[callee] = true;
      }
    }
    if (graph.nodes[i].address_taken && any_between && component[i] == component[edges.between()] &&
        farthest_between >= distance[i]) {
      rules.recursion_from_below[i] = true;
    }
  }
  for (uint32_t i = 0; i < size; ++i) {
    rules.leaf[i] = graph.leaf(i);
    rules.checked[i] = !rules.leaf[i] && (rules.root[i] || graph.nodes[i].address_taken ||
                                          rules.recursion_from_below[i]);
  }
  return rules;
}

}  // namespace strobe::object
