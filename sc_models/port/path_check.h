// Whether the parameters of a path are in range.
#pragma once

#include "sc_models/port/path_params.h"

namespace strobe::profiling {

/// Throws std::invalid_argument for the first parameter that is out of range, with the parameter,
/// what was expected and what was got. A parameter that the path's compressor does not have must
/// keep its default, so that one circuit has one point.
void check_path(const PathParams& params);

}  // namespace strobe::profiling
