// Timing mode: the SystemC platform. Core, caches, interconnect, DRAM, profiling device.
#pragma once

#include "sc_models/platform/run.h"
#include "sc_models/profiling/path_params.h"

namespace strobe::platform {

/// The RTL parameters of a profiler that is on the path.
profiling::PathParams path_params(const config::RunConfig& configuration,
                                  const config::ProfilerConfig& profiler);

/// One elaboration: once a process.
RunOutcome run_timing(const config::RunConfig& configuration, bool profiled, const RunHooks& hooks);

}  // namespace strobe::platform
