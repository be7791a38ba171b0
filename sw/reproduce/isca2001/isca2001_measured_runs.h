// Runs that tell the measured overhead: each program without a profiler, and with H[P_256]_2048.
#pragma once

#include <cstdint>

#include "sw/reproduce/isca2001/isca2001_measured.h"
#include "sw/reproduce/kept_results.h"
#include "sw/reproduce/million.h"
#include "sw/reproduce/reproduction_programs.h"

namespace strobe::isca2001 {

/// Instructions of each run, after those that are not measured. The recorded streams skip as many.
inline constexpr uint64_t kDeliverySkip = 7 * kMillion, kDeliveryRun = 12 * kMillion;

/// Runs what is not kept. Throws std::runtime_error when a run does not get to its end.
reproduce::isca2001::Delivered delivered(KeptResults& kept, const ReproductionProgram& program);

}  // namespace strobe::isca2001
