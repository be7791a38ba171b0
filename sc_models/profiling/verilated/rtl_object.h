// Where the shared object of a parameter point is; builds it when it is nowhere.
#pragma once

#include <string>

#include "sc_models/profiling/path_interface.h"

namespace strobe::profiling {

/// The point as it appears in file names, e.g. "l4_s2_q64_n2048_c8_b256".
std::string point_key(const PathParams& params);

/// Throws std::invalid_argument that names the parameter, its range and its value.
void check_point(const PathParams& params);

/// Path of the point's shared object, which exists on return.
/// Throws std::runtime_error when it has to be built and that fails.
std::string find_or_build_point(const PathParams& params);

}  // namespace strobe::profiling
