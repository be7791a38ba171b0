// Functional mode: the hart alone, as fast as it goes; profilers only watch.
#pragma once

#include "sc_models/platform/run.h"

namespace strobe::platform {

RunOutcome run_functional(const config::RunConfig& configuration, const RunHooks& hooks);

}  // namespace strobe::platform
