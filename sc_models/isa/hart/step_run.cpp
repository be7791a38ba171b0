// Stepping through straight-line code: does what step() does for several plain instructions at
// once.
//
// It implements only the common case of each instruction. In every other case it ends before that
// instruction has changed anything, and the caller gives the instruction to step().
#include <algorithm>
#include <array>
#include <cstring>

#include "sc_models/isa/arithmetic/host_fpu.h"
#include "sc_models/isa/arithmetic/semantics.h"
#include "sc_models/isa/decode/jump_type.h"
#include "sc_models/isa/decode/op.h"
#include "sc_models/isa/hart/hart_impl.h"

namespace strobe::isa {
namespace {

// Whether the hart shares its memory. Each has its own functions, so that a hart alone does not
// ask.
enum class Sharing : uint8_t { kAlone, kShared };

// The context of semantics.h for one instruction of a run. At its start, the record describes an
// instruction without effect.
template <Sharing kSharing>
struct RunContext {
  Hart::Impl& hart;
  RetireRecord* record;
  bool jumps = false;
  uint64_t target = 0;

  uint64_t x(unsigned r) const { return hart.state.x[r]; }
  uint64_t f(unsigned r) const { return hart.state.f[r]; }
  void write_x(unsigned r, uint64_t value) {
    hart.state.x[r] = value;
    record->rd_wdata = value;
  }
  void write_f(unsigned r, uint64_t value) {
    hart.state.f[r] = value;
    record->rd_wdata = value;
  }

  // Inside the window, naturally aligned (so on one page), and granted.
  template <unsigned kBytes>
  bool may_access(uint64_t address, const uint8_t& need) const {
    const uint64_t outside = address & (~(GuestMemory::kSpan - 1) | (kBytes - 1));
    if (__builtin_expect(outside != 0, 0)) return false;
    const uint8_t granted = hart.permissions[address >> GuestMemory::kPageBits];
    return __builtin_expect((granted & need) != 0, 1);
  }
  template <unsigned kBytes>
  bool load(uint64_t address, uint64_t& value) {
    if (!may_access<kBytes>(address, hart.run_of.read_bit)) return false;
    value = 0;
    std::memcpy(&value, hart.guest + address, kBytes);
    if constexpr (kSharing == Sharing::kShared) hart.stores->forward(address, kBytes, value);
    record->mem_addr = address;
    record->mem_rmask = static_cast<uint8_t>((1u << kBytes) - 1);
    record->mem_rdata = value;
    return true;
  }
  template <unsigned kBytes>
  bool store(uint64_t address, uint64_t value) {
    if (!may_access<kBytes>(address, hart.run_of.write_bit)) return false;
    if constexpr (kBytes < 8) value &= (uint64_t{1} << (8 * kBytes)) - 1;
    if constexpr (kSharing == Sharing::kShared) {
      hart.stores->push(address, kBytes, value);
    } else {
      std::memcpy(hart.guest + address, &value, kBytes);
    }
    record->mem_addr = address;
    record->mem_wmask = static_cast<uint8_t>((1u << kBytes) - 1);
    record->mem_wdata = value;
    return true;
  }

  // Once FS is dirty there is nothing to update.
  bool fp_write_ready() const { return (hart.state.mstatus & kMstatusFs) == kMstatusFs; }
  bool fp_read_ready() const { return fp_write_ready(); }
  bool rounding(const DecodedInsn& i, Rounding& rounding) const {
    unsigned mode = i.insn >> 12 & 7;
    if (mode == kDynamicRounding) mode = hart.state.fcsr >> 5 & 7;
    rounding = static_cast<Rounding>(mode);
    return mode <= 4;
  }
  void raise(uint32_t flags) { hart.state.fcsr |= flags; }

