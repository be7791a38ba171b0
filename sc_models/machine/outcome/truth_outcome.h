// Where the cycles of a run's region went, instruction by instruction, and what samplers of time
// say of the same cycles. docs/truth.md
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sw/profile/flow/executed_loops.h"

namespace strobe::platform {

/// Cycles and samples are counted in this fraction of one: 840 is divided by every number of
/// instructions, up to eight, that commit together (kMaxRetireWidth).
inline constexpr uint64_t kCycleParts = 840;

/// Samplers that estimate where time goes; docs/truth.md defines each.
enum class TimeSampler : uint8_t { kTimer, kDispatch, kNextCommit, kTimeProportional };
inline constexpr size_t kTimeSamplers = 4;
/// Their names in results, in the order of the enumerators.
inline constexpr const char* kTimeSamplerNames[] = {"timer", "dispatch", "next_commit",
                                                    "time_proportional"};

/// What is attributed to an instruction; all in 1/840, of a cycle and of a sample.
struct TimeParts {
  uint64_t cycles = 0;
  std::array<uint64_t, kTimeSamplers> samples = {};  // by TimeSampler
};

struct TruthOutcome {
  /// The program's instructions that have a share of a cycle, in the order of their addresses, with
  /// how control went on after each, and how it jumped.
  std::vector<profile::ExecutedInsn> instructions;
  std::vector<profile::ExecutedJump> jumps;  // by `from`, then by `to`
  std::vector<TimeParts> parts;              // each instruction's
  TimeParts machine;                         // firmware and handlers in machine mode
  TimeParts beyond;                          // instructions on pages that found no room
  uint64_t cycles = 0;                       // the region's; all `cycles` together are 840 times it
  uint64_t period = 0;                       // the samplers', in cycles; 0: there are none
  std::array<uint64_t, kTimeSamplers> storage_bits = {};  // what each needs in the core
};

}  // namespace strobe::platform
