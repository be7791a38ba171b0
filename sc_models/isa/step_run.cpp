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

// What an instruction of a run did.
enum class Outcome : uint8_t {
  kGoesOn,  // behind it
  kJumps,   // to the record's pc_wdata
  kNothing  // it is not plain, or not now
};

// The context of semantics.h for one instruction of a run. Its record is that of an instruction
// without effect when it begins.
struct RunContext {
  Hart::Impl& hart;
  unsigned read_bit;  // of GuestMemory's permissions; that to write is the next
  RetireRecord* record = nullptr;
  bool jumps = false;

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
  bool may_access(uint64_t address, unsigned need) const {
    return (address & (~(GuestMemory::kSpan - 1) | (kBytes - 1))) == 0 &&
           (hart.permissions[address >> GuestMemory::kPageBits] & need) != 0;
  }
  template <unsigned kBytes>
  bool load(uint64_t address, uint64_t& value) {
    if (!may_access<kBytes>(address, read_bit)) return false;
    value = 0;
    std::memcpy(&value, hart.guest + address, kBytes);
    record->mem_addr = address;
    record->mem_rmask = static_cast<uint8_t>((1u << kBytes) - 1);
    record->mem_rdata = value;
    return true;
  }
  template <unsigned kBytes>
  bool store(uint64_t address, uint64_t value) {
    if (!may_access<kBytes>(address, read_bit << 1)) return false;
    if constexpr (kBytes < 8) value &= (uint64_t{1} << (8 * kBytes)) - 1;
    std::memcpy(hart.guest + address, &value, kBytes);
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
  void jump(uint64_t target) {
    record->pc_wdata = target;
    jumps = true;
  }
};

// Operations on bits alone, and those that tell by themselves.
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

template <Op kOp>
STROBE_INLINE Outcome execute_plain(RunContext& c, const DecodedInsn& i) {
  constexpr Kind kKind = info(kOp).kind;
  if constexpr (kKind == Kind::kJump) {
    c.record->itype = jump_type<kOp>(i);
    execute<kOp>(c, i);
    if (i.rd == 0) c.write_x(0, 0);
    return Outcome::kJumps;
  } else if constexpr (kKind == Kind::kBranch) {
    c.jumps = false;
    execute<kOp>(c, i);
    return c.jumps ? Outcome::kJumps : Outcome::kGoesOn;
  } else {
    return execute<kOp>(c, i) ? Outcome::kGoesOn : Outcome::kNothing;
  }
}

template <Op kOp>
STROBE_INLINE bool execute_fp_op(RunContext& c, const DecodedInsn& i) {
  if constexpr (!raises_on_host(info(kOp).operation)) return execute<kOp>(c, i);
  host_fpu::begin();
  if (!execute<kOp>(c, i)) return false;
  c.hart.state.fcsr |= host_fpu::raised();
  return true;
}

// Not inlined: what some of it calls would cost the loop below its registers.
__attribute__((noinline)) bool execute_fp_any(Hart::Impl& hart, RetireRecord& record,
                                              const DecodedInsn& i) {
  RunContext c{hart, 0, &record};
  switch (i.plain) {
#define STROBE_ISA_FP_CASE(name, mnemonic, match, mask, immediate, operands, kind, ...) \
  case static_cast<unsigned>(Op::k##name):                                              \
    if constexpr (Kind::k##kind == Kind::kFp) return execute_fp_op<Op::k##name>(c, i);  \
    break;
    STROBE_ISA_OPS(STROBE_ISA_FP_CASE)
#undef STROBE_ISA_FP_CASE
    default:
      break;
  }
  __builtin_unreachable();
}

#define STROBE_ISA_EXECUTE(name) return execute_plain<Op::k##name>(c, i);
#define STROBE_ISA_PLAIN_Alu(name) STROBE_ISA_EXECUTE(name)
#define STROBE_ISA_PLAIN_Upper(name) STROBE_ISA_EXECUTE(name)
#define STROBE_ISA_PLAIN_Jump(name) STROBE_ISA_EXECUTE(name)
#define STROBE_ISA_PLAIN_Branch(name) STROBE_ISA_EXECUTE(name)
#define STROBE_ISA_PLAIN_Load(name) STROBE_ISA_EXECUTE(name)
#define STROBE_ISA_PLAIN_Store(name) STROBE_ISA_EXECUTE(name)
#define STROBE_ISA_PLAIN_FpLoad(name) STROBE_ISA_EXECUTE(name)
#define STROBE_ISA_PLAIN_FpStore(name) STROBE_ISA_EXECUTE(name)
#define STROBE_ISA_PLAIN_Fp(name) \
  return execute_fp_any(c.hart, *c.record, i) ? Outcome::kGoesOn : Outcome::kNothing;
#define STROBE_ISA_PLAIN_Atomic(name) __builtin_unreachable();
#define STROBE_ISA_PLAIN_Fence(name) __builtin_unreachable();
#define STROBE_ISA_PLAIN_System(name) __builtin_unreachable();

STROBE_INLINE Outcome execute_any(RunContext& c, const DecodedInsn& i) {
  switch (i.plain) {
#define STROBE_ISA_CASE(name, mnemonic, match, mask, immediate, operands, kind, ...) \
  case static_cast<unsigned>(Op::k##name):                                           \
    STROBE_ISA_PLAIN_##kind(name)
    STROBE_ISA_OPS(STROBE_ISA_CASE)
#undef STROBE_ISA_CASE
    case kPlainNop:
      return Outcome::kGoesOn;
    case kNotPlain:
      return Outcome::kNothing;
    default:
      __builtin_unreachable();
  }
}

}  // namespace

unsigned Hart::step_run(RetireRecord* records, const DecodedInsn** insns, unsigned most) {
  return impl_->step_run(records, insns, most);
}

unsigned Hart::Impl::step_run(RetireRecord* record, const DecodedInsn** insns, unsigned most) {
  if (attention.any() || state.dise.position != 0) return 0;
  uint64_t pc = state.pc;
  const PrivilegeMode mode = state.mode;
  const Hart::Window& window = hart.window_;
  const DecodedInsn* insn = nullptr;
  if (!window.covers(pc, mode, memory.code_epoch()) ||
      (insn = window.slot(pc), insn->length == 0)) {
    insn = hart.look_up(pc);
    if (insn == nullptr) return 0;
  }
  // The permissions of a mode are as far up as its number says.
  RunContext context{*this, unsigned{GuestMemory::kRead} << static_cast<unsigned>(data_mode())};
  RetireStatus status;
  status.mode = mode;
  // No instruction of a run moves the position.
  if (dise != nullptr && mode == PrivilegeMode::kUser) status.in_burst = dise->burst();
  uint64_t status_word;  // the compiler would split a struct into its bytes
  std::memcpy(&status_word, &status, sizeof status_word);
  uint64_t order = next_order;
  const uint64_t end = order + most;
  while (true) {
    const uint64_t behind = pc + insn->length;
    static_cast<RetiredInsn&>(*record) = *insn;
    void* const record_status = static_cast<RetireStatus*>(record);
    std::memcpy(record_status, &status_word, sizeof status_word);
    record->order = order;
    record->pc_rdata = pc;
    record->pc_wdata = behind;
    record->rd_wdata = 0;
    record->mem_addr = 0;
    record->mem_rdata = 0;
    record->mem_wdata = 0;
    record->mispredicted = 0;
    *insns = insn;
    context.record = record;
    const Outcome outcome = execute_any(context, *insn);
    if (outcome == Outcome::kNothing) {
      pc = record->pc_rdata;
      if (__builtin_expect(insn->length != 0, 1)) break;
      insn = hart.look_up(pc);  // not decoded yet
      if (insn == nullptr) break;
      continue;
    }
    ++order;
    if (outcome == Outcome::kJumps) {
      pc = record->pc_wdata;
      break;
    }
    pc = behind;
    if (order == end) break;
    insn = slots_behind(insn, insn->length);
    ++record;
    ++insns;
  }
  const uint64_t count = order - next_order;
  state.pc = pc;
  next_order = order;
  retired[mode == PrivilegeMode::kMachine ? 1 : 0] += count;
  return static_cast<unsigned>(count);
}

}  // namespace strobe::isa
