// The storage that a compressor needs in hardware.
#pragma once

#include <cstdint>

#include "sc_models/port/path_params.h"

namespace strobe::profiling {

/// The bits of state of both levels: counters with their tags or tuples, and random numbers. The
/// formulas are under "Storage" on the blocks' pages. Pipeline registers do not count.
uint64_t storage_bits(const PathParams& params);

}  // namespace strobe::profiling
