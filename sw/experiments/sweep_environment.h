// What a sweep has to know of the program and of results before anything ran.
#pragma once

#include <string>
#include <vector>

#include "sw/explore/launch/executor.h"
#include "sw/explore/space/space.h"

namespace strobe {

/// The identity covers bin/strobe, the firmware, the RTL when a point may simulate it, and this
/// program when points are synthesized.
explore::Environment sweep_environment(const explore::Space& space);

/// Says of each objective and constraint which key of it no run produces.
void check_result_keys(const explore::Space& space, text::Diagnostics* diagnostics);

/// What the database is told of the sweep.
explore::StoreHeader sweep_header(const explore::Space& space);

}  // namespace strobe
