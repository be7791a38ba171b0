// The active profiler of a configuration.
#pragma once

#include <vector>

#include "sc_models/machine/config/run_config.h"
#include "sc_models/machine/outcome/outcome.h"
#include "sc_models/profiling/device/profiler_device.h"
#include "sw/guest/include/strobe/abi.h"

namespace strobe::platform {

/// nullptr when there is none.
const config::ProfilerConfig* active_profiler(const config::RunConfig& configuration);

/// Whether a run of the configuration simulates RTL: of its active profiler, which mode functional
/// does without, or of its decode engine.
bool simulates_rtl(const config::RunConfig& configuration);

/// Fills in the outcome of the active profiler at the end of a run: what its device counted, what
/// the firmware reported in the boot block, and the profile the handler made.
void collect(const profiling::ProfilerDevice& device, const strobe_boot_block_t& boot,
             TupleCounts profile, std::vector<ProfilerOutcome>& outcomes);

}  // namespace strobe::platform
