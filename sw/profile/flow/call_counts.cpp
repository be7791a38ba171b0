#include "sw/profile/flow/call_counts.h"

#include <algorithm>
#include <map>
#include <utility>

#include "sw/profile/flow/chain.h"
#include "sw/profile/flow/idle.h"
#include "sw/profile/flow/loop_nest.h"
#include "sw/profile/flow/recursion.h"
#include "sw/profile/flow/returning.h"
#include "sw/text/diagnostic.h"

namespace strobe::profile {
namespace {

/// For each function: its callees, and the calls of each for one entry of the function.
using Calls = std::vector<std::map<uint32_t, double>>;

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

/// The call graph as a chain, for its order and its loops. State 0 stands for what calls the root.
Chain call_chain(const Calls& calls, uint32_t root) {
  Chain chain;
  chain.first = {0, 1};
  chain.to = {root + 1};
  for (const auto& callees : calls) {
    for (const auto& [callee, times] : callees) {
      if (times > 0) chain.to.push_back(callee + 1);
    }
    chain.first.push_back(static_cast<uint32_t>(chain.to.size()));
  }
  chain.ends.resize(calls.size() + 1);
  return chain;
}

/// All functions of a loop of the call graph, rising.
std::vector<uint32_t> members(const LoopNest& nest, uint32_t loop) {
  std::vector<uint32_t> functions, open = {loop};
  while (!open.empty()) {
    const uint32_t each = open.back();
    open.pop_back();
    for (const LoopPart& part : nest.loops[each].body) {
      if (part.is_loop) {
        open.push_back(part.index);
      } else {
        functions.push_back(part.index - 1);
      }
    }
  }
  std::sort(functions.begin(), functions.end());
  return functions;
}

/// Walks the call graph from the root. Callers come before callees, so that the entries of a
/// function are known when its calls are.
class FunctionEntries {
 public:
  FunctionEntries(const ControlFlow& flow, const Calls& calls, const MarkovOptions& options,
                  ProgramProfile* profile)
      : flow_(flow), calls_(calls), options_(options), profile_(profile) {}

  void find(uint32_t root) {
    profile_->entries.assign(flow_.functions.size(), 0);
    profile_->entries[root] = 1;
    const LoopNest nest = find_loops(call_chain(calls_, root));
    for (const LoopPart& part : nest.loops[0].body) {
      if (part.is_loop) {
        enter_recursion(members(nest, part.index));
      } else if (part.index > 0) {
        pass_on(part.index - 1, {});
      }
    }
  }

 private:
  /// Enters the callees of a function, without those in `except`, which is sorted.
  void pass_on(uint32_t caller, const std::vector<uint32_t>& except) {
    for (const auto& [callee, times] : calls_[caller]) {
      if (std::binary_search(except.begin(), except.end(), callee)) continue;
      profile_->entries[callee] += profile_->entries[caller] * times;
    }
  }

  void enter_recursion(const std::vector<uint32_t>& functions) {
    const size_t size = functions.size();
    const std::string& name = flow_.functions[functions[0]].name;
    if (size > kMostRecursive) {
      throw FlowError(name + ": it and " + std::to_string(size - 1) +
                      " other functions call one another; expected at most " +
                      std::to_string(kMostRecursive) + " together");
    }
    std::vector<double> entering, within(size * size);
    for (size_t i = 0; i < size; ++i) {
      entering.push_back(profile_->entries[functions[i]]);
      for (const auto& [callee, times] : calls_[functions[i]]) {
        const auto at = std::lower_bound(functions.begin(), functions.end(), callee);
        if (at == functions.end() || *at != callee) continue;
        within[i * size + static_cast<size_t>(at - functions.begin())] = times;
      }
    }
    const Recursion recursion =
        solve_recursion(std::move(within), std::move(entering), options_.loop_limit);
    if (recursion.limited && options_.loop_limit == kNoLoopLimit) {
      throw FlowError(name +
                      ": the biases say that its recursion has no end; set a limit of "
                      "iterations");
    }
    if (recursion.limited) {
      profile_->limited.insert(profile_->limited.end(), functions.begin(), functions.end());
    }
    for (size_t i = 0; i < size; ++i) profile_->entries[functions[i]] = recursion.entries[i];
    for (const uint32_t function : functions) pass_on(function, functions);
  }

  const ControlFlow& flow_;
  const Calls& calls_;
  const MarkovOptions& options_;
  ProgramProfile* profile_;
};

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
  const Calls calls = calls_of(flow, ways, idle, start, &profile);
  FunctionEntries(flow, calls, options.markov, &profile).find(start);
  return profile;
}

}  // namespace strobe::profile
