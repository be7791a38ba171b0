// The runs that figures 6 to 8 of "Bursty Tracing" are made of.
#pragma once

#include "sw/reproduce/bursty/bursty.h"
#include "sw/reproduce/hps/hps_runs.h"
#include "sw/reproduce/kept_results.h"
#include "sw/reproduce/reproduction_programs.h"

namespace strobe::bursty {

/// The same for every figure, so that accuracy and overhead come from the same instructions.
inline constexpr hps::Extent kExtent = {"small", 8 * kMillion};

/// Each runs what is not kept. Throw std::runtime_error when a run fails.
reproduce::bursty::Basic basic_of(KeptResults& kept, const ReproductionProgram& program);
reproduce::bursty::Settings settings_of(KeptResults& kept, const ReproductionProgram& program);
reproduce::bursty::Variants variants_of(KeptResults& kept, const ReproductionProgram& program);

}  // namespace strobe::bursty
