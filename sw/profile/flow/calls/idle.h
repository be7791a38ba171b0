// Which blocks were certainly not executed, because what they end in was watched and never seen.
#pragma once

#include <cstdint>
#include <vector>

#include "sc_models/port/control_flow.h"
#include "sw/profile/flow/bias_graph.h"

namespace strobe::profile {

/// By function and block. A branch, an indirect jump or an indirect call that was watched until it
/// was seen, and never was, was not executed. So a block is idle
/// - when it ends in one of these;
/// - when its only way leads to an idle block, unless a call stands between, which need not come
///   back;
/// - when it calls a function whose entry is idle.
/// @param watched  their pcs, rising
std::vector<std::vector<bool>> idle_blocks(const ControlFlow& flow, const SeenWays& seen,
                                           const std::vector<uint64_t>& watched);

}  // namespace strobe::profile
