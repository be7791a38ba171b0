// Which blocks were certainly not executed, when every branch was watched until it was seen.
#pragma once

#include <vector>

#include "sc_models/port/control_flow.h"
#include "sw/profile/flow/bias_graph.h"

namespace strobe::profile {

/// By function and block. A branch that was never seen was not executed, so a block is idle
/// - when it has several ways and none was seen;
/// - when its only way leads to an idle block, unless a call stands between, which need not come
///   back;
/// - when it calls a function whose entry is idle.
std::vector<std::vector<bool>> idle_blocks(const ControlFlow& flow, const SeenWays& seen);

}  // namespace strobe::profile
