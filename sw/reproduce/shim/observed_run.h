// One run of the machine of a figure of SHIM, with or without its observer.
#pragma once

#include <string>
#include <vector>

#include "sc_models/machine/config/run_config.h"
#include "sc_models/machine/outcome/outcome.h"
#include "sw/reproduce/reproduction_programs.h"

namespace strobe::shim {

/// @param methods   the program has the running method as a software signal
/// @param observed  false: the baseline
/// Confines this process to what the reproductions read. Throws std::runtime_error when the run
/// does not come to its end.
platform::RunOutcome observed_run(const config::RunConfig& configuration, bool methods,
                                  bool observed);

/// Hash of what decides the results of such a run; the observer's program is part of it.
std::string observed_inputs(const ReproductionProgram& program,
                            const std::vector<std::string>& sets);

}  // namespace strobe::shim
