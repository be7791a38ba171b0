// Estimates from systematic samples of a run, with their confidence intervals.
//
// R. Wunderlich, T. Wenisch, B. Falsafi and J. Hoe, "SMARTS: Accelerating Microarchitecture
// Simulation via Rigorous Statistical Sampling", ISCA 2003, section 2: n units of equal length, the
// mean of their cycles, and z standard errors of it. Interrupts are rare and long, so they are a
// stratum of their own, and the overhead is a ratio of paired units; docs/sampling.md derives both.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace strobe::profile {

/// Half-widths are this many standard errors, which is this confidence.
inline constexpr double kConfidenceZ = 3.0, kConfidence = 0.997;

/// What was measured, and what is known exactly.
struct Samples {
  uint64_t unit = 0;                       // program instructions in a unit
  uint64_t instructions = 0;               // of the program, in the whole region
  uint64_t interrupts = 0;                 // in the whole region
  std::vector<uint64_t> unit_cycles;       // of each unit, without those of interrupts
  std::vector<uint64_t> interrupt_cycles;  // of each measured interrupt: entry, handler and return
};

struct Estimate {
  double value = 0;
  std::optional<double> half_width;  // none: too few samples to tell
};

/// Cycles of the region. Throws std::invalid_argument when nothing was measured of a part that is
/// there.
Estimate estimated_cycles(const Samples& samples);

/// cycles / baseline cycles - 1. Unit i of both is the same stretch of the program; throws
/// std::invalid_argument when they have not the same number.
Estimate estimated_overhead(const Samples& profiled, const Samples& baseline);

}  // namespace strobe::profile