  uint64_t pc(const DecodedInsn&) const { return record->pc_rdata; }
  void branch(const DecodedInsn& i, bool taken) {
    record->itype = taken ? IType::kBranchTaken : IType::kBranchNotTaken;
    if (taken) jump(record->pc_rdata + static_cast<uint64_t>(static_cast<int64_t>(i.imm)));
  }
  void jump(uint64_t to) {
    record->pc_wdata = target = to;
    jumps = true;
  }
};

// Whether the operation raises flags on the host's FPU. False for operations on bits alone and for
// those that report flags themselves.
constexpr bool raises_on_host(Operation operation) {
  switch (operation) {
    case Operation::kSign:
    case Operation::kSignNegate:
    case Operation::kSignXor:
    case Operation::kFpMin:
    case Operation::kFpMax:
    case Operation::kFpEqual:
    case Operation::kFpLess:
    case Operation::kFpLessEqual:
    case Operation::kClass:
    case Operation::kMoveToX:
    case Operation::kMoveFromX:
      return false;
    default:
      return true;
  }
}

// A function that executes an instruction of a run and then the rest of the run. Each ends in a
// tail call of the next one. The arguments stay in registers, and no register has to be saved.
using Case = unsigned (*)(Hart::Impl& hart, RetireRecord* record, const DecodedInsn** insns,
                          const DecodedInsn* insn, uint64_t pc, uint64_t order);

template <Op kOp, Sharing kSharing>
STROBE_INLINE bool execute_one(RunContext<kSharing>& c, const DecodedInsn& i) {
  constexpr OpInfo kInfo = info(kOp);
  if constexpr (kOp == Op::kIllegal) {  // kPlainNop
    return true;
  } else if constexpr (kInfo.kind == Kind::kFp && raises_on_host(kInfo.operation)) {
    host_fpu::begin();
    if (!execute<kOp>(c, i)) return false;
    c.hart.state.fcsr |= host_fpu::raised();
    return true;
  } else if constexpr (kInfo.kind == Kind::kJump) {
    c.record->itype = jump_type<kOp>(i);
    execute<kOp>(c, i);
    if (i.rd == 0) c.write_x(0, 0);
    return true;
  } else {
    return execute<kOp>(c, i);
  }
}

template <Op kOp, Sharing kSharing>
unsigned execute_plain(Hart::Impl& hart, RetireRecord* record, const DecodedInsn** insns,
                       const DecodedInsn* insn, uint64_t pc, uint64_t order);

// Ends the run before the instruction at `pc`.
__attribute__((noinline)) unsigned end_run(Hart::Impl& hart, RetireRecord* record,
                                           const DecodedInsn** insns, const DecodedInsn* insn,
                                           uint64_t pc, uint64_t order);

// Ends the run before the instruction of the record, which has not been executed. The pc is read
// from the record, so that callers need no register for it.
__attribute__((noinline)) unsigned end_before(Hart::Impl& hart, RetireRecord* record,
                                              const DecodedInsn** insns, const DecodedInsn* insn,
                                              uint64_t, uint64_t order) {
  return end_run(hart, record, insns, insn, record->pc_rdata, order);
}

template <Op kOp, Sharing kSharing>
constexpr Case case_of() {
  constexpr Kind kKind = info(kOp).kind;
  if constexpr (kKind == Kind::kSystem || kKind == Kind::kAtomic || kKind == Kind::kFence) {
    return end_run;
  } else {
    return execute_plain<kOp, kSharing>;
  }
}

// The cases, indexed by DecodedInsn::plain.
template <Sharing kSharing>
constexpr std::array<Case, kPlainNop + 1> kCases = [] {
  std::array<Case, kPlainNop + 1> cases{};
  cases[kNotPlain] = end_run;
  cases[kPlainNop] = execute_plain<Op::kIllegal, kSharing>;
#define STROBE_ISA_CASE(name, ...) \
  cases[static_cast<unsigned>(Op::k##name)] = case_of<Op::k##name, kSharing>();
  STROBE_ISA_OPS(STROBE_ISA_CASE)
#undef STROBE_ISA_CASE
  return cases;
}();

template <Op kOp, Sharing kSharing>
unsigned execute_plain(Hart::Impl& hart, RetireRecord* record, const DecodedInsn** insns,
                       const DecodedInsn* insn, uint64_t pc, uint64_t order) {
  const uint64_t after = pc + insn->length;
  static_cast<RetiredInsn&>(*record) = *insn;
  void* const status = static_cast<RetireStatus*>(record);
  std::memcpy(status, &hart.run_of.status, sizeof hart.run_of.status);
  record->order = order;
  record->pc_rdata = pc;
  record->pc_wdata = after;
  record->rd_wdata = 0;
  record->mem_addr = 0;
  record->mem_rdata = 0;
  record->mem_wdata = 0;
  record->mispredicted = 0;
  record->thread = hart.state.thread;
  *insns = insn;
  RunContext<kSharing> context{hart, record};
  if (!execute_one<kOp>(context, *insn)) {
    return end_before(hart, record, insns, insn, after, order);
  }
  ++order;
  if (context.jumps) return end_run(hart, record, insns, insn, context.target, order);
  if (order == hart.run_of.end) return end_run(hart, record, insns, insn, after, order);
  const DecodedInsn* const next = slots_after(insn, insn->length);
  return kCases<kSharing>[next->plain](hart, record + 1, insns + 1, next, after, order);
}

// Begins a run, or continues it.
unsigned go_on(Hart::Impl& hart, RetireRecord* record, const DecodedInsn** insns,
               const DecodedInsn* insn, uint64_t pc, uint64_t order) {
  const Case next = __builtin_expect(hart.stores == nullptr, 1)
                        ? kCases<Sharing::kAlone>[insn->plain]
                        : kCases<Sharing::kShared>[insn->plain];
  return next(hart, record, insns, insn, pc, order);
}

// Continues the run at `pc`, whose slot is not decoded yet.
__attribute__((noinline)) unsigned decode_and_go_on(Hart::Impl& hart, RetireRecord* record,
                                                    const DecodedInsn** insns, uint64_t pc,
                                                    uint64_t order) {
  static constexpr DecodedInsn kNone{};
  const DecodedInsn* insn = hart.hart.peek(pc);
  if (insn == nullptr) insn = &kNone;
  return go_on(hart, record, insns, insn, pc, order);
}

unsigned end_run(Hart::Impl& hart, RetireRecord* record, const DecodedInsn** insns,
                 const DecodedInsn* insn, uint64_t pc, uint64_t order) {
  if (__builtin_expect(insn->length == 0, 0)) {
    return decode_and_go_on(hart, record, insns, pc, order);
  }
  const uint64_t count = order - hart.next_order;
  hart.state.pc = pc;
  hart.next_order = order;
  hart.retired[hart.state.mode == PrivilegeMode::kMachine ? 1 : 0] += count;
  return static_cast<unsigned>(count);
}

}  // namespace

unsigned Hart::step_run(RetireRecord* records, const DecodedInsn** insns, unsigned most) {
  return impl_->step_run(records, insns, most);
}

unsigned Hart::Impl::step_run(RetireRecord* records, const DecodedInsn** insns, unsigned most) {
  if (attention.any() || state.dise.position != 0) return 0;
  if (__builtin_expect(retired[0] + most > hart.preempt_at_, 0)) {
    return run_to_preemption(records, insns, most);
  }
  return run_at_once(records, insns, most);
}

// The hart is preempted within the next `most` instructions of U-mode.
unsigned Hart::Impl::run_to_preemption(RetireRecord* records, const DecodedInsn** insns,
                                       unsigned most) {
  if (state.mode == PrivilegeMode::kUser) {
    if (retired[0] >= hart.preempt_at_) return 0;
    most = static_cast<unsigned>(std::min<uint64_t>(most, hart.preempt_at_ - retired[0]));
  }
  return run_at_once(records, insns, most);
}

STROBE_INLINE unsigned Hart::Impl::run_at_once(RetireRecord* records, const DecodedInsn** insns,
                                               unsigned most) {
  const Hart::Window& window = hart.window_;
  if (__builtin_expect(!window.covers(state.pc, state.mode, memory.code_epoch()), 0)) {
    return look_up_and_run(records, insns, most);
  }
  if (__builtin_expect(run_of.mode != state.mode || run_of.mstatus != state.mstatus, 0)) {
    return prepare_and_run(records, insns, most);
  }
  return run_from(window.slot(state.pc), records, insns, most);
}

unsigned Hart::Impl::run_from(const DecodedInsn* insn, RetireRecord* records,
                              const DecodedInsn** insns, unsigned most) {
  run_of.end = next_order + most;
  return go_on(*this, records, insns, insn, state.pc, next_order);
}

unsigned Hart::Impl::look_up_and_run(RetireRecord* records, const DecodedInsn** insns,
                                     unsigned most) {
  return hart.look_up(state.pc) == nullptr ? 0 : prepare_and_run(records, insns, most);
}

// A hart with a decode engine prepares every run anew, because a burst may have begun or ended.
unsigned Hart::Impl::prepare_and_run(RetireRecord* records, const DecodedInsn** insns,
                                     unsigned most) {
  RetireStatus status;
  status.mode = state.mode;
  // No instruction of a run changes the position in a burst, so one value holds for the run.
  status.in_burst = dise != nullptr && state.mode == PrivilegeMode::kUser && dise->burst();
  std::memcpy(&run_of.status, &status, sizeof status);
  const unsigned shift = data_mode() == PrivilegeMode::kMachine ? 3 : 0;
  run_of.read_bit = static_cast<uint8_t>(GuestMemory::kRead << shift);
  run_of.write_bit = static_cast<uint8_t>(GuestMemory::kWrite << shift);
  run_of.mode = state.mode;
  run_of.mstatus = dise != nullptr ? ~state.mstatus : state.mstatus;
  return run_from(hart.window_.slot(state.pc), records, insns, most);
}

}  // namespace strobe::isa
