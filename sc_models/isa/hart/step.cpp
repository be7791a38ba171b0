// The stepping interpreter: executes one instruction with everything that can happen to it (traps,
// devices, CSRs, misaligned accesses) and makes a full record of what it did.
#include "sc_models/isa/arithmetic/host_fpu.h"
#include "sc_models/isa/arithmetic/semantics.h"
#include "sc_models/isa/decode/jump_type.h"
#include "sc_models/isa/decode/op.h"
#include "sc_models/isa/hart/hart_impl.h"

namespace strobe::isa {
namespace {

// A record is initialized by copying this one as a whole: member-by-member stores would make the
// store forwarding of later loads fail.
constexpr RetireRecord kBlankRecord{};
constexpr DecodedInsn kNotFetched{};

}  // namespace

// The context of semantics.h for one step: effects go to the hart and to the record.
class StepContext {
 public:
  StepContext(Hart::Impl& hart, RetireRecord& record)
      : hart_(hart), state_(hart.state), record_(record), next_(record.pc_rdata + record.length) {}

  uint64_t next_pc() const { return next_; }

  uint64_t x(unsigned r) const { return state_.x[r]; }
  uint64_t f(unsigned r) const { return state_.f[r]; }
  void write_x(unsigned r, uint64_t value) {
    if (r == 0) return;
    state_.x[r] = value;
    record_.rd_addr = static_cast<uint8_t>(r);
    record_.rd_wdata = value;
  }
  void write_f(unsigned r, uint64_t value) {
    state_.f[r] = value;
    record_.frd_valid = 1;
    record_.rd_wdata = value;
  }

  template <unsigned kBytes>
  bool load(uint64_t address, uint64_t& value) {
    if (may_access<kBytes>(address, GuestMemory::kRead)) {
      value = 0;
      std::memcpy(&value, hart_.memory.data() + address, kBytes);
      if (hart_.stores != nullptr) hart_.stores->forward(address, kBytes, value);
    } else if (!is_device(address) || address % kBytes != 0 ||
               !hart_.environment.mmio_read(address, kBytes, value)) {
      return trap(Cause::kLoadFault, fault_address<kBytes>(address, GuestMemory::kRead));
    }
    if constexpr (kBytes < 8) value &= (uint64_t{1} << (8 * kBytes)) - 1;
    record_.mem_addr = address;
    record_.mem_rmask = byte_mask(kBytes);
    record_.mem_rdata = value;
    return true;
  }

  template <unsigned kBytes>
  bool store(uint64_t address, uint64_t value) {
    if constexpr (kBytes < 8) value &= (uint64_t{1} << (8 * kBytes)) - 1;
    if (may_access<kBytes>(address, GuestMemory::kWrite)) {
      if (hart_.stores != nullptr) {
        hart_.stores->push(address, kBytes, value);
      } else {
        std::memcpy(hart_.memory.data() + address, &value, kBytes);
      }
    } else if (!is_device(address) || address % kBytes != 0 ||
               !hart_.environment.mmio_write(address, kBytes, value)) {
      return trap(Cause::kStoreFault, fault_address<kBytes>(address, GuestMemory::kWrite));
    }
    record_.mem_addr = address;
    record_.mem_wmask = byte_mask(kBytes);
    record_.mem_wdata = value;
    return true;
  }

  template <unsigned kBytes>
  uint8_t* atomic(uint64_t address, AtomicAccess access) {
    const bool read_only = access == AtomicAccess::kLoadReserved;
    if (address % kBytes != 0) {
      trap(read_only ? Cause::kLoadMisaligned : Cause::kStoreMisaligned, address);
      return nullptr;
    }
    const uint8_t need = read_only ? GuestMemory::kRead
                         : access == AtomicAccess::kStoreConditional
                             ? GuestMemory::kWrite
                             : GuestMemory::kRead | GuestMemory::kWrite;
    if (!may_access<kBytes>(address, need)) {
      trap(read_only ? Cause::kLoadFault : Cause::kStoreFault, address);
      return nullptr;
    }
    atomic_address_ = address;
    atomic_mask_ = byte_mask(kBytes);
    return hart_.memory.data() + address;
  }
  void note_read(uint64_t value) {
    record_.mem_addr = atomic_address_;
    record_.mem_rmask = atomic_mask_;
    record_.mem_rdata = value;
    if (hart_.stores != nullptr) hart_.stores->push_atomic(atomic_address_);
  }
  void note_write(uint64_t value) {
    record_.mem_addr = atomic_address_;
    record_.mem_wmask = atomic_mask_;
    record_.mem_wdata = value;
    if (hart_.stores == nullptr) return;
    const bool store_conditional = record_.mem_rmask == 0;
    if (store_conditional) hart_.stores->push_atomic(atomic_address_);
    hart_.stores->break_reservations(atomic_address_, 8);
  }
  uint64_t& reservation() { return state_.reservation; }

