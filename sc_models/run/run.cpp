#include "sc_models/run/run.h"

#include <fmt/format.h>

#include "sc_models/machine/program_clock.h"
#include "sc_models/run/functional.h"
#include "sc_models/run/timing.h"

namespace strobe::platform {

std::string describe_limit(const char* key, uint64_t limit, const std::string& where) {
  return fmt::format(
      "the program was still running at {} when it reached {} = {}: raise the limit if it needs "
      "more, "
      "or look there for an endless loop",
      where, key, limit);
}

RunOutcome run(const config::RunConfig& configuration, bool profiled, const RunHooks& hooks) {
  if (configuration.mode == config::Mode::kFunctional) return run_functional(configuration, hooks);
  return run_timing(configuration, profiled, hooks);
}

}  // namespace strobe::platform
