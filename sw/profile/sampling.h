// Estimates from systematic samples of a run, with their confidence intervals.
//
// R. Wunderlich, T. Wenisch, B. Falsafi and J. Hoe, "SMARTS: Accelerating Microarchitecture
// Simulation via Rigorous Statistical Sampling", ISCA 2003, section 2: n units of equal length, the
// mean of their cycles, and its standard error. The start of the region, which no unit resembles,
// is measured whole; interrupts are rare and long, so they are a stratum of their own; and the
// overhead is a ratio of paired units. docs/sampling.md derives all three.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace strobe::profile {

/// Of the intervals.
inline constexpr double kConfidence = 0.997;

/// Fewer units do not tell how much units differ: a rare phase of the program is in none of them.
inline constexpr uint64_t kLeastUnits = 60;

/// Student's t: the half-width, in standard errors, of an interval of kConfidence that comes from a
/// sample variance with so many degrees of freedom, at least 1.
double confidence_t(uint64_t degrees);

/// What was measured, and what is known exactly.
struct Samples {
  uint64_t unit = 0;                       // program instructions in a unit
  uint64_t instructions = 0;               // of the program, in the whole region
  uint64_t start_instructions = 0;         // the first of them, measured whole
  uint64_t start_cycles = 0;               // of these, with those of interrupts
  uint64_t interrupts = 0;                 // after the start
  std::vector<uint64_t> unit_cycles;       // of each unit, without those of interrupts
  std::vector<uint64_t> interrupt_cycles;  // of each measured interrupt: entry, handler and return
};

struct Estimate {
  double value = 0;
  std::optional<double> half_width;  // none: too few interrupts to tell
};

/// Cycles of the region. Throws std::invalid_argument when too few units were measured after the
/// start, or no interrupt of those there were.
Estimate estimated_cycles(const Samples& samples);

/// cycles / baseline cycles - 1. The start and unit i of both are the same stretches of the
/// program; throws std::invalid_argument as estimated_cycles(), and when they are not.
Estimate estimated_overhead(const Samples& profiled, const Samples& baseline);

}  // namespace strobe::profile
