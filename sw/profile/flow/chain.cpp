#include "sw/profile/flow/chain.h"

#include <algorithm>

#include "sw/profile/flow/markov.h"

namespace strobe::profile {
namespace {

/// Sets the probabilities of the ways [begin, end) of one block.
void share(const BiasGraph& graph, double prior, uint32_t begin, uint32_t end, Chain* chain) {
  const auto possible = [&](const BiasEdge& edge) {
    return edge.seen > 0 || graph.idle.empty() || edge.to == kOutside || !graph.idle[edge.to];
  };
  const auto first = graph.edges.begin() + begin, last = graph.edges.begin() + end;
  double executions = 0;
  for (auto edge = first; edge != last; ++edge) executions += static_cast<double>(edge->seen);
  const bool all = executions == 0 || std::none_of(first, last, possible);
  const double ways = all ? end - begin : static_cast<double>(std::count_if(first, last, possible));
  executions += 2 * prior;
  for (uint32_t i = begin; i < end; ++i) {
    const BiasEdge& edge = graph.edges[i];
    const double weight = static_cast<double>(edge.seen) + 2 * prior / ways;
    chain->probability[i] = all || possible(edge) ? weight / executions : 0;
  }
}

}  // namespace

Chain make_chain(const BiasGraph& graph, double prior) {
  Chain chain;
  chain.first = first_edges(graph);
  chain.ends.assign(graph.blocks(), 0.0);
  chain.probability.assign(graph.edges.size(), 1.0);
  for (const BiasEdge& edge : graph.edges) chain.to.push_back(edge.to);
  for (uint32_t block = 0; block < graph.blocks(); ++block) {
    const uint32_t begin = chain.first[block], end = chain.first[block + 1];
    const bool exact = !graph.complete.empty() && graph.complete[block];
    if (end - begin > 1) share(graph, exact ? kLeastPrior : prior, begin, end, &chain);
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

void note_evidence(const BiasGraph& graph, EdgeProfile* profile) {
  const Chain chain = make_chain(graph, /*prior=*/1);
  const std::vector<bool> reachable = reached(chain);
  for (uint32_t block = 0; block < chain.size(); ++block) {
    const uint32_t begin = chain.first[block], end = chain.first[block + 1];
    uint64_t seen = 0;
    for (uint32_t i = begin; i < end; ++i) seen |= graph.edges[i].seen;
    if (end - begin > 1 && seen == 0) profile->unseen.push_back(block);
    if (!reachable[block]) profile->unreached.push_back(block);
  }
}

}  // namespace strobe::profile
