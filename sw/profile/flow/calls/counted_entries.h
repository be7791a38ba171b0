// How often functions are entered, from branches of which every execution was seen.
#pragma once

#include <cstdint>
#include <vector>

#include "sc_models/port/control_flow.h"
#include "sw/profile/flow/bias_graph.h"
#include "sw/profile/flow/edge_profile.h"

namespace strobe::profile {

/// By function: the executions of its complete branches over their frequency for one entry. This is
/// a count of the run, which does not depend on the function's callers. Negative for a function
/// without such a branch that was executed.
/// @param complete   the pcs, rising, of branches and indirect jumps whose every execution is in
///                   `seen`
/// @param functions  frequencies for one entry, as ControlFlow::functions
std::vector<double> counted_entries(const ControlFlow& flow, const SeenWays& seen,
                                    const std::vector<uint64_t>& complete,
                                    const std::vector<EdgeProfile>& functions);

}  // namespace strobe::profile
