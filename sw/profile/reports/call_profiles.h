// Call-pair and method profiles (HPS paper, section 4.3): their events, and the tuples that they
// count.
#pragma once

#include <cstdint>
#include <optional>

#include "sc_models/port/retire.h"
#include "sw/profile/counts/exhaustive_profile.h"
#include "sw/profile/counts/profile.h"
#include "sw/profile/reports/program_names.h"

namespace strobe::profile {

/// Tags of the tuples, so that both profiles fit in one table.
inline constexpr uint8_t kCallPairTag = 1, kMethodTag = 2;

/// {pc of the call, its target}.
inline Tuple call_pair(uint64_t call_pc, uint64_t callee) {
  return {call_pc, callee, kCallPairTag};
}
/// {target, 0}. The target is the callee of a call, or the head of the loop of a backward branch.
inline Tuple method_entry(uint64_t target) { return {target, 0, kMethodTag}; }

/// Whether the record is a call as the RISC-V jump-type table defines it: a jump that links to x1
/// or x5.
inline bool is_call(const RetireRecord& record) {
  return record.opclass == OpClass::kCall || record.opclass == OpClass::kCallIndirect;
}

/// The taken target of a conditional branch whose target is at or before it; nothing for any other
/// instruction. The branch counts whether it is taken or not, because the decoder that samples
/// cannot tell.
std::optional<uint64_t> backward_target(const RetireRecord& record);

/// The exhaustive profiles of a retire stream. They count user-mode instructions that did not trap.
class CallProfiler {
 public:
  void record(const RetireRecord& record) {
    if (record.trap != 0 || record.mode != PrivilegeMode::kUser) return;
    if (is_call(record)) {
      pairs_.add(call_pair(record.pc_rdata, record.pc_wdata));
      methods_.add(method_entry(record.pc_wdata));
    } else if (record.opclass == OpClass::kBranch) {
      if (const auto target = backward_target(record)) methods_.add(method_entry(*target));
    }
  }

  Profile call_pairs() const { return Profile(pairs_.entries()); }
  Profile methods() const { return Profile(methods_.entries()); }

 private:
  ExhaustiveProfile pairs_, methods_;
};

/// Counts by function: each pc and target becomes the function that it lies in. All calls from one
/// function to another are then one pair, and the loops of a method count as the method.
Profile by_function(const Profile& profile, const FunctionOf& function_of);

}  // namespace strobe::profile
