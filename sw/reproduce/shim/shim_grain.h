// What samples show at three rates, and what is true: figure 1 of "Computer Performance Microscopy
// with SHIM".
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sw/reproduce/reproduction.h"

namespace strobe::reproduce::shim {

/// What samples of a method add up to, or, as the truth, all of its cycles.
struct MethodSum {
  uint64_t samples = 0;                   // with its identifier
  uint64_t cycles = 0, instructions = 0;  // only samples that double-time error correction keeps
  double ipc() const { return static_cast<double>(instructions) / static_cast<double>(cycles); }
};
using Methods = std::map<uint64_t, MethodSum>;  // by identifier

/// The samples of a run at one rate.
struct Grain {
  uint64_t samples = 0, cycles = 0;
  /// Instructions per cycle of the kept samples in rising order, at 0, 1, ... 100 % of them.
  std::vector<double> rates;
  Methods methods;
};

/// One in so many samples, as the paper takes its coarser rates from the finest.
inline constexpr unsigned kEvery[] = {1, 20, 400};
enum GrainPlace { kFine, kMedium, kCoarse, kGrains };

struct GrainedProgram {
  std::string name;
  std::vector<Grain> by;           // kGrains
  std::vector<double> true_rates;  // every one of the finest samples; as Grain::rates
  Methods truth;                   // without samples
};

/// @param programs  at least one
Reproduction grains(const std::vector<GrainedProgram>& programs);

}  // namespace strobe::reproduce::shim
