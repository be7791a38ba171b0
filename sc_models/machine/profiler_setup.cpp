#include "sc_models/machine/profiler_setup.h"

#include <algorithm>
#include <string>

namespace strobe::platform {
namespace {

using config::ProfilerConfig;
using config::ProfilerKind;
using profiling::CompressorKind;

void set_first_level(const ProfilerConfig& profiler, profiling::PathParams& params) {
  CompressorKind kind = CompressorKind::kStratified;
  switch (profiler.kind) {
    case ProfilerKind::kStratified:
      params.strata = profiler.strata;
      params.hash = static_cast<unsigned>(profiler.hash);
      params.banks = profiler.banks;
      break;
    case ProfilerKind::kTagged:
      kind = CompressorKind::kTagged;
      params.strata = profiler.strata;
      params.hash = static_cast<unsigned>(profiler.hash);
      params.ways = profiler.ways;
      params.tag_bits = profiler.tag_bits;
      params.miss_width = profiler.miss_width;
      break;
    case ProfilerKind::kAssociative:
      kind = CompressorKind::kAssociative;
      params.strata = profiler.entries;
      break;
    case ProfilerKind::kRandom:
    case ProfilerKind::kPeriodic:
      params.strata = 1;
      break;
  }
  params.compressor = static_cast<unsigned>(kind);
  params.sampler = static_cast<unsigned>(sampler_of(profiler));
  params.counter_width = counter_width_of(profiler);
}

}  // namespace

profiling::PathParams path_params(const config::RunConfig& configuration,
                                  const ProfilerConfig& profiler) {
  profiling::PathParams params;
  params.lanes = configuration.core.commit_width;
  params.selectors = std::max(2u, static_cast<unsigned>(profiler.selectors.size()));
  params.queue_depth = profiler.queue_depth;
  params.buffer_depth = profiler.buffer_depth;
  params.ring = profiler.communication.kind == config::Communication::kRing ? 1 : 0;
  set_first_level(profiler, params);
  if (profiler.second_level.entries != 0) {
    params.second_entries = profiler.second_level.entries;
    params.second_width = profiler.second_level.counter_width;
  }
  return params;
}

profiling::CompressorRates compressor_rates(const ProfilerConfig& profiler) {
  // An associative table counts to the end of its counters; it has no other rate.
  const uint64_t period = profiler.kind == ProfilerKind::kAssociative
                              ? uint64_t{1} << profiler.counter_width
                              : profiler.rate;
  profiling::CompressorRates rates;
  rates.sampling.period = static_cast<uint32_t>(period);
  rates.sampling.threshold = profiling::sampling_threshold(rates.sampling.period);
  rates.should_evict =
      profiler.should_evict != 0 ? profiler.should_evict : 1u << (profiler.counter_width - 1);
  rates.should_replace =
      profiler.should_replace != 0 ? profiler.should_replace : 1u << profiler.miss_width;
  return rates;
}

uint64_t compressor_seed(const config::RunConfig& configuration, const ProfilerConfig& profiler) {
  return profiler.seed != 0 ? profiler.seed
                            : config::derived_seed(configuration.seed, profiler.name);
}

}  // namespace strobe::platform