  bool fp_read_ready() { return (state_.mstatus & kMstatusFs) != 0 || illegal(); }
  bool fp_write_ready() {
    if (!fp_read_ready()) return false;
    state_.mstatus |= kMstatusFs;
    return true;
  }
  bool rounding(const DecodedInsn& i, Rounding& rounding) {
    unsigned mode = i.insn >> 12 & 7;
    if (mode == kDynamicRounding) mode = state_.fcsr >> 5 & 7;
    if (mode > 4) return illegal();
    rounding = static_cast<Rounding>(mode);
    return true;
  }
  void raise(uint32_t flags) { state_.fcsr |= flags; }

  uint64_t pc(const DecodedInsn&) const { return record_.pc_rdata; }
  void branch(const DecodedInsn& i, bool taken) {
    if (taken) next_ = record_.pc_rdata + static_cast<uint64_t>(static_cast<int64_t>(i.imm));
    record_.itype = taken ? IType::kBranchTaken : IType::kBranchNotTaken;
  }
  void jump(uint64_t target) { next_ = target; }

  bool system(Op op, const DecodedInsn& i) {
    switch (info(op).operation) {
      case Operation::kFenceI:
        hart_.distrust_code();
        return true;
      case Operation::kEcall:
        return environment_call();
      case Operation::kEbreak:
        return trap(Cause::kBreakpoint, record_.pc_rdata);
      case Operation::kMret:
        if (state_.mode != PrivilegeMode::kMachine) return illegal();
        hart_.trap_return();
        next_ = state_.mepc;
        record_.itype = IType::kTrapReturn;
        return true;
      case Operation::kDret:
        if (hart_.dise == nullptr || !hart_.dise->may_return()) return illegal();
        next_ = hart_.dise->leave_handler();
        record_.itype = IType::kTrapReturn;
        return true;
      case Operation::kWfi:
        if (state_.mode == PrivilegeMode::kUser && (state_.mstatus & kMstatusTw)) return illegal();
        if ((state_.mip & state_.mie) == 0) hart_.step_end = Hart::Impl::StepEnd::kWaits;
        return true;
      default:
        return csr(info(op).operation, i);
    }
  }

  bool illegal() {
    uint32_t bits = 0;
    std::memcpy(&bits, hart_.memory.data() + record_.pc_rdata, record_.length);
    return trap(Cause::kIllegalInstruction, bits);
  }
  bool trap(Cause cause, uint64_t tval) {
    hart_.cause = cause;
    hart_.tval = tval;
    return false;
  }

 private:
  static constexpr uint8_t byte_mask(unsigned bytes) {
    return static_cast<uint8_t>((1u << bytes) - 1);
  }

  bool is_device(uint64_t address) const {
    return address >= STROBE_DEVICE_BASE && hart_.data_mode() == PrivilegeMode::kMachine;
  }

