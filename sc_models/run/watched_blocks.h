// Functional execution that is watched: in blocks (sc_models/isa/hart/run_blocks.h) where these
// show all that the watchers ask for, else instruction by instruction.
#pragma once

#include <cstdint>

#include "sc_models/core/warming.h"
#include "sc_models/isa/hart/hart.h"
#include "sc_models/watch/watchers.h"

namespace strobe::platform {

/// Executes up to `instructions`, as isa::Hart::run, and shows them to `watchers`.
isa::StopReason run_watched(isa::Hart& hart, uint64_t instructions, Watchers& watchers);
/// The same, and warms caches and predictors.
isa::StopReason run_watched(isa::Hart& hart, uint64_t instructions, Watchers& watchers,
                            core::Warmer& warmer);

}  // namespace strobe::platform
