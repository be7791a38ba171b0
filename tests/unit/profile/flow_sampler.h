// An ephemeral profiler on a program that exists only as a graph: it records each branch for
// `persistence` executions in a row, unhooks it, and hooks it again when an epoch ends.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include "sw/profile/flow/bias_graph.h"

namespace strobe::profile {

struct SamplerOptions {
  uint64_t persistence = 10;
  double epoch = 10000;      // in units of time
  double jitter = 0;         // epochs vary evenly by this fraction
  bool hooked_once = false;  // never hooked again: the first executions only
};

/// Executes blocks one after the other, and counts what the profiler records and what happens.
class EphemeralSampler {
 public:
  EphemeralSampler(const BiasGraph& graph, const SamplerOptions& options, uint64_t seed)
      : recorded(graph),
        truth(graph),
        first_(first_edges(graph)),
        options_(options),
        in_epoch_(graph.blocks()),
        random_(seed) {
    for (BiasEdge& edge : recorded.edges) edge.seen = 0;
    for (BiasEdge& edge : truth.edges) edge.seen = 0;
    next_epoch();
  }

  /// One execution of a block, which leaves by its way number `way` after `time`.
  void execute(uint32_t block, uint32_t way, double time) {
    now_ += time;
    if (now_ >= end_) {
      if (!options_.hooked_once) in_epoch_.assign(in_epoch_.size(), 0);
      while (now_ >= end_) next_epoch();
    }
    ++truth.edges[first_[block] + way].seen;
    if (in_epoch_[block] == options_.persistence) return;
    ++in_epoch_[block];
    ++recorded.edges[first_[block] + way].seen;
  }

  BiasGraph recorded, truth;

 private:
  void next_epoch() {
    const double by = std::uniform_real_distribution<>(-options_.jitter, options_.jitter)(random_);
    end_ += options_.epoch * (1 + by);
  }

  std::vector<uint32_t> first_;
  SamplerOptions options_;
  std::vector<uint64_t> in_epoch_;
  std::mt19937_64 random_;
  double now_ = 0, end_ = 0;
};

/// The share of the executions of a block that left by its way number `way`.
inline double share_of(const BiasGraph& graph, uint32_t block, uint32_t way) {
  const std::vector<uint32_t> first = first_edges(graph);
  double total = 0;
  for (uint32_t i = first[block]; i < first[block + 1]; ++i) {
    total += static_cast<double>(graph.edges[i].seen);
  }
  return total == 0 ? 0 : static_cast<double>(graph.edges[first[block] + way].seen) / total;
}

}  // namespace strobe::profile
