// The configuration keys: the one place where they are declared.
#pragma once

#include "sc_models/machine/config/run_config.h"
#include "sw/config/keys/visitor.h"

namespace strobe::config {

/// Declares every key of a run file to `visitor`, with `configuration` as the values: a reader
/// changes them, the other visitors show them. Paths of a default-constructed RunConfig are the
/// defaults.
void declare(Visitor& visitor, RunConfig& configuration);

}  // namespace strobe::config
