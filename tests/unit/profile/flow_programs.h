// Programs of several functions for the tests of sw/profile/flow, with addresses, and a machine
// that executes them with a stack.
#pragma once

#include <gmock/gmock.h>

#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sw/profile/flow/calls/call_counts.h"
#include "tests/unit/profile/flow_graphs.h"

namespace strobe::profile {

/// A program under construction, and the profile of its branches. Block b of function f is at
/// 0x100000 (f + 1) + 16 b, and its last instruction 8 bytes further.
struct TestProgram {
  ControlFlow flow;
  Entries seen;

  static uint64_t pc(uint32_t function, uint32_t block) {
    return 0x100000 * (uint64_t{function} + 1) + 16 * uint64_t{block};
  }
  static uint64_t last(uint32_t function, uint32_t block) { return pc(function, block) + 8; }

  /// Adds a function with these edges, in the order of blocks. Edges of blocks with several are
  /// ways of branches; out of the function, the others are returns.
  uint32_t add(const std::string& name, uint32_t blocks, const std::vector<BiasEdge>& edges) {
    const BiasGraph graph = graph_of(blocks, edges);
    const std::vector<uint32_t> first = first_edges(graph);
    const auto f = static_cast<uint32_t>(flow.functions.size());
    FlowFunction function;
    function.name = name;
    for (uint32_t b = 0; b < blocks; ++b) {
      function.blocks.push_back({pc(f, b), last(f, b), pc(f, b) + 16});
    }
    for (const BiasEdge& edge : graph.edges) {
      const bool branch = first[edge.from + 1] - first[edge.from] > 1;
      const bool out = edge.to == kOutside;
      const FlowKind kind = branch ? FlowKind::kTaken : out ? FlowKind::kReturn : FlowKind::kNext;
      const uint64_t target = !out ? pc(f, edge.to) : branch ? 0x50 : 0;
      function.edges.push_back({edge.from, edge.to, kind, target});
      if (branch) seen.push_back({Tuple{last(f, edge.from), target, 0}, edge.seen});
    }
    flow.functions.push_back(function);
    return f;
  }

  FlowEdge& edge(uint32_t function, uint32_t from) {
    for (FlowEdge& each : flow.functions[function].edges) {
      if (each.from == from) return each;
    }
    throw std::runtime_error("no such edge");
  }

  /// The block, which has one edge, ends in a call. kOutside: an indirect one.
  void call(uint32_t function, uint32_t block, uint32_t callee) {
    edge(function, block).kind = FlowKind::kReturned;
    flow.functions[function].calls.push_back({block, callee, false});
  }

  ProgramProfile solve(const MarkovOptions& options = {kLeastPrior, kNoLoopLimit}) const {
    return program_profile(flow, Profile(seen), "main", {options, all_branches(), {}});
  }

  /// The pcs of what has several ways, rising.
  std::vector<uint64_t> all_branches() const {
    std::vector<uint64_t> pcs;
    for (const FlowFunction& function : flow.functions) {
      for (uint32_t b = 0; b < function.blocks.size(); ++b) {
        const EdgeRange edges = edges_of(function, b);
        if (edges.last - edges.first > 1) pcs.push_back(function.blocks[b].last);
      }
    }
    return pcs;
  }
};

/// Executes a program whose first function is the root, with the probabilities of the chain.
class Machine {
 public:
  Machine(const TestProgram& program, double prior, uint64_t seed)
      : flow_(program.flow), ways_(Profile(program.seen)), prior_(prior), random_(seed) {
    for (const FlowFunction& function : flow_.functions) {
      callee_.emplace_back(function.blocks.size(), kOutside);
      for (const FlowCall& call : function.calls) callee_.back()[call.block] = call.callee;
      visits.emplace_back(function.blocks.size());
    }
  }

  /// Runs the program once more. `visits` adds up executions of blocks over all runs.
  void run() {
    std::vector<std::pair<uint32_t, uint32_t>> stack;  // {function, block after the call}
    uint32_t function = 0, block = 0;
    while (true) {
      ++visits[function][block];
      const uint32_t next = next_of(function, block);
      const uint32_t callee = callee_[function][block];
      if (callee != kOutside) {
        stack.emplace_back(function, next);
        function = callee;
        block = 0;
      } else if (next != kOutside) {
        block = next;
      } else if (stack.empty()) {
        return;
      } else {
        std::tie(function, block) = stack.back();
        stack.pop_back();
      }
    }
  }

  std::vector<std::vector<uint64_t>> visits;
  std::map<std::pair<uint64_t, uint64_t>, uint64_t> branches;  // executions by: {pc, target}

 private:
  uint32_t next_of(uint32_t function, uint32_t block) {
    const FlowFunction& its = flow_.functions[function];
    const EdgeRange edges = edges_of(its, block);
    const auto ways = static_cast<double>(edges.last - edges.first);
    std::vector<double> weights;
    for (const FlowEdge& edge : edges) {
      const auto count = static_cast<double>(ways_.count(its.blocks[block].last, edge.target));
      weights.push_back(count + 2 * prior_ / ways);
    }
    std::discrete_distribution<uint32_t> way(weights.begin(), weights.end());
    const FlowEdge& taken = edges.first[way(random_)];
    if (ways > 1) ++branches[{its.blocks[block].last, taken.target}];
    return taken.to;
  }

  const ControlFlow& flow_;
  SeenWays ways_;
  double prior_;
  std::mt19937_64 random_;
  std::vector<std::vector<uint32_t>> callee_;
};

/// Equal but for the error of a solver.
inline auto near(double value) { return testing::DoubleNear(value, 1e-6 * (value + 1)); }

/// A function whose block 1 runs ten times and can make a call; block 2 returns.
inline const std::vector<BiasEdge> kTenTimes = {
    {0, 1, 0}, {1, 2, 0}, {2, 1, 9}, {2, 3, 1}, {3, kOutside, 0}};
/// A function that goes through block 1 in one of four times.
inline const std::vector<BiasEdge> kOneInFour = {{0, 1, 1}, {0, 2, 3}, {1, 2, 0}, {2, kOutside, 0}};

/// What is said of a program that cannot be solved; empty when it can.
inline std::string refusal(const TestProgram& program, const MarkovOptions& options) {
  try {
    program.solve(options);
  } catch (const FlowError& error) {
    return error.what();
  }
  return "";
}

}  // namespace strobe::profile
