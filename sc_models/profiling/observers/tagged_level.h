// The tagged sampler T as observers compute it. docs/blocks/tagged_sampler.md
#pragma once

#include <memory>

#include "sc_models/profiling/observers/first_level.h"

namespace strobe::profiling {

/// @param seed  start of the random numbers, if it draws any
std::unique_ptr<FirstLevel> make_tagged_level(const PathParams& params,
                                              const CompressorRates& rates, uint64_t seed);

}  // namespace strobe::profiling
