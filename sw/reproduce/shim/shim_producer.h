// The producer of figure 8, which writes one word, and an observer of that word: figures 9 and 10
// of "Computer Performance Microscopy with SHIM".
#pragma once

#include <cstdint>
#include <vector>

#include "sw/reproduce/reproduction.h"

namespace strobe::reproduce::shim {

/// Cycles of the producer, without and with an observer.
struct Produced {
  unsigned wait = 0;    // rounds of the producer between two writes
  uint64_t period = 0;  // cycles of the observer from read to read; 0: as fast as it goes
  uint64_t alone = 0, observed = 0;
  uint64_t writes = 0;
  uint64_t invalidations = 0;  // of lines in caches, by the producer's writes

  double overhead() const { return static_cast<double>(observed) / static_cast<double>(alone) - 1; }
  double cycles_per_write() const {
    return static_cast<double>(alone) / static_cast<double>(writes);
  }
  double invalidations_per_write() const {
    return static_cast<double>(invalidations) / static_cast<double>(writes);
  }
};

inline constexpr uint64_t kWrites = 20'000;
/// The points of the figures.
inline constexpr unsigned kWaits[] = {0, 4, 16, 64, 256};
inline constexpr uint64_t kConsumerPeriods[] = {0, 50, 100, 250, 1000, 4000};
/// A claim is about a mean over several producers or observers of nearly the same speed.
inline constexpr unsigned kFastWaits[] = {0, 1, 2, 3, 4};
inline constexpr unsigned kSlowWaits[] = {56, 60, 64, 68, 72};
inline constexpr uint64_t kSlowPeriod = 4000;
inline constexpr uint64_t kSlowPeriods[] = {3600, 3800, 4000, 4200, 4400};

struct Producer {
  std::vector<Produced> slower_producer;  // by kWaits, the observer as fast as it goes
  std::vector<Produced> slower_observer;  // by kConsumerPeriods, the producer likewise
  std::vector<Produced> both_fast;        // by kFastWaits, the observer as fast as it goes
  std::vector<Produced> fast_producers;   // by kFastWaits, the observer with kSlowPeriod
  std::vector<Produced> slow_producers;   // by kSlowWaits, the observer as fast as it goes
  std::vector<Produced> slow_observers;   // by kSlowPeriods, the producer likewise
};

/// @param smt  the observer is on the producer's core: figure 10, else 9
Reproduction producer(const Producer& measured, bool smt);

}  // namespace strobe::reproduce::shim