  bool page_allows(uint64_t address, uint8_t need) const {
    const unsigned shift = hart_.data_mode() == PrivilegeMode::kMachine ? 3 : 0;
    return (hart_.memory.permissions()[address >> GuestMemory::kPageBits] >> shift & need) == need;
  }
  // Checks the pages of the first and of the last byte.
  template <unsigned kBytes>
  bool may_access(uint64_t address, uint8_t need) const {
    if (address > GuestMemory::kSpan - kBytes || !page_allows(address, need)) return false;
    const uint64_t last = address + kBytes - 1;
    return (address ^ last) >> GuestMemory::kPageBits == 0 || page_allows(last, need);
  }
  // The faulting address of an access that may_access() or a device refuses.
  template <unsigned kBytes>
  uint64_t fault_address(uint64_t address, uint8_t need) const {
    const bool first_is_good = address <= GuestMemory::kSpan - kBytes && page_allows(address, need);
    return first_is_good ? (address + kBytes - 1) & ~(GuestMemory::kPageSize - 1) : address;
  }

  bool environment_call() {
    if (state_.mode == PrivilegeMode::kMachine) return trap(Cause::kEcallFromMachine, 0);
    switch (hart_.environment.ecall(hart_.hart)) {
      case EcallResult::kResume:
        next_ = state_.pc + 4;  // the handler may have moved the pc
        return true;
      case EcallResult::kStop:
        hart_.step_end = Hart::Impl::StepEnd::kStopped;
        return false;
      case EcallResult::kTrap:
        break;
    }
    return trap(Cause::kEcallFromUser, 0);
  }

  bool csr(Operation operation, const DecodedInsn& i) {
    const uint32_t number = static_cast<uint32_t>(i.imm);
    const bool immediate = operation >= Operation::kCsrWriteImmediate;
    const bool replaces =
        operation == Operation::kCsrWrite || operation == Operation::kCsrWriteImmediate;
    const bool sets = operation == Operation::kCsrSet || operation == Operation::kCsrSetImmediate;
    // csrrs and csrrc with x0 or an immediate of 0 do not write.
    const bool writes = replaces || i.rs1 != 0;
    const uint64_t source = immediate ? i.rs1 : state_.x[i.rs1];
    uint64_t old = 0;
    if (!hart_.csr_accessible(number, writes) || !hart_.csr_read(number, old)) return illegal();
    const uint64_t value = replaces ? source : sets ? old | source : old & ~source;
    if (writes && !hart_.csr_write(number, value)) return illegal();
    write_x(i.rd, old);
    return true;
  }

