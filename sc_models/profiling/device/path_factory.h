// The choice of a path: the one place that knows which class a fidelity is.
#pragma once

#include <memory>

#include "sc_models/port/path_interface.h"

namespace strobe::profiling {

/// Makes a path. Throws std::invalid_argument when the parameters are out of range or `waves` are
/// requested from a path without RTL. Throws std::runtime_error when an RTL point must be Verilated
/// and that fails, or when the waveforms cannot be written.
std::unique_ptr<ProfilerPath> make_path(Fidelity fidelity, const PathParams& params,
                                        const WaveRequest& waves = {});

}  // namespace strobe::profiling
