// The Markov chain of a graph: a state for each block, and the probability of each way.
#pragma once

#include <cstdint>
#include <vector>

#include "sw/profile/flow/bias_graph.h"
#include "sw/profile/flow/edge_profile.h"

namespace strobe::profile {

/// The ways of block b have the numbers first[b] to first[b + 1] - 1, those of the graph's edges.
/// Their probabilities and ends[b] add up to 1. Two ways to one block are two ways.
struct Chain {
  std::vector<uint32_t> first;
  std::vector<uint32_t> to;  // a block, or kOutside
  std::vector<double> probability;
  /// The probability that the function ends in this block though no way leaves: 0 but in endless
  /// loops.
  std::vector<double> ends;

  uint32_t size() const { return static_cast<uint32_t>(ends.size()); }
};

/// The chain of a graph that passes check(). Of k ways that were seen t in n times, each has the
/// probability (t + 2 prior / k) / (n + 2 prior), and an only way has 1 (MarkovOptions::prior).
/// Where the block was seen, a way that was not, to an idle block, has 0 and is not one of the k.
/// The prior of a complete block is the least one.
Chain make_chain(const BiasGraph& graph, double prior);

/// Blocks that a path leads to from block 0.
std::vector<bool> reached(const Chain& chain);

/// Fills in which blocks of the graph were not seen, and which are not reached.
void note_evidence(const BiasGraph& graph, EdgeProfile* profile);

}  // namespace strobe::profile
