#include "sc_models/machine/config/run_config.h"

#include <algorithm>

#include "sc_models/port/path_facts_generated.h"

namespace strobe::config {

bool conserves(const ProfilerConfig& profiler) {
  return !profiling::estimates(first_level_of(profiler)) && profiler.phase == Phase::kStart;
}

bool has_epochs(const RunConfig& configuration) {
  return configuration.instrument.kind == Instrumentation::kEphemeral &&
         configuration.instrument.epoch != 0 && configuration.mode == Mode::kTiming;
}

bool has_timer(const RunConfig& configuration) {
  return has_epochs(configuration) || configuration.timer.period != 0;
}

bool costs_cycles(const RunConfig& configuration) {
  const bool edited = configuration.decode.given() || configuration.instrument.given();
  if (edited && configuration.mode != Mode::kFunctional) return true;
  if (configuration.shim.given() || configuration.timer.period != 0) return true;
  return std::any_of(configuration.profilers.begin(), configuration.profilers.end(),
                     [](const ProfilerConfig& profiler) { return profiler.active; });
}

bool draws_from_seed(const RunConfig& configuration) {
  const TruthConfig& truth = configuration.truth;
  if (configuration.mode == Mode::kSampled || configuration.exhaustive_bytes != 0) return true;
  if (configuration.decode.given() || configuration.instrument.given()) return true;
  if (configuration.shim.given() || configuration.timer.period != 0) return true;
  if (truth.sample_period != 0 && truth.sample_seed == 0) return true;
  return std::any_of(configuration.profilers.begin(), configuration.profilers.end(),
                     [](const ProfilerConfig& profiler) {
                       return profiler.hash_constants == HashConstants::kDrawn;
                     });
}

}  // namespace strobe::config
