#include "sc_models/run/run.h"

#include "sc_models/run/functional.h"
#include "sc_models/run/timing.h"

namespace strobe::platform {

RunOutcome run(const config::RunConfig& configuration, bool profiled, const RunHooks& hooks) {
  if (configuration.mode == config::Mode::kFunctional) return run_functional(configuration, hooks);
  return run_timing(configuration, profiled, hooks);
}

}  // namespace strobe::platform
