// The profiling path as RTL: the Verilated strobe_profiler of a parameter point.
#pragma once

#include <memory>

#include "sc_models/port/path_interface.h"

namespace strobe::profiling {

/// Makes the RTL path of a parameter point, after reset.
///
/// The point's shared object comes from, in this order: the folder in $STROBE_RTL_DIR, the build
/// tree's rtl/ folder, the cache ($STROBE_CACHE or ~/.cache/strobe, by content); else it is
/// Verilated into the cache, by one process while others wait for it. Throws std::invalid_argument
/// when a parameter is out of range, std::runtime_error when the point has to be Verilated and that
/// fails (a tool is missing, no place to write).
///
/// With `waves` it is another object, Verilated with tracing and slower; its outputs are the same.
/// The file is whole when the path is gone.
std::unique_ptr<ProfilerPath> make_verilated_path(const PathParams& params,
                                                  const WaveRequest& waves = {});

}  // namespace strobe::profiling
