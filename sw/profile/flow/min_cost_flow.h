// From counts to an edge profile: the flow through the graph that differs least from the counts
// (He, Mestre, Pupyrev, Wang and Yu, "Profile Inference Revisited", POPL 2022; Levin, Newman and
// Haber, HiPEAC 2008). It is the comparator of markov.h: it takes the counts of different branches
// for comparable, which those of an ephemeral profile are not and those of a sampled profile are.
//
// Deviations from the paper: the counts are of ways, as an edge profile has them, and the count of
// a block follows from its ways; flow that no count decides is not spread evenly; a cycle with
// counts that no flow enters is not joined to the rest.
#pragma once

#include <cstdint>

#include "sw/profile/flow/bias_graph.h"
#include "sw/profile/flow/edge_profile.h"

namespace strobe::profile {

/// What it costs to make the count of a way one larger or smaller. The numbers are those of LLVM's
/// SampleProfileInference for blocks. The only way of a block was not counted, and costs nothing.
struct FlowCosts {
  int64_t increase = 10, decrease = 20;
  int64_t increase_from_zero = 11;  // where the way was never seen
};

/// Executions in the run of every block and edge: whole numbers that conserve flow, with the least
/// sum of costs. Successive shortest paths, exact; in the worst case quadratic in the graph.
/// Throws FlowError: a graph that BiasGraph::check() refuses, more than kMostBlocks blocks, counts
/// that add up to more than 2^62.
EdgeProfile min_cost_flow(const BiasGraph& graph, const FlowCosts& costs = {});

inline constexpr uint32_t kMostBlocks = 20000;

}  // namespace strobe::profile
