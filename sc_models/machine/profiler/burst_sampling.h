// How often and how long the bursts of a production set are: the keys sparsity, burst, phase and
// jitter of decode as values of the registers and counters of its sampling framework.
#pragma once

#include "sc_models/machine/config/run_config.h"
#include "sw/dise/assemble.h"

namespace strobe::platform {

/// Sets the registers of the framework in `set` (docs/dise-language.md names them) and, in a random
/// phase, the distance to the first burst, drawn from the run's seed; so is the state of the
/// jitter. A key whose register the set has not, and more events than its counter can count, are
/// faults of `set`.
void set_burst_sampling(const config::RunConfig& configuration, dise::Assembled& set);

}  // namespace strobe::platform
