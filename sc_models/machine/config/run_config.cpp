#include "sc_models/machine/config/run_config.h"

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

}  // namespace strobe::config
