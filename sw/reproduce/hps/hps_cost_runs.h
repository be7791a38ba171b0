// Runs that tell what a collected event costs.
#pragma once

#include <cstdint>

#include "sw/reproduce/hps/hps_cost.h"
#include "sw/reproduce/kept_results.h"
#include "sw/reproduce/million.h"
#include "sw/reproduce/reproduction_programs.h"

namespace strobe::hps {

/// Instructions of each run, after those that are not measured.
inline constexpr uint64_t kCostSkip = 7 * kMillion, kCostRun = 5 * kMillion;

/// Runs what is not kept. Throws std::runtime_error when a run does not get to its end.
reproduce::hps::Costed costed(KeptResults& kept, const ReproductionProgram& program);

}  // namespace strobe::hps
