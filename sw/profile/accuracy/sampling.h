// Estimates from systematic samples of a run, with their confidence intervals.
//
// R. Wunderlich, T. Wenisch, B. Falsafi and J. Hoe, "SMARTS: Accelerating Microarchitecture
// Simulation via Rigorous Statistical Sampling", ISCA 2003, section 2: n units of equal length, the
// mean of their cycles, and its standard error. The start of the region, which no unit resembles,
// is measured whole; interrupts are rare and long, so they are a stratum of their own; the handlers
// of a decode engine come in bursts, so units are weighted by what is known of them; and the
// overhead is a ratio of paired units. docs/sampling.md derives all four.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sw/profile/accuracy/calibrated_mean.h"

namespace strobe::profile {

/// The fewest units that tell how much units differ: with fewer, a rare phase of the program may be
/// in none of them.
inline constexpr uint64_t kLeastUnits = 60;

/// The measurements, and what is known exactly.
struct Samples {
  uint64_t unit = 0;                       // program instructions in a unit
  uint64_t instructions = 0;               // the program's, in the whole region
  uint64_t start_instructions = 0;         // the first of these, measured whole
  uint64_t start_cycles = 0;               // the cycles of the start, with those of interrupts
  uint64_t interrupts = 0;                 // those after the start
  std::vector<uint64_t> unit_cycles;       // by unit, without the cycles of interrupts
  std::vector<uint64_t> interrupt_cycles;  // by measured interrupt: its entry, handler and return
  uint64_t handler_instructions = 0;       // what the engine's handlers executed after the start
  std::vector<uint64_t> unit_handler_instructions;  // what of it was in each unit; empty: nothing
};

/// Whether handlers executed after the start, and none of them in a unit: then nothing tells what
/// they cost, and there is no estimate.
bool handlers_in_no_unit(const Samples& samples);

struct Estimate {
  double value = 0;
  std::optional<double> half_width;  // none: too few interrupts to tell
};

/// The cycles of the region. Throws std::invalid_argument when too few units were measured after
/// the start, or when there were interrupts or handlers and none of them was measured
/// (handlers_in_no_unit()).
Estimate estimated_cycles(const Samples& samples);

/// The cycles of the run's baseline, whose units count with the weights of the run's. The start and
/// unit i of both must be the same stretches of the program. Throws std::invalid_argument when they
/// are not, and as estimated_cycles() does.
Estimate estimated_baseline(const Samples& profiled, const Samples& baseline);

/// The overhead: estimated_cycles() / estimated_baseline() - 1. Throws as they do.
Estimate estimated_overhead(const Samples& profiled, const Samples& baseline);

}  // namespace strobe::profile
