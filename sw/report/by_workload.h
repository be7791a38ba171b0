// The results of a sweep that has more workloads than designs: what each design does on each.
#pragma once

#include <string>

#include "sw/report/figure.h"
#include "sw/report/sweep_data.h"

namespace strobe::report {

/// Whether the sweep is about its workloads: it has more of them than designs.
bool about_workloads(const SweepData& data);

/// A part of the sweep's page: for each objective a table with a row for each workload and a column
/// for each design, then how the other designs differ from the first one. A difference is taken on
/// each workload, between means over the seeds, and its interval is that of the mean of these
/// differences over the workloads (half_width_of_repetitions()).
std::string by_workload(const SweepData& data);

/// The first objective by workload: a curve of marks for each design.
Figure workload_figure(const SweepData& data);

}  // namespace strobe::report
