#include "sc_models/machine/profiler/profiler_setup.h"

#include <algorithm>
#include <string>

#include "sc_models/port/path_facts_generated.h"

namespace strobe::platform {

using config::ProfilerConfig;

profiling::PathParams path_params(const config::RunConfig& configuration,
                                  const ProfilerConfig& profiler) {
  profiling::PathParams params = first_level_of(profiler);
  params.lanes = configuration.core.commit_width;
  params.selectors = std::max(2u, static_cast<unsigned>(profiler.selectors.size()));
  params.queue_depth = profiler.queue_depth;
  params.buffer_depth = profiler.buffer_depth;
  params.ring = profiler.communication.kind == config::Communication::kRing ? 1 : 0;
  if (profiler.second_level.entries != 0) {
    params.second_entries = profiler.second_level.entries;
    params.second_width = profiler.second_level.counter_width;
  }
  return params;
}

profiling::CompressorRates compressor_rates(const ProfilerConfig& profiler) {
  const profiling::PathParams params = first_level_of(profiler);
  profiling::CompressorRates rates;
  // Without a rate, entries count to the end of their counters.
  rates.sampling.period = profiling::has_rate(params) ? static_cast<uint32_t>(profiler.rate)
                                                      : profiling::longest_period(params);
  rates.sampling.threshold = profiling::sampling_threshold(rates.sampling.period);
  rates.settings = settings_of(profiler);
  return rates;
}

uint64_t compressor_seed(const config::RunConfig& configuration, const ProfilerConfig& profiler) {
  return profiler.seed != 0 ? profiler.seed
                            : config::derived_seed(configuration.seed, profiler.name);
}

}  // namespace strobe::platform
