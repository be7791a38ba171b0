// What points that differ only in their seed say together.
#pragma once

#include "sw/report/sweep_data.h"

namespace strobe::report {

/// Counts `workloads` and `seeds` and, of several seeds, fills in `over_seeds` and the half-widths
/// of the designs. A seed's value of a design is the mean over the workloads; the interval is that
/// of these values, and there is one where every workload has a result with every seed.
void compare_seeds(SweepData* data);

}  // namespace strobe::report
