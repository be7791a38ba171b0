#include "sc_models/machine/run_config.h"

namespace strobe::config {

using profiling::SamplerKind;

SamplerKind sampler_of(const ProfilerConfig& profiler) {
  if (profiler.kind == ProfilerKind::kStratified) return profiler.sampler;
  return profiler.kind == ProfilerKind::kRandom ? SamplerKind::kRandom : SamplerKind::kPeriodic;
}

unsigned counter_width_of(const ProfilerConfig& profiler) {
  if (profiler.kind != ProfilerKind::kRandom && profiler.kind != ProfilerKind::kPeriodic) {
    return profiler.counter_width;
  }
  unsigned bits = 1;
  while (uint64_t{1} << bits < profiler.rate) ++bits;
  return bits;
}

bool conserves(const ProfilerConfig& profiler) {
  const SamplerKind sampler = sampler_of(profiler);
  return sampler != SamplerKind::kRandom && sampler != SamplerKind::kCountdown;
}

}  // namespace strobe::config
