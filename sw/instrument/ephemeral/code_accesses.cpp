#include "sw/instrument/ephemeral/code_accesses.h"

#include <algorithm>

namespace strobe::instrument {
namespace {

constexpr uint64_t kHook = 4;  // bytes of a hooked branch

/// One past the highest byte of a mask of bytes that were accessed.
uint64_t bytes_of(unsigned mask) {
  uint64_t bytes = 0;
  for (; mask != 0; mask >>= 1) ++bytes;
  return bytes;
}

}  // namespace

CodeAccesses::CodeAccesses(const HookedProgram& program) : map_(program.map) {
  for (const HookedBranch& branch : program.branches) {
    branches_.emplace_back(branch.branch, branch.pc);
  }
  std::sort(branches_.begin(), branches_.end());
}

RetireKinds CodeAccesses::kinds() const {
  constexpr uint16_t kMemory =
      class_bit(OpClass::kLoad) | class_bit(OpClass::kStore) | class_bit(OpClass::kAmo);
  return RetireKinds(kMemory, kMemory);
}

void CodeAccesses::record(const RetireRecord& record) {
  if (record.trap != 0 || record.mode != PrivilegeMode::kUser || branches_.empty()) return;
  const uint64_t end = record.mem_addr + bytes_of(record.mem_rmask | record.mem_wmask);
  if (end <= branches_.front().first || record.mem_addr >= branches_.back().first + kHook) return;
  const auto branch = std::lower_bound(
      branches_.begin(), branches_.end(), record.mem_addr,
      [](const auto& each, uint64_t address) { return each.first + kHook <= address; });
  if (branch == branches_.end() || branch->first >= end) return;
  const auto pc = map_.original_code(record.pc_rdata);
  if (!pc) return;
  const bool writes = record.mem_wmask != 0;
  CodeAccess& access = found_[{*pc, writes}];
  if (access.count == 0) access = {*pc, branch->second, writes, 0};
  ++access.count;
}

std::vector<CodeAccess> CodeAccesses::found() const {
  std::vector<CodeAccess> all;
  for (const auto& [key, access] : found_) all.push_back(access);
  return all;
}

}  // namespace strobe::instrument
