// Which observers are one and the same to whoever reads their messages.
#pragma once

#include <cstdint>
#include <vector>

#include "sc_models/port/path_params.h"
#include "sc_models/profiling/reference/compressor.h"

namespace strobe::profiling {

/// All that decides the messages of an observer of these parameters: two with the same make the
/// same messages of any stream, so one can stand for both. What the hardware costs is not in it:
/// a periodic sampler's counters may be wider than its period needs.
std::vector<uint64_t> behaviour(const PathParams& params, const CompressorRates& rates,
                                uint64_t seed);

}  // namespace strobe::profiling
