// Two phases of a garbage collector, as samples see them: the case studies of "Computer Performance
// Microscopy with SHIM", figures 14 to 19.
#pragma once

#include <cstdint>
#include <vector>

#include "sw/reproduce/reproduction.h"

namespace strobe::reproduce::shim {

inline constexpr double kCoreWidth = 4;  // instructions in a cycle
inline constexpr unsigned kRates = 40;   // buckets up to it
inline constexpr double kLowRate = 0.3;
inline constexpr double kHighRate = 1.2;

/// A sample in a time line.
struct Moment {
  double cycle = 0;  // since the phase began
  double ipc = 0, bandwidth = 0;
};

/// The samples of a phase. The bandwidth is in requests to memory in 100 cycles.
struct Phase {
  // By part of the run in which the phase has samples:
  std::vector<double> ipc, bandwidth;
  std::vector<double> low;            // share of the samples with a rate below kLowRate
  std::vector<double> low_bandwidth;  // the bandwidth of those, in parts that have any
  std::vector<double> above;          // share of the requests in samples above kHighRate
  std::vector<double> correlation;    // Pearson's, of rate and bandwidth, from sample to sample
  // By rate, kRates buckets:
  std::vector<uint64_t> samples, cycles, requests;
  std::vector<Moment> line;  // one time that the phase ran
};

/// The collector on one machine.
struct Collector {
  Phase stacks, globals;
};

/// The machines of the case studies; plain: without prefetchers.
enum Machine { kFast, kSlow, kFastPlain, kSlowPlain, kMachines };

/// A figure from 14 to 18: one phase on two machines. @param machines  kMachines
Reproduction case_study(const std::vector<Collector>& machines, unsigned figure);
inline constexpr unsigned kTimeLines = 19;
/// Figure 19. @param machines  kMachines
Reproduction time_lines(const std::vector<Collector>& machines);

}  // namespace strobe::reproduce::shim
