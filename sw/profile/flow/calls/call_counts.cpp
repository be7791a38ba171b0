#include "sw/profile/flow/calls/call_counts.h"

#include <algorithm>
#include <map>
#include <utility>

#include "sw/profile/flow/calls/counted_entries.h"
#include "sw/profile/flow/calls/function_entries.h"
#include "sw/profile/flow/calls/idle.h"
#include "sw/profile/flow/calls/returning.h"
#include "sw/text/diagnostic.h"

namespace strobe::profile {
namespace {

/// The edge profile of a function in which calls that do not come back end it.
EdgeProfile profile_of(const FlowFunction& function, const std::vector<bool>& stopped,
                       std::vector<bool> idle, const SeenWays& seen,
                       const ProgramOptions& options) {
  BiasGraph graph = bias_graph(function, seen);
  graph.idle = std::move(idle);
  for (const FlowBlock& block : function.blocks) {
    graph.complete.push_back(
        std::binary_search(options.complete.begin(), options.complete.end(), block.last));
  }
  std::vector<uint32_t> cut;
  for (uint32_t i = 0; i < graph.edges.size(); ++i) {
    if (function.edges[i].kind != FlowKind::kReturned || !stopped[graph.edges[i].from]) continue;
    graph.edges[i].to = kOutside;
    cut.push_back(i);
  }
  EdgeProfile profile = edge_profile(graph, options.markov);
  for (const uint32_t edge : cut) profile.edges[edge] = 0;
  return profile;
}

/// By function and block.
using Idle = std::vector<std::vector<bool>>;

/// Finds what calls whose callee is not known lead to.
class IndirectCalls {
 public:
  IndirectCalls(const ControlFlow& flow, const SeenWays& seen, const Idle& idle, uint32_t root)
      : seen_(seen) {
    for (uint32_t f = 0; f < flow.functions.size(); ++f) {
      by_entry_[flow.functions[f].blocks[0].first] = f;
      if (f != root && flow.functions[f].address_taken && !idle[f][0]) {
        possible_.push_back(f);
      }
    }
  }

  /// The share of each callee, at most 1 together; empty when none was seen.
  std::vector<std::pair<uint32_t, double>> seen_callees(uint64_t pc) const {
    const auto [first, last] = seen_.of(pc);
    double total = 0;
    std::vector<std::pair<uint32_t, double>> callees;
    for (const SeenWays::Way* way = first; way != last; ++way) {
      const auto callee = by_entry_.find(way->target);
      if (callee == by_entry_.end()) continue;
      total += static_cast<double>(way->count);
      callees.emplace_back(callee->second, static_cast<double>(way->count));
    }
    for (auto& callee : callees) callee.second /= total;
    return callees;
  }

  const std::vector<uint32_t>& possible() const { return possible_; }

 private:
  const SeenWays& seen_;
  std::map<uint64_t, uint32_t> by_entry_;
  std::vector<uint32_t> possible_;
};

/// How often a block makes its call, for one entry of the function.
double times_made(const FlowFunction& function, const EdgeProfile& profile, const FlowCall& call) {
  if (!call.tail) return profile.blocks[call.block];
  double times = 0;
  const EdgeRange edges = edges_of(function, call.block);
  for (auto edge = edges.begin(); edge != edges.end(); ++edge) {
    if (edge->to == kOutside) times += profile.edges[edge - function.edges.begin()];
  }
  return times;
}

bool has_labels(const FlowFunction& function, uint32_t block) {
  const EdgeRange edges = edges_of(function, block);
  return std::any_of(edges.begin(), edges.end(),
                     [](const FlowEdge& edge) { return edge.kind == FlowKind::kTable; });
}

Calls calls_of(const ControlFlow& flow, const SeenWays& seen, const Idle& idle, uint32_t root,
               ProgramProfile* profile) {
  const IndirectCalls indirect(flow, seen, idle, root);
  Calls calls(flow.functions.size());
  for (uint32_t f = 0; f < flow.functions.size(); ++f) {
    const FlowFunction& function = flow.functions[f];
    for (const FlowCall& call : function.calls) {
      const double times = times_made(function, profile->functions[f], call);
      if (call.callee != kOutside) {
        if (!idle[call.callee][0]) calls[f][call.callee] += times;
        continue;
      }
      if (idle[f][call.block]) continue;
      const uint64_t pc = function.blocks[call.block].last;
      const auto callees = indirect.seen_callees(pc);
      for (const auto& [callee, share] : callees) calls[f][callee] += times * share;
      if (!callees.empty() || (call.tail && has_labels(function, call.block))) continue;
      profile->unresolved.push_back(pc);
      for (const uint32_t callee : indirect.possible()) {
        calls[f][callee] += times / static_cast<double>(indirect.possible().size());
      }
    }
  }
  return calls;
}

}  // namespace

ProgramProfile program_profile(const ControlFlow& flow, const Profile& seen,
                               const std::string& root, const ProgramOptions& options) {
  const auto its_root = std::find_if(flow.functions.begin(), flow.functions.end(),
                                     [&](const FlowFunction& f) { return f.name == root; });
  if (its_root == flow.functions.end()) {
    throw FlowError("the program has no function " + text::in_quotes(root) +
                    "; name the one where it begins");
  }
  const SeenWays ways(seen);
  const std::vector<bool> returns = returning(flow);
  const Idle idle = idle_blocks(flow, ways, options.watched);
  ProgramProfile profile;
  for (uint32_t f = 0; f < flow.functions.size(); ++f) {
    const FlowFunction& function = flow.functions[f];
    profile.functions.push_back(
        profile_of(function, stopped_by_calls(function, returns), idle[f], ways, options));
  }
  const auto start = static_cast<uint32_t>(its_root - flow.functions.begin());
  profile.entries =
      function_entries(flow, calls_of(flow, ways, idle, start, &profile),
                       counted_entries(flow, ways, options.complete, profile.functions), start,
                       options.markov, &profile.limited);
  return profile;
}

}  // namespace strobe::profile
