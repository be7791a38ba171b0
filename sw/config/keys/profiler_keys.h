// The keys of a profiler: what it selects, how it compresses, how its messages reach software.
#pragma once

#include "sc_models/machine/config/run_config.h"
#include "sw/config/keys/visitor.h"

namespace strobe::config {

/// An entry of `profilers` of a run file. `core` has the values of the keys of the core that runs
/// the service thread, where they are not given.
void declare_profiler(Visitor& visitor, ProfilerConfig& profiler, const core::CoreParams& core);

}  // namespace strobe::config
