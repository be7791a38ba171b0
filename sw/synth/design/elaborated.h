// What elaboration says of a point. Elaboration takes seconds, so its results are kept for each
// state of the RTL.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "sw/synth/design/design.h"

namespace strobe::synth {

/// The modules of the point's own hierarchy.
std::set<std::string> source_modules(const Point& point);

/// The point with all its parameters, so that it has one result no matter which of them were named.
Point whole_point(const Point& point);

/// Each distinct module below the point with its parameters, and the point itself last.
std::vector<Point> elaborated_blocks(const Point& point);

}  // namespace strobe::synth
