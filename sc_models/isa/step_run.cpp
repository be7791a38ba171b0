// Stepping through straight code: what step() does, for several plain instructions at once.
//
// It knows only the common case of each instruction. Whatever else happens makes it end before that
// instruction has changed anything, and the caller gives it to step().
#include <cstring>

#include "sc_models/isa/hart_impl.h"
#include "sc_models/isa/host_fpu.h"
#include "sc_models/isa/jump_type.h"
#include "sc_models/isa/op.h"
#include "sc_models/isa/semantics.h"

namespace strobe::isa {
namespace {

constexpr RetireRecord kBlankRecord{};
constexpr uint8_t kNotPlain = kSerializing | kOrdering | kEdited;

// The context of semantics.h for one instruction of a run.
struct RunContext {
  HartState& state;
  uint8_t* memory;
  const uint8_t* permissions;
  uint8_t read_bit, write_bit;
  RetireRecord* record = nullptr;
  uint64_t next = 0;

  uint64_t x(unsigned r) const { return state.x[r]; }
  uint64_t f(unsigned r) const { return state.f[r]; }
  void write_x(unsigned r, uint64_t value) {
    if (r == 0) return;
    state.x[r] = value;
    record->rd_addr = static_cast<uint8_t>(r);
    record->rd_wdata = value;
  }
  void write_f(unsigned r, uint64_t value) {
    state.f[r] = value;
    record->frd_valid = 1;
    record->rd_wdata = value;
  }

  // Inside the window, naturally aligned (so on one page), and granted.
  template <unsigned kBytes>
  bool may_access(uint64_t address, uint8_t need) const {
    return (address & (~(GuestMemory::kSpan - 1) | (kBytes - 1))) == 0 &&
           (permissions[address >> GuestMemory::kPageBits] & need) != 0;
  }
  template <unsigned kBytes>
  bool load(uint64_t address, uint64_t& value) {
    if (!may_access<kBytes>(address, read_bit)) return false;
    value = 0;
    std::memcpy(&value, memory + address, kBytes);
    record->mem_addr = address;
    record->mem_rmask = static_cast<uint8_t>((1u << kBytes) - 1);
    record->mem_rdata = value;
    return true;
  }
  template <unsigned kBytes>
  bool store(uint64_t address, uint64_t value) {
    if (!may_access<kBytes>(address, write_bit)) return false;
    if constexpr (kBytes < 8) value &= (uint64_t{1} << (8 * kBytes)) - 1;
    std::memcpy(memory + address, &value, kBytes);
    record->mem_addr = address;
    record->mem_wmask = static_cast<uint8_t>((1u << kBytes) - 1);
    record->mem_wdata = value;
    return true;
  }

  // Once FS is dirty there is nothing to update.
  bool fp_write_ready() const { return (state.mstatus & kMstatusFs) == kMstatusFs; }
  bool fp_read_ready() const { return fp_write_ready(); }
  bool rounding(const DecodedInsn& i, Rounding& rounding) const {
    unsigned mode = i.insn >> 12 & 7;
    if (mode == kDynamicRounding) mode = state.fcsr >> 5 & 7;
    rounding = static_cast<Rounding>(mode);
    return mode <= 4;
  }
  void raise(uint32_t flags) { state.fcsr |= flags; }

  uint64_t pc(const DecodedInsn&) const { return record->pc_rdata; }
  void branch(const DecodedInsn& i, bool taken) {
    if (taken) next = record->pc_rdata + static_cast<uint64_t>(static_cast<int64_t>(i.imm));
    record->itype = taken ? IType::kBranchTaken : IType::kBranchNotTaken;
  }
  void jump(uint64_t target) { next = target; }
};

template <Op kOp>
STROBE_INLINE bool execute_plain(RunContext& c, const DecodedInsn& i) {
  constexpr Kind kKind = info(kOp).kind;
  if constexpr (kKind == Kind::kSystem || kKind == Kind::kAtomic || kKind == Kind::kFence) {
    return false;
  } else if constexpr (kKind == Kind::kFp) {
    host_fpu::begin();
    const bool done = execute<kOp>(c, i);
    if (done) c.state.fcsr |= host_fpu::raised();
    return done;
  } else {
    if constexpr (kKind == Kind::kJump) c.record->itype = jump_type<kOp>(i);
    return execute<kOp>(c, i);
  }
}

STROBE_INLINE bool execute_any(RunContext& c, const DecodedInsn& i) {
  switch (static_cast<Op>(i.op)) {
#define STROBE_ISA_CASE(name, ...) \
  case Op::k##name:                \
    return execute_plain<Op::k##name>(c, i);
    STROBE_ISA_OPS(STROBE_ISA_CASE)
#undef STROBE_ISA_CASE
    default:
      return false;
  }
}

}  // namespace

unsigned Hart::step_run(RetireRecord* records, const DecodedInsn** insns, unsigned most) {
  return impl_->step_run(records, insns, most);
}

unsigned Hart::Impl::step_run(RetireRecord* records, const DecodedInsn** insns, unsigned most) {
  const bool watched = stop_point.pc != StopPoint().pc || stop_marker != 0;
  if (halt_requested || interrupt_entered || watched || stores != nullptr || hart.in_sequence()) {
    return 0;
  }
  uint64_t pc = state.pc;
  const DecodedInsn* insn = hart.peek(pc);
  if (insn == nullptr) return 0;
  const unsigned shift = data_mode() == PrivilegeMode::kMachine ? 3 : 0;
  RunContext context{state, memory.data(), memory.permissions(),
                     static_cast<uint8_t>(GuestMemory::kRead << shift),
                     static_cast<uint8_t>(GuestMemory::kWrite << shift)};
  const PrivilegeMode mode = state.mode;
  // No instruction of a run moves the position.
  const bool in_burst = dise != nullptr && mode == PrivilegeMode::kUser && dise->burst();
  uint64_t left_in_page = GuestMemory::kPageSize - (pc & (GuestMemory::kPageSize - 1));
  unsigned count = 0;
  while ((insn->flags & kNotPlain) == 0) {
    const unsigned length = insn->length;
    RetireRecord& record = records[count];
    record = kBlankRecord;
    record.pc_rdata = pc;
    record.insn = insn->insn;
    record.length = insn->length;
    record.mode = mode;
    record.opclass = insn->opclass;
    record.in_burst = in_burst ? 1 : 0;
    context.record = &record;
    context.next = pc + length;
    if (!execute_any(context, *insn)) break;
    record.pc_wdata = context.next;
    record.order = next_order + count;
    insns[count++] = insn;
    const bool straight = context.next == pc + length;
    pc = context.next;
    if (count == most || !straight || length >= left_in_page) break;
    left_in_page -= length;
    insn += length / 2;                           // a slot a halfword
    if (insn->length == 0) insn = hart.peek(pc);  // not decoded yet
    if (insn == nullptr || insn->length > left_in_page) break;
  }
  state.pc = pc;
  next_order += count;
  retired[mode == PrivilegeMode::kMachine ? 1 : 0] += count;
  return count;
}

}  // namespace strobe::isa
