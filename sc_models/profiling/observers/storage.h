// What a compressor keeps in hardware.
#pragma once

#include <cstdint>

#include "sc_models/port/path_params.h"

namespace strobe::profiling {

/// Bits of state of both levels: counters with their tags or tuples, and random numbers; the
/// formulas are under "Storage" on the blocks' pages. Pipeline registers do not count.
uint64_t storage_bits(const PathParams& params);

}  // namespace strobe::profiling
