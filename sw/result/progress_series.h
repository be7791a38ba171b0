// progress.csv: how the accuracy of each passive profiler came about. docs/results.md
#pragma once

#include <string>

#include "sc_models/machine/config/run_config.h"
#include "sc_models/machine/outcome/outcome.h"

namespace strobe::result {

/// One line a profiler and point under a header, profilers in configuration order; empty when the
/// run was not asked for a series.
std::string progress_text(const config::RunConfig& configuration,
                          const platform::RunOutcome& outcome);

}  // namespace strobe::result
