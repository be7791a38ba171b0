// The profiling path as RTL: the Verilated strobe_profiler of a parameter point.
#pragma once

#include <memory>

#include "sc_models/port/path_interface.h"

namespace strobe::profiling {

/// Makes the RTL path of a parameter point in its reset state.
///
/// The shared object is searched in the folder $STROBE_RTL_DIR, the build tree's rtl/ folder and
/// the cache ($STROBE_CACHE or ~/.cache/strobe, by content), in this order. If it is in none of
/// them it is Verilated into the cache, by one process while others wait. Throws
/// std::invalid_argument for a parameter out of range, std::runtime_error when Verilating the point
/// fails (a tool is missing, no place to write).
///
/// With `waves` the object is another one, Verilated with tracing and slower; its outputs are the
/// same. The file is complete when the path is destroyed.
std::unique_ptr<ProfilerPath> make_verilated_path(const PathParams& params,
                                                  const WaveRequest& waves = {});

}  // namespace strobe::profiling
