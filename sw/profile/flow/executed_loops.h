// The loops of a program as it was executed, for a profile by loop of programs whose objects are
// not there.
#pragma once

#include <cstdint>
#include <vector>

#include "sw/profile/reports/program_names.h"

namespace strobe::profile {

struct ExecutedInsn {
  uint64_t pc = 0;
  /// Its length in bytes when control has gone on to the instruction after it, after a call by way
  /// of the callee; else 0.
  uint8_t falls = 0;
};

/// A jump, or a branch that was taken; no call and no return.
struct ExecutedJump {
  uint64_t from = 0, to = 0;
  friend bool operator<(const ExecutedJump& a, const ExecutedJump& b) {
    return a.from != b.from ? a.from < b.from : a.to < b.to;
  }
};

inline constexpr uint64_t kNoLoop = ~uint64_t{0};

/// The innermost loop of each instruction, as the lowest address of its headers (loop_nest.h);
/// kNoLoop outside loops. What was not executed is not there, so a loop that was left before its
/// first back-edge is none. A jump to another function leaves the loop.
/// @param instructions  by rising address
/// @param jumps         by rising `from`; those of and to other instructions do not count
std::vector<uint64_t> innermost_loops(const std::vector<ExecutedInsn>& instructions,
                                      const std::vector<ExecutedJump>& jumps,
                                      const FunctionOf& function_of);

}  // namespace strobe::profile
