// The tagged sampler T as observers compute it. docs/blocks/tagged_sampler.md
#pragma once

#include <memory>

#include "sc_models/profiling/observers/first_level.h"

namespace strobe::profiling {

std::unique_ptr<FirstLevel> make_tagged_level(const PathParams& params,
                                              const CompressorRates& rates, const Seeds& seeds);

}  // namespace strobe::profiling
