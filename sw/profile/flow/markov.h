// From branch biases to an edge profile: the frequencies of a Markov chain ("Ephemeral
// Instrumentation for Lightweight Program Profiling", section 3).
//
// The blocks are the states, and an edge has the probability of its way. With an edge from every
// exit back to the entry the chain has one stationary distribution, which is proportional to the
// number of executions of each block; an edge is executed frequency * probability times. The
// distribution is scaled so that the function is entered once.
#pragma once

#include <cstdint>
#include <string>

#include "sw/profile/flow/bias_graph.h"
#include "sw/profile/flow/edge_profile.h"

namespace strobe::profile {

struct MarkovOptions {
  /// Executions that are added to each way of a conditional branch: of t in n executions the
  /// probability is (t + prior) / (n + 2 prior). Where there are k ways, each gets 2 prior / k.
  /// kLeastPrior to kMostPrior, never 0: a way that was never seen is rare, not impossible.
  double prior = 0.5;
  /// The most iterations of a loop for each time it is entered, 2 to kMostIterations. Where the
  /// biases say more, leaving is made as probable as the limit asks. LLVM's limit for endless
  /// loops. A loop without a way out runs so many iterations, and then the function ends.
  double loop_limit = 4096;
};

inline constexpr double kLeastPrior = 1e-9, kMostPrior = 1e9;
inline constexpr double kMostIterations = 1e12;
/// For MarkovOptions::loop_limit: loops are as long as the biases say. A loop without a way out is
/// an error.
inline constexpr double kNoLoopLimit = 0;

/// Executions of every block and edge for each entry of the function. Loop by loop from the inside
/// out (Wu and Larus, "Static Branch Frequency and Program Profile Analysis", MICRO 1994), in time
/// proportional to the edges times the depth of loops. A loop with several headers, which an
/// irreducible graph has, is solved by elimination over its headers (gth.h).
/// Throws FlowError: a graph that BiasGraph::check() refuses; options out of range; an endless loop
/// without a limit; a loop with more than kMostHeaders headers.
EdgeProfile edge_profile(const BiasGraph& graph, const MarkovOptions& options = {});

inline constexpr uint32_t kMostHeaders = 1024;

/// The same by elimination over all blocks, in cubic time: the reference for tests, for at most
/// some thousand blocks. Without a limit of iterations.
EdgeProfile reference_profile(const BiasGraph& graph, double prior);

}  // namespace strobe::profile
