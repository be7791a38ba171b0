// Which functions of a program can return.
#pragma once

#include <vector>

#include "sc_models/port/control_flow.h"

namespace strobe::profile {

/// Whether each function has a path from its entry to a return, on which every call comes back. A
/// callee that is not known returns. A tail call returns as its callee does.
std::vector<bool> returning(const ControlFlow& flow);

/// Whether each block of a function ends in a call that does not come back.
std::vector<bool> stopped_by_calls(const FlowFunction& function, const std::vector<bool>& returns);

}  // namespace strobe::profile
