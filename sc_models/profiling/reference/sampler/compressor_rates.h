// What software sets of a compressor: when tuples become messages. docs/blocks/compressor.md
#pragma once

#include "sc_models/profiling/reference/message/settings_generated.h"
#include "sc_models/profiling/reference/sampler/sampling_rule.h"

namespace strobe::profiling {

struct CompressorRates {
  SamplingRate sampling;        ///< PERIOD and THRESHOLD
  CompressorSettings settings;  ///< the registers of one kind of compressor each
};

}  // namespace strobe::profiling
