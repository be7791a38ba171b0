// A profiler of a run file as the point of RTL parameters that is synthesized.
#pragma once

#include "sc_models/machine/config/run_config.h"
#include "sw/synth/synthesis.h"

namespace strobe {

/// The profiling path of a profiler as `strobe synth --block` takes it.
synth::Point profiler_point(const config::RunConfig& configuration,
                            const config::ProfilerConfig& profiler);

}  // namespace strobe