  Hart::Impl& hart_;
  HartState& state_;
  RetireRecord& record_;
  uint64_t next_;
  uint64_t atomic_address_ = 0;
  uint8_t atomic_mask_ = 0;
};

namespace {

template <Op kOp>
STROBE_INLINE bool step_one(StepContext& c, const DecodedInsn& i, HartState& state,
                            RetireRecord& record) {
  if constexpr (info(kOp).kind == Kind::kFp) {
    host_fpu::begin();
    const bool done = execute<kOp>(c, i);
    if (done) state.fcsr |= host_fpu::raised();
    return done;
  }
  if constexpr (info(kOp).kind == Kind::kJump) record.itype = jump_type<kOp>(i);
  return execute<kOp>(c, i);
}

STROBE_INLINE bool dispatch(StepContext& c, const DecodedInsn& i, HartState& state,
                            RetireRecord& record) {
  switch (static_cast<Op>(i.op)) {
#define STROBE_ISA_CASE(name, ...) \
  case Op::k##name:                \
    return step_one<Op::k##name>(c, i, state, record);
    STROBE_ISA_OPS(STROBE_ISA_CASE)
#undef STROBE_ISA_CASE
    default:
      return c.illegal();
  }
}

// Executes an instruction that was marked kEdited or belongs to a replacement sequence.
bool step_edited(StepContext& c, const DecodedInsn& i, HartState& state, RetireRecord& record,
                 Dise& dise) {
  if (dise.is_random_branch()) {
    c.branch(i, dise.draw());
    return true;
  }
  if (!dise.is_special()) return dispatch(c, i, state, record);
  c.write_x(i.rd, dise.value());
  return true;
}

}  // namespace

StepStatus Hart::Impl::step(RetireRecord& record, bool drained) {
  record_valid = false;
  if (attention.halt_requested) {
    attention.halt_requested = false;
    stop_reason = StopReason::kHalted;
    return StepStatus::kStopped;
  }
  if (__builtin_expect(hart.preemption_due(), 0)) {
    if (!drained) return StepStatus::kNeedDrain;
    if (!preempt()) return StepStatus::kStopped;
  }
  const uint64_t pc = state.pc;
  const PrivilegeMode mode = state.mode;
  if (stop_point.is_at(pc) && stop_point_passes + 1 == stop_point.occurrence &&
      !hart.in_sequence()) {
    stop_point.pc = stop_point.copy = ~uint64_t{0};
    note_stop_point();
    stop_reason = StopReason::kStopPoint;
    return StepStatus::kStopped;
  }

  uint64_t fetch_fault = pc;
  const DecodedInsn* found = hart.window_.find(pc, mode, memory.code_epoch());
  if (found == nullptr) found = hart.look_up(pc);
  const bool fetched = found != nullptr;
  if (!fetched && (pc & 1) == 0 && executable(pc)) {
    found = &decoded.at(pc);
    fetch_fault = pc + 2;
  }
  // `found` stays valid during this step: decoded code is dropped only at the next look-up, even
  // when a callback asks for it.
  const bool edited = fetched && ((found->flags & kEdited) != 0 || hart.in_sequence());
  const bool injected = edited && dise->next(found, instructions());
  const DecodedInsn& insn = found != nullptr ? *found : kNotFetched;
  hart.stepped_ = &insn;
  if (fetched && !drained) {
    if (insn.flags & waits_for_drain) return StepStatus::kNeedDrain;
    if (insn.flags & (kReadsMemory | kWritesMemory)) {
      const uint64_t address =
          state.x[insn.rs1] + static_cast<uint64_t>(static_cast<int64_t>(insn.imm));
      const bool port = (insn.flags & kWritesMemory) == 0 && hart.is_core_port(address);
      if (address >= STROBE_DEVICE_BASE && data_mode() == PrivilegeMode::kMachine && !port) {
        return StepStatus::kNeedDrain;
      }
    }
  }

  record = kBlankRecord;
  record.pc_rdata = pc;
  record.mode = mode;
  record.thread = state.thread;
  record.intr = attention.interrupt_entered ? 1 : 0;
  record.insn = insn.insn;
  record.length = insn.length;
  record.opclass = insn.opclass;
  record.injected = injected ? 1 : 0;
  if (dise != nullptr && mode == PrivilegeMode::kUser) {
    record.in_burst = (edited ? dise->is_in_burst() : dise->burst()) ? 1 : 0;
  }
  step_end = StepEnd::kNormal;
  StepContext context(*this, record);
  const bool done =
      !fetched
          ? context.trap((pc & 1) != 0 ? Cause::kFetchMisaligned : Cause::kFetchFault, fetch_fault)
      : edited ? step_edited(context, insn, state, record, *dise)
               : dispatch(context, insn, state, record);
  if (done) {
    state.pc = edited ? dise->advance(record, context.next_pc()) : context.next_pc();
    if (!injected) ++retired[mode == PrivilegeMode::kMachine ? 1 : 0];
  } else if (step_end == StepEnd::kStopped) {
    stop_reason = StopReason::kEcallStop;
    return StepStatus::kStopped;
  } else if (!deliver_exception()) {
    return StepStatus::kStopped;
  } else {
    record.trap = 1;
    record.itype = IType::kException;
  }
  record.pc_wdata = state.pc;
  record.order = next_order++;
  attention.interrupt_entered = false;
  record_valid = true;
  if (attention.halt_requested) {
    attention.halt_requested = false;
    stop_reason = StopReason::kHalted;
    return StepStatus::kStopped;
  }
  if (stop_point.is_at(pc) && !injected) ++stop_point_passes;
  if (insn.insn == stop_marker && done && ++stop_point_passes == stop_point.occurrence) {
    stop_marker = 0;
    note_stop_point();
    stop_reason = StopReason::kStopPoint;
    return StepStatus::kStopped;
  }
  if (step_end == StepEnd::kWaits) {
    stop_reason = StopReason::kWfi;
    return StepStatus::kStopped;
  }
  return done ? StepStatus::kRetired : StepStatus::kTrapped;
}

}  // namespace strobe::isa
