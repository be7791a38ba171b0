#include "sw/profile/reports/call_profiles.h"

namespace strobe::profile {

std::optional<uint64_t> backward_target(const RetireRecord& record) {
  if (record.opclass != OpClass::kBranch) return std::nullopt;
  const uint32_t insn = record.insn;
  const uint32_t magnitude = (insn >> 31) << 12 | (insn >> 7 & 1) << 11 | (insn >> 25 & 0x3f) << 5 |
                             (insn >> 8 & 0xf) << 1;
  const int64_t offset = static_cast<int64_t>(magnitude) - (insn >> 31 != 0 ? 1 << 13 : 0);
  if (offset > 0) return std::nullopt;
  return record.pc_rdata + static_cast<uint64_t>(offset);
}

Profile by_function(const Profile& profile, const FunctionOf& function_of) {
  Entries entries;
  for (const auto& [tuple, count] : profile.entries()) {
    const uint64_t value = tuple.tag == kCallPairTag ? function_of(tuple.value) : tuple.value;
    entries.push_back({Tuple{function_of(tuple.pc), value, tuple.tag}, count});
  }
  return Profile(std::move(entries));
}

}  // namespace strobe::profile
