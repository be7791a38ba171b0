#include "sw/experiments/profiler_point.h"

#include "sc_models/machine/profiler/profiler_setup.h"

namespace strobe {

synth::Point profiler_point(const config::RunConfig& configuration,
                            const config::ProfilerConfig& profiler) {
  synth::Point point{"strobe_profiler", {}};
  const profiling::PathParams params = platform::path_params(configuration, profiler);
  for (const profiling::PathParameter& parameter : profiling::kPathParameters)
    point.parameters[parameter.rtl] = params.*parameter.field;
  return point;
}

}  // namespace strobe
