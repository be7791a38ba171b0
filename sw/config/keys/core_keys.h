// The keys of the core model: `core` of a run file.
#pragma once

#include "sc_models/core/params.h"
#include "sw/config/keys/visitor.h"

namespace strobe::config {

void declare_core(Visitor& visitor, core::CoreParams& params);

}  // namespace strobe::config
