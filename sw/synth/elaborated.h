// What elaboration says of a point, which takes seconds and is kept for each state of the RTL.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "sw/synth/design.h"

namespace strobe::synth {

/// The modules of the point's own hierarchy.
std::set<std::string> source_modules(const Point& point);

/// The point with all its parameters, so that it is one result, whichever of them were named.
Point whole_point(const Point& point);

/// Each distinct module below the point with its parameters, then itself.
std::vector<Point> elaborated_blocks(const Point& point);

}  // namespace strobe::synth
