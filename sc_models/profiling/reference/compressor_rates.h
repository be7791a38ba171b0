// When a compressor's tuples become messages: what software sets of it. docs/blocks/compressor.md
#pragma once

#include "sc_models/profiling/reference/sampling_rule.h"
#include "sc_models/profiling/reference/settings_generated.h"

namespace strobe::profiling {

struct CompressorRates {
  SamplingRate sampling;        ///< PERIOD and THRESHOLD
  CompressorSettings settings;  ///< the registers of single compressors
};

}  // namespace strobe::profiling
