// The stratified samplers H[X_r]_n as observers compute them. docs/blocks/stratified_sampler.md
#pragma once

#include <memory>

#include "sc_models/profiling/observers/first_level.h"

namespace strobe::profiling {

std::unique_ptr<FirstLevel> make_stratified_level(const PathParams& params,
                                                  const CompressorRates& rates, const Seeds& seeds);

}  // namespace strobe::profiling
