// From the configuration of a profiler to its hardware: parameters, and what its registers hold.
// Whether it is active or only watches, it is the same compressor.
#pragma once

#include <cstdint>

#include "sc_models/machine/config/run_config.h"
#include "sc_models/port/path_params.h"
#include "sc_models/profiling/reference/sampler/compressor.h"

namespace strobe::platform {

/// The RTL parameters of the path with this profiler's compressor.
profiling::PathParams path_params(const config::RunConfig& configuration,
                                  const config::ProfilerConfig& profiler);

/// Registers PERIOD, THRESHOLD and EVICTION.
profiling::CompressorRates compressor_rates(const config::ProfilerConfig& profiler);

/// Register SEED: the profiler's own, else one derived from the run's seed and its name.
uint64_t compressor_seed(const config::RunConfig& configuration,
                         const config::ProfilerConfig& profiler);

}  // namespace strobe::platform
