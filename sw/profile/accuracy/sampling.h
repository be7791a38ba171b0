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

/// The confidence of the intervals.
inline constexpr double kConfidence = 0.997;

/// The fewest units that tell how much units differ: with fewer, a rare phase of the program may be
/// in none of them.
inline constexpr uint64_t kLeastUnits = 60;

/// The half-width, in standard errors, of an interval of kConfidence by Student's t. The interval
/// comes from a sample variance with this many degrees of freedom, at least 1.
double confidence_t(uint64_t degrees);

/// The measurements, and what is known exactly.
struct Samples {
  uint64_t unit = 0;                       // program instructions in a unit
  uint64_t instructions = 0;               // the program's, in the whole region
  uint64_t start_instructions = 0;         // the first of these, measured whole
  uint64_t start_cycles = 0;               // the cycles of the start, with those of interrupts
  uint64_t interrupts = 0;                 // those after the start
  std::vector<uint64_t> unit_cycles;       // by unit, without the cycles of interrupts
  std::vector<uint64_t> interrupt_cycles;  // by measured interrupt: its entry, handler and return
};

struct Estimate {
  double value = 0;
  std::optional<double> half_width;  // none: too few interrupts to tell
};

/// The cycles of the region. Throws std::invalid_argument when too few units were measured after
/// the start, or when there were interrupts and none of them was measured.
Estimate estimated_cycles(const Samples& samples);

/// The overhead: cycles / baseline cycles - 1. The start and unit i of both must be the same
/// stretches of the program. Throws std::invalid_argument when they are not, and as
/// estimated_cycles() does.
Estimate estimated_overhead(const Samples& profiled, const Samples& baseline);

}  // namespace strobe::profile
