// One run: wires a platform from a checked configuration, runs it to its end, returns what came
// out. One SystemC elaboration a process, so one call a process.
#pragma once

#include "sc_models/machine/config/run_config.h"
#include "sc_models/machine/outcome/outcome.h"
#include "sc_models/machine/outcome/run_hooks.h"

namespace strobe::platform {

/// Runs the configuration. `profiled` false: the same run with no active profiler (the baseline).
/// Throws std::runtime_error (ElfError among them) before anything ran; what goes wrong later is in
/// RunOutcome.
RunOutcome run(const config::RunConfig& configuration, bool profiled, const RunHooks& hooks);

}  // namespace strobe::platform
