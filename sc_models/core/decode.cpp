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
  const uint64_t most = front_head_ + params_.decode_width;
  while (front_decoded_ < std::min(front_tail_, most)) {
    FetchedRun& run = fetched_run(runs_decoding_);
    if (front_decoded_ == run.end) {
      ++runs_decoding_;
      continue;
    }
    if (run.rename_at > cycle_ + 1) return;
    const uint64_t end = std::min(run.end, most);
    if (on_wrong_path(front_decoded_)) {
      decode_wrong_path(run, end);
    } else if (!decode_right_path(run, end, stepping)) {
      return;
    }
  }
}

// To `end` or to where the path turns out to be wrong. False: an instruction has to wait.
bool Pipeline::decode_right_path(FetchedRun& run, uint64_t end, bool stepping) {
  const bool several = stepping && !perfect_;
  do {
    if (several && step_run(run, end)) continue;
    const uint64_t position = front_decoded_;
    if (run.needs_target && position + 1 == run.end) compute_target(run);
    if (!perfect_ && (!stepping || !step(run, position))) return false;
    pass(position);
  } while (front_decoded_ < std::min(end, run.end) && !on_wrong_path(front_decoded_));
  return true;
}

// Nothing but a wrong target is found out there.
void Pipeline::decode_wrong_path(FetchedRun& run, uint64_t end) {
  const bool misfetched = run.needs_target && end == run.end;
  if (trace_ != nullptr) {
    for (uint64_t i = front_decoded_; i + 1 < end; ++i) trace_->decoded(cycle_, i);
  }
  if (run.edited != 0) present_wrong_path(run, end);
  if (misfetched) compute_target(run);
  if (trace_ != nullptr) trace_->decoded(cycle_, end - 1);
  front_decoded_ = end;
  active_ = true;
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

// Executes the instruction at `position`, which is in `run`. False: not now.
bool Pipeline::step(const FetchedRun& run, uint64_t position) {
  if (serial_in_flight_ || hart_stopped_ || waiting_for_interrupt_) return false;
  FrontEntry& entry = front(position);
  RetireRecord& done = record(records_tail_);
  device_answer_ = 0;
  if (engine_ != nullptr && !sequence_ready()) return false;
  const bool was_in_handler = hart_.state().dise.in_handler;
  const isa::StepStatus status = hart_.step(done, drained() && stores_empty());
  if (status == isa::StepStatus::kNeedDrain) {
    ++stats_.stall.serial;
    start_refill(hart_.stepped().insn == kEcall ? CpiClass::kSyscall : CpiClass::kSerial);
    return false;
  }
  if (status == isa::StepStatus::kStopped) {
    active_ = true;
    (hart_.stop_reason() == isa::StopReason::kWfi ? waiting_for_interrupt_ : hart_stopped_) = true;
    if (!hart_.record_valid()) return false;  // it did not retire
  }
  ++records_tail_;
  const isa::DecodedInsn& insn = hart_.stepped();
  describe(entry, insn, run);
  // A device access has happened already; what trapped and a failed SC touch no memory.
  if ((done.mem_rmask | done.mem_wmask) != 0 && device_answer_ == 0) {
    entry.memory = insn.opclass == OpClass::kLoad    ? Memory::kLoad
                   : insn.opclass == OpClass::kStore ? Memory::kStore
                                                     : Memory::kAmo;
    entry.address = done.mem_addr;
    entry.mem_size = insn.mem_size;
  }
  const uint64_t behind = done.pc_rdata + done.length;
  bool as_predicted = done.pc_wdata == (position + 1 == run.end ? run.next : behind);
  if (engine_ != nullptr) {
    as_predicted = follow_sequence(position, done, was_in_handler, as_predicted);
  }
  if (done.trap != 0 || (insn.flags & isa::kSerializing) != 0 || device_answer_ != 0) {
    begin_serial(entry, done, as_predicted);
  } else if (!as_predicted && !perfect_) {
    leave_path(run, position, done);
  }
  return true;
}

// Executes what is plain from front_decoded_ on. False: nothing is, step() is due.
bool Pipeline::step_run(FetchedRun& run, uint64_t end) {
  if (serial_in_flight_ || hart_stopped_ || waiting_for_interrupt_) return false;
  const isa::DecodedInsn* insns[FetchRun::kMost];
  const uint64_t place = records_tail_ & records_mask_, first = front_decoded_;
  const uint64_t most =
      std::min({end - first, records_mask_ + 1 - place, uint64_t{FetchRun::kMost}});
  RetireRecord* done = &records_[place];
  const unsigned count = hart_.step_run(done, insns, static_cast<unsigned>(most));
  if (count == 0) return false;
  records_tail_ += count;
  const uint64_t mask = front_mask_;
  for (unsigned i = 0; i < count; ++i) {
    const isa::DecodedInsn& insn = *insns[i];
    FrontEntry& entry = front_[(first + i) & mask];
    describe(entry, insn, run);
    if (insn.mem_size == 0) continue;
    entry.memory = insn.opclass == OpClass::kLoad ? Memory::kLoad : Memory::kStore;
    entry.address = done[i].mem_addr;
    entry.mem_size = insn.mem_size;
  }
  const uint64_t last = first + count - 1;
  if (trace_ != nullptr) {
    for (uint64_t position = first; position < last; ++position) pass(position);
  }
  if (last + 1 == run.end) {
    if (run.needs_target) compute_target(run);
    if (done[count - 1].pc_wdata != run.next) leave_path(run, last, done[count - 1]);
  }
  pass(last);
  return true;
}

// What rename will know of the instruction, but for memory accesses and what serializes.
void Pipeline::describe(FrontEntry& entry, const isa::DecodedInsn& insn, const FetchedRun& run) {
  entry.rename_at = run.rename_at;
  entry.predictor_index = run.predictor_index;
  entry.serial_latency = 0;
  entry.registers = insn;
  entry.opclass = insn.opclass;
  static_cast<Traits&>(entry) = Traits();
}

// The instruction at `position` is decoded.
void Pipeline::pass(uint64_t position) {
  active_ = true;
  front_decoded_ = position + 1;
  if (trace_ != nullptr) trace_->decoded(cycle_, position);
}

// The instruction at `position` is a branch that was mispredicted.
void Pipeline::leave_path(const FetchedRun& run, uint64_t position, RetireRecord& done) {
  done.mispredicted = done.injected == 0 ? 1 : 0;
  front(position).mispredicted = true;
  wrong_from_ = position + 1;
  stats_.wrong_path_fetched += front_tail_ - wrong_from_;
  wrong_branch_ = {done.pc_rdata, done.pc_rdata + done.length, done.pc_wdata,
                   checkpoint_before(run), done.injected != 0 ? OpClass::kAlu : done.opclass};
}

void Pipeline::begin_serial(FrontEntry& entry, const RetireRecord& done, bool as_predicted) {
  serial_in_flight_ = true;
  entry.serial = true;
  if (device_answer_ > cycle_) {
    entry.serial_latency = static_cast<uint32_t>(device_answer_ - cycle_);
  }
  const bool proxied_call =
      done.insn == kEcall && done.trap == 0 && done.mode == PrivilegeMode::kUser;
  if (proxied_call) entry.serial_latency = params_.syscall_cycles;
  entry.flush = done.trap != 0 || !as_predicted || (done.insn & kFenceIMask) == kFenceI;
}

// A direct branch predicted taken that the target buffer did not know: decode has its target, and
// what was fetched behind it was from the wrong place.
void Pipeline::compute_target(FetchedRun& run) {
  run.needs_target = false;
  run.next = run.target;
  ++stats_.misfetched;
  squash_younger(run.end);
  refetch(run.next);
}

// The front end goes on at `pc` in this cycle.
void Pipeline::refetch(uint64_t pc) {
  fetch_pc_ = pc;
  fetch_at_ = cycle_;
  fetch_missing_ = false;
  fetch_blocked_ = false;
}

}  // namespace strobe::core
