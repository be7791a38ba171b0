// What a programmable counter of a hart can count: the event field of mhpmevent (RISC-V privileged
// specification, section 3.1.10). docs/blocks/counters.md
#pragma once

#include <cstdint>

namespace strobe {

enum class HpmEvent : uint32_t {
  kNone = 0,
  kCycles = 1,
  kInstructions = 2,          // retired, in both modes
  kBranchMispredictions = 3,  // with jumps, calls and returns
  kL1iMisses = 4,             // in the hart's own caches
  kL1dMisses = 5,
  kL2Misses = 6,  // L2 and DRAM count for all harts, which share them
  kDramRequests = 7,
  // Cycles by class of the CPI stack (core/cpi/cpi.h): kFirstCpiEvent + class.
  kFirstCpiEvent = 16,
};

/// Numbers from here on, and those between the named ones, are no events.
inline constexpr uint32_t kHpmEventEnd = 16 + 14;

/// What a configuration calls the events: those from kCycles to kDramRequests, then those of the
/// CPI classes.
inline constexpr const char* kHpmEventNames[] = {"cycles",
                                                 "instructions",
                                                 "branch_mispredictions",
                                                 "l1i_misses",
                                                 "l1d_misses",
                                                 "l2_misses",
                                                 "dram_requests",
                                                 "cpi_base",
                                                 "cpi_dependency",
                                                 "cpi_fu",
                                                 "cpi_l1",
                                                 "cpi_l2",
                                                 "cpi_dram",
                                                 "cpi_branch",
                                                 "cpi_ifetch",
                                                 "cpi_interrupt_entry",
                                                 "cpi_handler",
                                                 "cpi_code_change",
                                                 "cpi_syscall",
                                                 "cpi_serializing",
                                                 "cpi_expansion"};

/// The event of a name's place among them.
constexpr HpmEvent hpm_event(uint32_t name) {
  constexpr auto kNamed = static_cast<uint32_t>(HpmEvent::kDramRequests);
  constexpr auto kCpi = static_cast<uint32_t>(HpmEvent::kFirstCpiEvent);
  return static_cast<HpmEvent>(name < kNamed ? name + 1 : name - kNamed + kCpi);
}

/// Added to an event: it is counted for all harts of the core.
inline constexpr uint64_t kAllHarts = 0x100;

constexpr bool is_hpm_event(uint64_t number) {
  number &= ~kAllHarts;
  return number <= static_cast<uint64_t>(HpmEvent::kDramRequests) ||
         (number >= static_cast<uint64_t>(HpmEvent::kFirstCpiEvent) && number < kHpmEventEnd);
}

}  // namespace strobe
