// The hart's interface, traps and interrupts.
#include "sc_models/isa/hart/hart.h"

#include "sc_models/isa/hart/hart_impl.h"
#include "sc_models/port/region_marker.h"

namespace strobe::isa {

const char* cause_name(Cause cause) {
  switch (cause) {
    case Cause::kFetchMisaligned:
      return "instruction address misaligned";
    case Cause::kFetchFault:
      return "instruction access fault";
    case Cause::kIllegalInstruction:
      return "illegal instruction";
    case Cause::kBreakpoint:
      return "breakpoint";
    case Cause::kLoadMisaligned:
      return "load address misaligned";
    case Cause::kLoadFault:
      return "load access fault";
    case Cause::kStoreMisaligned:
      return "store or AMO address misaligned";
    case Cause::kStoreFault:
      return "store or AMO access fault";
    case Cause::kEcallFromUser:
      return "environment call from U-mode";
    case Cause::kEcallFromMachine:
      return "environment call from M-mode";
  }
  return "unknown exception";
}

Hart::Impl::Impl(Hart& the_hart, GuestMemory& the_memory, Environment& the_environment)
    : hart(the_hart),
      memory(the_memory),
      environment(the_environment),
      guest(the_memory.data()),
      permissions(the_memory.permissions()),
      hpm(state, the_environment, retired),
      code_epoch(the_memory.code_epoch()),
      decoded(the_memory) {}

bool Hart::Impl::executable(uint64_t address) const {
  if (address >= GuestMemory::kSpan) return false;
  const unsigned shift = state.mode == PrivilegeMode::kMachine ? 3 : 0;
  const uint8_t bits = memory.permissions()[address >> GuestMemory::kPageBits];
  return (bits >> shift & GuestMemory::kExecute) != 0;
}

void Hart::Impl::ask_to_drop_code() {
  drop_code = true;
  ++hart.drops_asked_;
  hart.window_ = Window();
}

void Hart::Impl::distrust_code() {
  ++hart.drops_asked_;
  compare_again();
}

void Hart::Impl::compare_again() {
  code_epoch = memory.code_epoch();
  hart.window_ = Window();
  decoded.distrust();
  blocks.distrust();
}

void Hart::Impl::drop_decoded() {
  drop_code = false;
  make_room();
  blocks.clear();
}

void Hart::Impl::make_room() {
  hart.window_ = Window();
  decoded.clear();
}

bool Hart::Impl::interrupts_enabled() const {
  if (state.dise.in_handler) return false;
  return state.mode == PrivilegeMode::kUser || (state.mstatus & kMstatusMie) != 0;
}

namespace {

// The changes of mstatus and the mode at an exception or interrupt (Privileged spec 3.1.6.1).
void enter_machine_mode(HartState& state, uint64_t cause, uint64_t tval) {
  const uint64_t old = state.mstatus;
  state.mstatus &= ~(kMstatusMie | kMstatusMpie | kMstatusMpp);
  if (old & kMstatusMie) state.mstatus |= kMstatusMpie;
  state.mstatus |= static_cast<uint64_t>(state.mode) << kMstatusMppShift;
  state.mode = PrivilegeMode::kMachine;
  state.mepc = state.pc;
  state.mcause = cause;
  state.mtval = tval;
  state.dise.mdisepc = state.dise.position;
  state.dise.position = 0;
  // An LR before the trap must not pair with an SC after it.
  state.reservation = ~uint64_t{0};
}

}  // namespace

void Hart::Impl::take_interrupt() {
  // Priority: the platform's local interrupt, then external, software, timer (Privileged spec
  // 3.1.9), and the counters last.
  const uint64_t ready = state.mip & state.mie;
  unsigned number = 0;
  for (unsigned candidate : {16u, 11u, 3u, 7u, 13u}) {
    if (ready >> candidate & 1) {
      number = candidate;
      break;
    }
  }
  if (number == 0) return;
  enter_machine_mode(state, uint64_t{1} << 63 | number, 0);
  hpm.note_mode(0);
  const bool vectored = (state.mtvec & 3) == 1;
  state.pc = (state.mtvec & ~uint64_t{3}) + (vectored ? 4 * number : 0);
  attention.interrupt_entered = true;
}

bool Hart::Impl::enter_exception(Cause new_cause, uint64_t new_tval) {
  cause = new_cause;
  tval = new_tval;
  if (state.mtvec == 0) return false;
  enter_machine_mode(state, static_cast<uint64_t>(new_cause), new_tval);
  hpm.note_mode(0);
  state.pc = state.mtvec & ~uint64_t{3};
  return true;
}

bool Hart::Impl::deliver_exception() {
  // An ECALL has been offered to the environment already.
  if (state.mode == PrivilegeMode::kUser && cause != Cause::kEcallFromUser) {
    switch (environment.exception(hart, cause, tval)) {
      case EcallResult::kResume:
        return true;
      case EcallResult::kStop:
        stop_reason = StopReason::kEcallStop;
        return false;
      case EcallResult::kTrap:
        break;
    }
  }
  if (enter_exception(cause, tval)) return true;
  stop_reason = StopReason::kUnhandledTrap;
  return false;
}

// Not within a replacement sequence, and not between a marker and the instruction that it marks.
bool Hart::Impl::may_preempt() const {
  if (state.mode != PrivilegeMode::kUser) return false;
  if (preempt_in_sequence) return true;
  uint32_t before = 0;
  const bool marked =
      memory.read(state.pc - sizeof before, &before, sizeof before) && is_selector_marker(before);
  return state.dise.position == 0 && !marked;
}

bool Hart::Impl::preempt() {
  hart.preempt_at_ = Hart::kNever;
  preempt_in_sequence = false;
  if (environment.preempt(hart) != EcallResult::kStop) return true;
  stop_reason = StopReason::kEcallStop;
  return false;
}

void Hart::Impl::trap_return() {
  const uint64_t old = state.mstatus;
  state.mode = static_cast<PrivilegeMode>((old & kMstatusMpp) >> kMstatusMppShift);
  state.mstatus &= ~(kMstatusMie | kMstatusMpp);
  if (old & kMstatusMpie) state.mstatus |= kMstatusMie;
  state.mstatus |= kMstatusMpie;
  if (state.mode != PrivilegeMode::kMachine) state.mstatus &= ~kMstatusMprv;
  hpm.note_mode(1);
  state.dise.position = state.dise.mdisepc;
  state.dise.mdisepc = 0;
}

Hart::Hart(GuestMemory& memory, Environment& environment)
    : impl_(std::make_unique<Impl>(*this, memory, environment)),
      state_(&impl_->state),
      memory_(&memory),
      user_retired_(&impl_->retired[0]),
      armed_counters_(&impl_->hpm.armed_mask()) {}
Hart::~Hart() = default;

GuestMemory& Hart::memory() { return impl_->memory; }

StoreBuffer& Hart::share_memory(uint64_t hart_id) {
  impl_->hart_id = hart_id;
  impl_->waits_for_drain = kSerializing | kOrdering;
  impl_->stores = std::make_unique<StoreBuffer>(impl_->memory, impl_->state.reservation);
  return *impl_->stores;
}

void Hart::preempt_at(uint64_t user_instructions) {
  preempt_at_ = user_instructions;
  impl_->preempt_in_sequence = false;
}

void Hart::preempt_now() {
  preempt_at_ = 0;
  impl_->preempt_in_sequence = true;
}

bool Hart::may_preempt() const { return impl_->may_preempt(); }
bool Hart::preempt() { return impl_->preempt(); }

StepStatus Hart::step(RetireRecord& record, bool drained) { return impl_->step(record, drained); }
StopReason Hart::stop_reason() const { return impl_->stop_reason; }
bool Hart::record_valid() const { return impl_->record_valid; }

const DecodedInsn* Hart::look_up(uint64_t pc) {
  if ((pc & 1) != 0 || !impl_->executable(pc)) return nullptr;
  impl_->refresh_code(pc);
  const DecodedInsn& insn = impl_->decoded.at(pc);
  if (insn.length == 4 && !impl_->executable(pc + 2)) return nullptr;
  window_ = {impl_->decoded.page_of(pc), pc & ~(GuestMemory::kPageSize - 1), memory_->code_epoch(),
             state_->mode};
  return &insn;
}

void Hart::poll_armed_counters() { impl_->hpm.poll(); }

uint64_t Hart::counter_of(unsigned number, uint64_t committed) const {
  return impl_->hpm.counter_after(number, committed);
}

uint64_t Hart::event_of(unsigned number) const { return impl_->hpm.event(number); }

void Hart::set_event_of(unsigned number, uint64_t event, uint64_t committed) {
  impl_->hpm.write_event_after(number, event, committed, 0);
}
bool Hart::interrupts_enabled() const { return impl_->interrupts_enabled(); }
void Hart::take_interrupt() { impl_->take_interrupt(); }

void Hart::attach(DecodeEngine& engine) {
  impl_->decoded.set_engine(&engine);
  impl_->dise = std::make_unique<Dise>(engine, impl_->state);
  impl_->ask_to_drop_code();
}

bool Hart::look_up_replacement() {
  const DecodedInsn* next = peek(state_->pc);
  return next != nullptr && (next->flags & kEdited) != 0 && !in_sequence() &&
         impl_->dise->look_up(*next, impl_->instructions());
}

bool Hart::in_burst() const {
  return impl_->dise != nullptr && state_->mode == PrivilegeMode::kUser && impl_->dise->burst();
}

uint64_t Hart::read_engine(uint32_t offset) { return impl_->dise->read(offset); }

void Hart::write_engine(uint32_t offset, uint64_t value) {
  if (impl_->dise->write(offset, value)) invalidate_code();
}

bool Hart::save_engine_state(uint64_t pc, DecodeCheckpoint& checkpoint) {
  const DecodedInsn* insn = peek(pc);
  return insn != nullptr && impl_->dise->save(*insn, pc, checkpoint);
}

void Hart::set_interrupt(Interrupt line, bool level) {
  const uint64_t bit = uint64_t{1} << static_cast<unsigned>(line);
  impl_->state.mip = level ? impl_->state.mip | bit : impl_->state.mip & ~bit;
}

bool Hart::interrupt_level(Interrupt line) const {
  return (impl_->state.mip >> static_cast<unsigned>(line) & 1) != 0;
}

void Hart::set_stop_point(const StopPoint& point) {
  impl_->stop_point = point;
  impl_->stop_marker = point.marker == 0 ? 0 : marker_insn(point.marker);
  impl_->stop_point_passes = 0;
  impl_->note_stop_point();
  impl_->distrust_code();  // blocks end at a stop point
}
uint64_t Hart::stop_point_passes() const { return impl_->stop_point_passes; }

void Hart::request_halt(bool wanted) { impl_->attention.halt_requested = wanted; }
Cause Hart::cause() const { return impl_->cause; }
uint64_t Hart::tval() const { return impl_->tval; }
uint64_t Hart::instructions() const { return impl_->instructions(); }
uint64_t Hart::user_instructions() const { return impl_->retired[0]; }

void Hart::set_user_entry(uint64_t pc, uint64_t sp) {
  impl_->state.pc = pc;
  impl_->state.x[2] = sp;
  impl_->state.mode = PrivilegeMode::kUser;
  // A kernel grants a process the FPU and the three user counters.
  impl_->state.mstatus |= kMstatusFs;
  impl_->state.mcounteren = 7;
  impl_->hpm.note_mode(0);
}

void Hart::invalidate_code() { impl_->ask_to_drop_code(); }

}  // namespace strobe::isa
