#include "sw/profile/flow/markov.h"

#include <sstream>
#include <utility>

#include "sw/profile/flow/chain.h"
#include "sw/profile/flow/elimination.h"
#include "sw/profile/flow/loop_nest.h"
#include "sw/profile/flow/loop_solver.h"

namespace strobe::profile {
namespace {

std::string number(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

void check_prior(const BiasGraph& graph, double prior) {
  if (prior >= kLeastPrior && prior <= kMostPrior) return;
  throw FlowError(graph.name + ": the prior is " + number(prior) + "; expected " +
                  number(kLeastPrior) + " to " + number(kMostPrior));
}

void check(const BiasGraph& graph, const MarkovOptions& options) {
  graph.check();
  check_prior(graph, options.prior);
  if (options.loop_limit != kNoLoopLimit &&
      !(options.loop_limit >= 2 && options.loop_limit <= kMostIterations)) {
    throw FlowError(graph.name + ": the limit of iterations is " + number(options.loop_limit) +
                    "; expected 0 for none, or 2 to " + number(kMostIterations));
  }
}

[[noreturn]] void refuse_endless(const BiasGraph& graph, uint32_t header) {
  throw FlowError(graph.place(header) +
                  " begins a loop without a way out, whose blocks have no finite frequency; set a "
                  "limit of iterations");
}

void check_headers(const BiasGraph& graph, const LoopNest& nest) {
  for (const NestedLoop& loop : nest.loops) {
    if (loop.headers.size() <= kMostHeaders) continue;
    throw FlowError(graph.place(loop.headers[0]) + " begins a loop that is entered at " +
                    std::to_string(loop.headers.size()) + " blocks; expected at most " +
                    std::to_string(kMostHeaders) + "; leave the function out");
  }
}

/// The profile with these executions of each block.
EdgeProfile with_visits(const BiasGraph& graph, const Chain& chain, std::vector<double> visits) {
  EdgeProfile profile;
  profile.blocks = std::move(visits);
  for (uint32_t i = 0; i < graph.edges.size(); ++i) {
    profile.edges.push_back(profile.blocks[graph.edges[i].from] * chain.probability[i]);
  }
  note_evidence(graph, &profile);
  return profile;
}

}  // namespace

EdgeProfile edge_profile(const BiasGraph& graph, const MarkovOptions& options) {
  check(graph, options);
  Chain chain = make_chain(graph, options.prior);
  const LoopNest nest = find_loops(chain);
  check_headers(graph, nest);
  LoopSolver solver(&chain, nest);
  if (options.loop_limit != kNoLoopLimit) {
    solver.limit(options.loop_limit);
  } else {
    const uint32_t endless = solver.summarize_all();
    if (endless != kOutside) refuse_endless(graph, endless);
  }
  EdgeProfile profile = with_visits(graph, chain, solver.visits());
  profile.endless = solver.endless();
  profile.limited = solver.limited();
  return profile;
}

EdgeProfile reference_profile(const BiasGraph& graph, double prior) {
  graph.check();
  check_prior(graph, prior);
  const Chain chain = make_chain(graph, prior);
  const std::vector<bool> reachable = reached(chain);
  std::vector<uint32_t> state(chain.size(), kOutside), blocks;
  for (uint32_t block = 0; block < chain.size(); ++block) {
    if (!reachable[block]) continue;
    state[block] = static_cast<uint32_t>(blocks.size());
    blocks.push_back(block);
  }
  const auto size = static_cast<uint32_t>(blocks.size());
  std::vector<double> moves(size_t{size} * size), leaves(size), entering(size);
  for (uint32_t i = 0; i < size; ++i) {
    for (uint32_t way = chain.first[blocks[i]]; way < chain.first[blocks[i] + 1]; ++way) {
      const bool out = chain.to[way] == kOutside;
      (out ? leaves[i] : moves[size_t{i} * size + state[chain.to[way]]]) += chain.probability[way];
    }
  }
  const Elimination elimination(size, std::move(moves), std::move(leaves));
  if (!elimination.ends()) refuse_endless(graph, 0);
  entering[0] = 1;
  const std::vector<double> visits = elimination.visits(entering);
  std::vector<double> by_block(chain.size());
  for (uint32_t i = 0; i < size; ++i) by_block[blocks[i]] = visits[i];
  return with_visits(graph, chain, std::move(by_block));
}

}  // namespace strobe::profile
