#include "sc_models/platform/active_profiler.h"

#include <algorithm>

namespace strobe::platform {

const config::ProfilerConfig* active_profiler(const config::RunConfig& configuration) {
  for (const config::ProfilerConfig& profiler : configuration.profilers) {
    if (profiler.active) return &profiler;
  }
  return nullptr;
}

profiling::PathParams path_params(const config::RunConfig& configuration,
                                  const config::ProfilerConfig& profiler) {
  profiling::PathParams params;
  params.lanes = configuration.core.commit_width;
  params.selectors = std::max(2u, static_cast<unsigned>(profiler.selectors.size()));
  params.queue_depth = profiler.queue_depth;
  params.strata = profiler.strata;
  params.counter_width = profiler.counter_width;
  params.buffer_depth = profiler.buffer_depth;
  return params;
}

}  // namespace strobe::platform
