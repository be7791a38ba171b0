#include "sc_models/core/core_stop.h"

namespace strobe::core {

const char* stop_name(CoreStop stop) {
  switch (stop) {
    case CoreStop::kNone:
      return "running";
    case CoreStop::kHart:
      return "the hart stopped";
    case CoreStop::kUserLimit:
      return "the U-mode instruction limit was reached";
    case CoreStop::kCycleLimit:
      return "the cycle limit was reached";
    case CoreStop::kInstructionLimit:
      return "the instruction limit was reached";
    case CoreStop::kDeadlock:
      return "nothing committed for watchdog_cycles";
    case CoreStop::kCancelled:
      return "the run was canceled";
    case CoreStop::kInterval:
      return "an interval of the statistics has ended";
  }
  return "unknown";
}

}  // namespace strobe::core
