#include "sw/measure/run_exit_code.h"

#include <stdexcept>

#include "sw/process/exit_code.h"

namespace strobe {

int exit_code(const platform::RunOutcome& outcome) {
  switch (outcome.end) {
    case platform::RunEnd::kExited:
    case platform::RunEnd::kRegionDone:
      return kExitOk;
    case platform::RunEnd::kLimit:
      return kExitTimeout;
    case platform::RunEnd::kFailed:
    case platform::RunEnd::kDeadlock:
      return kExitSimulation;
  }
  throw std::invalid_argument("a RunEnd without an exit code");
}

}  // namespace strobe
