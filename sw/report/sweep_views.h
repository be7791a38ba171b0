// A sweep's report as text, CSV, a drawn front and a page of docs/explorations.
#pragma once

#include <string>
#include <vector>

#include "sw/report/figure.h"
#include "sw/report/sweep_data.h"

namespace strobe::report {

/// What was asked, what was run, the front.
std::string sweep_text(const SweepData& data);

/// A line a design: design,label,points,feasible,front, then a column an axis and an objective.
std::string sweep_csv(const SweepData& data);

/// The designs in the plane of two objectives, those of the front marked. Of a sweep with one
/// objective both are it.
Figure front_figure(const SweepData& data, size_t x_objective, size_t y_objective);

/// The first objective over each of the others.
std::vector<Figure> front_figures(const SweepData& data);

/// A page: the comment at the head of the sweep file as the question, the front as the answer.
/// Its figures are those of front_figures(), beside it. When the sweep ran in a build with
/// uncommitted changes, the page's head says so.
std::string sweep_markdown(const SweepData& data);

}  // namespace strobe::report
