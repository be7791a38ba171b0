// The runs that figures 6 to 8 of "Bursty Tracing" are made of.
#pragma once

#include "sw/reproduce/bursty.h"
#include "sw/strobe/hps_runs.h"
#include "sw/strobe/kept_results.h"
#include "sw/strobe/reproduction_programs.h"

namespace strobe::bursty {

/// Of every figure, so that accuracy and overhead come from the same instructions.
inline constexpr hps::Extent kExtent = {"small", 8 * kMillion};

/// Each runs what is not kept. Throw std::runtime_error when a run fails.
reproduce::bursty::Basic basic_of(KeptResults& kept, const ReproductionProgram& program);
reproduce::bursty::Settings settings_of(KeptResults& kept, const ReproductionProgram& program);
reproduce::bursty::Variants variants_of(KeptResults& kept, const ReproductionProgram& program);

}  // namespace strobe::bursty
