// The CPI stack: what each cycle went to. docs/blocks/core.md has the rule.
#pragma once

#include <cstdint>

namespace strobe::core {

/// Every cycle has exactly one, so that their counts add up to the cycles.
enum class CpiClass : uint8_t {
  kBase,            // commit at full width
  kDependency,      // the oldest instruction waits for an operand, or does its one cycle of work
  kUnit,            // it waits for a functional unit or is inside one for more than a cycle
  kL1,              // its data comes from the first-level data cache,
  kL2,              // from the second level,
  kDram,            // from further away, or it was turned away for want of a miss register
  kBranch,          // a misprediction: resolution and refill
  kFetch,           // the front end: instruction cache, misfetch, fetch bandwidth
  kInterruptEntry,  // a pending interrupt drains the pipeline; trap entry
  kHandler,         // machine mode, until the program's next instruction commits
  kCodeChange,      // FENCE.I, and the handler of the timer, which changes the program's code
  kSyscall,         // a proxied system call: drain, execution, refill
  kSerial,          // the same of other serializing instructions and device accesses
  kExpansion,       // replacement sequences of the decode engine, and the way to and from handlers
};
inline constexpr unsigned kCpiClassCount = 14;

}  // namespace strobe::core
