// Decides which observers make the same messages.
#pragma once

#include <cstdint>
#include <vector>

#include "sc_models/port/path_params.h"
#include "sc_models/profiling/observers/seeds.h"
#include "sc_models/profiling/reference/sampler/compressor_rates.h"

namespace strobe::profiling {

/// Everything that determines the messages of an observer with these parameters. Two observers with
/// equal keys make the same messages from any stream, so one can stand for both. The key leaves out
/// the cost of the hardware: a periodic sampler's counters may be wider than its period needs.
std::vector<uint64_t> message_key(const PathParams& params, const CompressorRates& rates,
                                  const Seeds& seeds);

/// Adds what the first level contributes, from the descriptions of configs/blocks.
void add_message_key(const PathParams& params, const CompressorRates& rates, const Seeds& seeds,
                     std::vector<uint64_t>* key);

}  // namespace strobe::profiling
