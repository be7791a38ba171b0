// Timing mode: the SystemC platform. Core, caches, interconnect, DRAM, profiling device.
#pragma once

#include "sc_models/run/run.h"

namespace strobe::platform {

/// One elaboration: once a process.
RunOutcome run_timing(const config::RunConfig& configuration, bool profiled, const RunHooks& hooks);

}  // namespace strobe::platform
