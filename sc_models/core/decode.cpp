// Decode: executes the instructions in program order and finds out which path was the right one.
#include <algorithm>

#include "sc_models/core/pipeline.h"

namespace strobe::core {
namespace {

constexpr uint32_t kEcall = 0x00000073;
constexpr uint32_t kFenceIMask = 0x0000707f, kFenceI = 0x0000100f;

}  // namespace

// Decode is the stage before rename: what it has executed waits there, `decode_width` at most.
void Pipeline::decode() {
  const bool stepping = perfect_ || may_step();
  // Those that rename has left behind are older: together they are no more than decode_width.
  const uint64_t end = front_head_ + params_.decode_width;
  while (front_decoded_ < std::min(front_tail_, end)) {
    const uint64_t position = front_decoded_;
    FrontEntry& entry = front(position);
    if (entry.rename_at > cycle_ + 1) return;
    if (entry.needs_target) compute_target(entry, position);
    if (!perfect_ && !on_wrong_path(position)) {
      if (!stepping || !step(entry, position)) return;
    }
    ++front_decoded_;
    if (trace_ != nullptr) trace_->decoded(cycle_, position);
    active_ = true;
  }
}

// Interrupts are recognized here: nothing is decoded until everything older has committed.
bool Pipeline::may_step() {
  if (hart_stopped_) return false;
  if (serial_in_flight_) {
    ++stats_.stall.serial;
    return false;
  }
  if (waiting_for_interrupt_) {
    if ((hart_.state().mip & hart_.state().mie) == 0) {
      ++stats_.stall.idle;
      return false;
    }
    waiting_for_interrupt_ = false;
    active_ = true;
  }
  draining_ = hart_.interrupt_pending();
  if (!draining_) return true;
  if (drained()) {
    hart_.take_interrupt();
    ++stats_.interrupts;
    draining_ = false;
    start_refill(CpiClass::kInterruptEntry);
    redirect(hart_.state().pc, cycle_ + params_.trap_cycles);
  }
  return false;
}

// Executes the instruction at the head of decode. False: not now.
bool Pipeline::step(FrontEntry& entry, uint64_t position) {
  if (serial_in_flight_ || hart_stopped_ || waiting_for_interrupt_) return false;
  RetireRecord& record = this->record(records_tail_);
  device_answer_ = 0;
  const isa::StepStatus status = hart_.step(record, drained() && stores_empty());
  if (status == isa::StepStatus::kNeedDrain) {
    ++stats_.stall.serial;
    start_refill(entry.insn.insn == kEcall ? CpiClass::kSyscall : CpiClass::kSerial);
    return false;
  }
  if (status == isa::StepStatus::kStopped) {
    active_ = true;
    (hart_.stop_reason() == isa::StopReason::kWfi ? waiting_for_interrupt_ : hart_stopped_) = true;
    if (!hart_.record_valid()) return false;  // it did not retire
  }
  ++records_tail_;
  entry.insn.opclass = record.opclass;
  entry.insn.insn = record.insn;
  if (record.trap != 0 || (entry.insn.flags & isa::kSerializing) != 0 || device_answer_ != 0) {
    entry.serial = true;
    entry.is_device = device_answer_ != 0;
    serial_in_flight_ = true;
    if (device_answer_ > cycle_) {
      entry.serial_latency = static_cast<uint32_t>(device_answer_ - cycle_);
    }
    const bool proxied_call =
        record.insn == kEcall && record.trap == 0 && record.mode == PrivilegeMode::kUser;
    if (proxied_call) entry.serial_latency = params_.syscall_cycles;
    entry.flush =
        record.trap != 0 || record.pc_wdata != entry.next || (record.insn & kFenceIMask) == kFenceI;
    return true;
  }
  if (perfect_) {
    entry.next = record.pc_wdata;
  } else if (record.pc_wdata != entry.next) {
    wrong_from_ = position + 1;
    stats_.wrong_path_fetched += front_tail_ - wrong_from_;
    wrong_branch_ = {entry.pc, entry.pc + entry.insn.length, record.pc_wdata,
                     checkpoint_before(entry), record.opclass};
  }
  return true;
}

// A direct branch predicted taken that the target buffer did not know: decode has its target, and
// what was fetched behind it was from the wrong place.
void Pipeline::compute_target(FrontEntry& entry, uint64_t position) {
  entry.needs_target = false;
  entry.next = entry.pc + static_cast<uint64_t>(static_cast<int64_t>(entry.insn.imm));
  ++stats_.misfetched;
  squash_younger(position + 1);
  fetch_pc_ = entry.next;
  fetch_at_ = cycle_;
  fetch_missing_ = false;
  fetch_blocked_ = false;
}

}  // namespace strobe::core
