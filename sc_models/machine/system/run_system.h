// The cores that a run needs: the program's, and beside it that of a service thread or an observer.
#pragma once

#include "sc_models/machine/config/run_config.h"
#include "sc_models/machine/system/system.h"

namespace strobe::platform {

/// Whether `active`, which may be nullptr, passes its messages through a ring.
bool has_ring(const config::ProfilerConfig* active);

/// The run's core; beside it the service core of a ring, or the observer's.
/// @param profiled  false: the baseline. An observer on the program's own core is not there then: a
///                  hart that halts leaves its half of the core to the other.
SystemParams system_params(const config::RunConfig& configuration,
                           const config::ProfilerConfig* active, bool profiled);

/// The harts of these cores. The second ones of a core are off unless something starts them.
unsigned harts(const config::RunConfig& configuration, const config::ProfilerConfig* active,
               bool profiled);

}  // namespace strobe::platform
