// Combines points that differ only in their seed.
#pragma once

#include "sw/report/sweep_data.h"

namespace strobe::report {

/// Counts `workloads` and `seeds`. With several seeds it also fills in `over_seeds` and the
/// half-widths of the designs. A design's value for a seed is the mean over the workloads, and the
/// interval is that of these values. A design has an interval when every workload has a result with
/// every seed.
void compare_seeds(SweepData* data);

}  // namespace strobe::report
