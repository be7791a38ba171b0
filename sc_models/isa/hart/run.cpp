// Plain functional execution, and the making of blocks for every use of the block interpreter.
#include <algorithm>

#include "sc_models/isa/hart/run_blocks.h"
#include "sc_models/port/region_marker.h"

namespace strobe::isa {
namespace {

struct Unobserved {
  void block(uint64_t, uint32_t) const {}
  void load(uint64_t) const {}
  void store(uint64_t) const {}
  template <Op kOp>
  void executed(const BlockInsn&) const {}
  void branch(const BlockInsn&, bool) const {}
  void jump(const BlockInsn&, bool, uint64_t) const {}
  void record(const RetireRecord&) const {}
};

BlockInsn predecode(const DecodedInsn& d, uint64_t pc) {
  BlockInsn b;
  b.rd = d.rd;
  b.rs1 = d.rs1;
  b.rs2 = d.rs2;
  b.rs3 = d.rs3;
  b.length = d.length;
  b.rounding = static_cast<uint8_t>(d.insn >> 12 & 7);
  b.imm = d.imm;
  b.pc = static_cast<uint32_t>(pc);
  const OpInfo& row = kOps[d.op];
  const bool discards = row.operands[0] == 'x' && d.rd == 0;
  const bool nothing = row.kind == Kind::kFence ||
                       (discards && (row.kind == Kind::kAlu || row.kind == Kind::kUpper));
  const bool leave = row.kind == Kind::kIllegal || row.kind == Kind::kSystem ||
                     (d.flags & kEdited) != 0 || (discards && !nothing && row.kind != Kind::kJump);
  b.op = leave     ? static_cast<uint16_t>(kBlockLeave)
         : nothing ? static_cast<uint16_t>(kBlockNop)
                   : d.op;
  return b;
}

}  // namespace

// A block ends after a branch or jump, at an instruction left to step(), and at the end of its
// page, because the next page may lose its execute permission independently.
Block* block_at(Hart::Impl& hart, uint64_t pc) {
  if ((pc & 1) != 0 || !hart.executable(pc)) return nullptr;
  const bool machine = hart.state.mode == PrivilegeMode::kMachine;
  Block* const known = hart.blocks.find(pc, machine);
  if (known != nullptr && hart.blocks.is_current(*known)) return known;
  if (hart.blocks.full() || !hart.decoded.has_room_for(pc)) return nullptr;
  BlockInsn insns[BlockCache::kMaxInsns + 1];
  uint32_t count = 0;
  unsigned stored = 0;
  uint64_t at = pc;
  const uint64_t page = pc >> GuestMemory::kPageBits;
  bool ended = false;
  while (!ended && count < BlockCache::kMaxInsns && at >> GuestMemory::kPageBits == page) {
    const DecodedInsn& decoded = hart.decoded.at(at);
    BlockInsn insn = predecode(decoded, at);
    const bool crosses = (at + decoded.length - 1) >> GuestMemory::kPageBits != page;
    const bool watched = hart.stop_point.is_at(at) || is_marker(decoded.insn);
    if (watched || (crosses && !hart.executable(at + 2))) insn.op = kBlockLeave;
    insns[stored++] = insn;
    ended = insn.op == kBlockLeave || (decoded.flags & kControl) != 0;
    if (insn.op == kBlockLeave) break;
    ++count;
    at += decoded.length;
  }
  if (!ended) {
    insns[stored] = BlockInsn{};
    insns[stored].op = kBlockEnd;
    insns[stored++].pc = static_cast<uint32_t>(at);
  }
  if (known != nullptr && hart.blocks.renew(*known, insns, stored)) return known;
  return hart.blocks.insert(pc, machine, insns, stored, count, static_cast<uint32_t>(at - pc));
}

StopReason Hart::run(uint64_t max_instructions) {
  Unobserved unobserved;
  if (impl_->stores == nullptr) return impl_->run(max_instructions, unobserved);
  std::unique_ptr<StoreBuffer> stores = std::move(impl_->stores);
  stores->write_all();
  const StopReason reason = impl_->run(max_instructions, unobserved);
  impl_->memory.break_reservations(0, GuestMemory::kSpan, nullptr);
  impl_->stores = std::move(stores);
  return reason;
}

}  // namespace strobe::isa
