// Functional mode: the hart alone, as fast as it goes; profilers only watch.
#pragma once

#include "sc_models/isa/hart/hart.h"
#include "sc_models/run/run.h"

namespace strobe::platform {

RunOutcome run_functional(const config::RunConfig& configuration, const RunHooks& hooks);

/// Where a region of interest begins, and the instruction after its last, as the occurrence of an
/// address: of the begin counted from the program's start, of the end from the begin. They are the
/// same places in a program that executes other instructions besides.
struct RegionPoints {
  isa::StopPoint begin, end;
};
/// @param outcome  of run_functional() with this configuration
RegionPoints region_points(const config::RunConfig& configuration, const RunHooks& hooks,
                           const RunOutcome& outcome);

}  // namespace strobe::platform
