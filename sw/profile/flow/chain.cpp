#include "sw/profile/flow/chain.h"

namespace strobe::profile {

Chain make_chain(const BiasGraph& graph, double prior) {
  Chain chain;
  chain.first = first_edges(graph);
  chain.ends.assign(graph.blocks(), 0.0);
  for (const BiasEdge& edge : graph.edges) {
    chain.to.push_back(edge.to);
    chain.probability.push_back(1.0);
  }
  for (uint32_t block = 0; block < graph.blocks(); ++block) {
    const uint32_t begin = chain.first[block], end = chain.first[block + 1];
    if (end - begin == 1) continue;
    double executions = 2 * prior;
    for (uint32_t i = begin; i < end; ++i) executions += static_cast<double>(graph.edges[i].seen);
    for (uint32_t i = begin; i < end; ++i) {
      const double seen = static_cast<double>(graph.edges[i].seen);
      chain.probability[i] = (seen + 2 * prior / (end - begin)) / executions;
    }
  }
  return chain;
}

std::vector<bool> reached(const Chain& chain) {
  std::vector<bool> seen(chain.size());
  std::vector<uint32_t> open = {0};
  seen[0] = true;
  while (!open.empty()) {
    const uint32_t block = open.back();
    open.pop_back();
    for (uint32_t i = chain.first[block]; i < chain.first[block + 1]; ++i) {
      const uint32_t to = chain.to[i];
      if (to == kOutside || seen[to]) continue;
      seen[to] = true;
      open.push_back(to);
    }
  }
  return seen;
}

}  // namespace strobe::profile
