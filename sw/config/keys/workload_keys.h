// The keys of the program that is run, and of what part of it is measured.
#pragma once

#include "sc_models/machine/config/run_config.h"
#include "sw/config/keys/visitor.h"

namespace strobe::config {

/// `workload` of a run file.
void declare_workload(Visitor& visitor, WorkloadConfig& workload);

/// `sampling` of a run file.
void declare_sampling(Visitor& visitor, SamplingConfig& sampling);

}  // namespace strobe::config
