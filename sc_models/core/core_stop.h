// Why a pipeline has stopped.
#pragma once

#include <cstdint>

namespace strobe::core {

enum class CoreStop : uint8_t {
  kNone,       // still running (a pipeline stopped at the end of its quantum)
  kHart,       // Hart::step said kStopped, and everything older has committed
  kUserLimit,  // the U-mode instruction budget is used up
  kCycleLimit,
  kInstructionLimit,  // the budget of both modes together
  kDeadlock,          // no commit for watchdog_cycles
  kCancelled,         // the progress callback said so
  kInterval,          // an interval of the statistics has ended; nothing else happened
};
const char* stop_name(CoreStop stop);

}  // namespace strobe::core
