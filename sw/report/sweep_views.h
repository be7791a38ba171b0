// A sweep's report as text, CSV, a drawn front and a page of docs/explorations.
#pragma once

#include <string>
#include <vector>

#include "sw/report/figure.h"
#include "sw/report/sweep_data.h"

namespace strobe::report {

/// The question, what was run, and the front.
std::string sweep_text(const SweepData& data);

/// A line for each design: design,label,points,feasible,front, then a column for each axis and
/// objective.
std::string sweep_csv(const SweepData& data);

/// The designs in the plane of two objectives, with those on the front marked. For a sweep with one
/// objective, both are that one.
Figure front_figure(const SweepData& data, size_t x_objective, size_t y_objective);

/// Figures of the first objective over each of the others, and by workload when the sweep is about
/// its workloads.
std::vector<Figure> front_figures(const SweepData& data);

/// A page with the comment at the head of the sweep file as the question and the front as the
/// answer. It shows the figures of front_figures(), which are files in the same folder. When the
/// sweep ran in a build with uncommitted changes, the head of the page says so.
std::string sweep_markdown(const SweepData& data);

}  // namespace strobe::report
