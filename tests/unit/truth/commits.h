// A hart that commits what a test says, when the test says it.
#pragma once

#include <cstdint>
#include <vector>

#include "sc_models/core/back_end/reorder_buffer.h"
#include "sc_models/isa/decode/decoded.h"

namespace strobe::test {

inline constexpr uint32_t kNop = 0x13, kFenceI = 0x100f, kBranch = 0x63;

/// An instruction of the program, 4 bytes long, which goes on to the next one.
inline RetireRecord insn(uint64_t pc, uint32_t bits = kNop) {
  RetireRecord record;
  static_cast<RetiredInsn&>(record) = isa::decode(bits);
  record.mode = PrivilegeMode::kUser;
  record.pc_rdata = pc;
  record.pc_wdata = pc + 4;
  return record;
}

struct Dispatched {
  RetireRecord record;
  uint64_t cycle;  // in which it is renamed
};

class Commits {
 public:
  core::ReorderBuffer rob{64};

  /// Instructions are dispatched, and not yet committed.
  void dispatch(const std::vector<Dispatched>& instructions) {
    for (const Dispatched& one : instructions) {
      const uint64_t number = rob.place();
      rob.record(number) = one.record;
      rob.renamed(number) = one.cycle;
    }
  }
  /// The oldest `count` of them commit.
  void commit(unsigned count) { rob.commit(rob.head() + count); }
};

}  // namespace strobe::test
