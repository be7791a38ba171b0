// Decode: executes the instructions in program order and finds out which path was the right one.
#include <algorithm>
#include <utility>

#include "sc_models/core/pipeline.h"

namespace strobe::core {
namespace {

constexpr uint32_t kEcall = 0x00000073;
constexpr uint32_t kFenceIMask = 0x0000707f, kFenceI = 0x0000100f;

}  // namespace

// Of the next instruction of the piece: behind those before it, and no more than decode_width that
// rename has not taken. With perfect prediction the hart executes at fetch.
uint64_t Pipeline::execution_cycle() const {
  if (perfect_) return std::max(decode_at_, piece_.fetched_at);
  const uint64_t room_at = renamed_[(placed_ - params_.decode_width) & mask_];
  return std::max(std::max(decode_at_, room_at), piece_.fetched_at + params_.front_end_stages - 1);
}

// The rest of the piece, as far as the hart does not stop or sleep. False: not before cycle
// `until`, or the run has stopped.
bool Pipeline::execute(uint64_t until) {
  while (piece_.done < piece_.count && !hart_stopped_ && !waiting_for_interrupt_) {
    const uint64_t ready_at = execution_cycle();
    if (stores_first_) {
      const uint64_t written_at = all_written_at(until);
      serial_until_ = std::max(serial_until_, written_at);
      stores_first_ = written_at >= until;
    }
    const uint64_t at = std::max(ready_at, serial_until_);
    draining_ = draining_ && hart_.interrupt_pending();
    if (!draining_) deliver(std::min(at, until - 1));
    if (stop_ != CoreStop::kNone) return false;
    if (hart_.interrupt_pending()) {
      if (!interrupt(until)) return false;
      continue;
    }
    if (at >= until) return false;
    stats_.stall.serial += at - ready_at;
    if (perfect_ && at > piece_.fetched_at) {  // it is the fetch that has to wait
      forget_piece(at);
      return true;
    }
    cycle_ = decode_at_ = at;
    if (execute_run()) continue;
    if (engine_ != nullptr && !sequence_ready()) continue;
    execute_one();
  }
  return true;
}

// Executes what is plain. False: nothing is.
[[gnu::always_inline]] inline bool Pipeline::execute_run() {
  const isa::DecodedInsn* insns[FetchRun::kMost];
  const uint64_t place_in_ring = placed_ & mask_;
  const unsigned first = piece_.done;
  const unsigned most =
      static_cast<unsigned>(std::min<uint64_t>(piece_.count - first, mask_ + 1 - place_in_ring));
  RetireRecord* done = &records_[place_in_ring];
  const unsigned count = hart_.step_run(done, insns, most);
  if (count == 0) return false;
  const Operation* operations = piece_.run->operations + first;
  if (piece_.generation != hart_.code_generation()) {  // the code is not what has been fetched
    for (unsigned i = 0; i < count; ++i) described_[i] = operation_of(*insns[i]);
    operations = described_;
  }
  piece_.done = static_cast<uint8_t>(first + count);
  const bool ends = piece_.done == piece_.count;
  const RetireRecord& last = done[count - 1];
  const bool mispredicted = ends && !perfect_ && last.pc_wdata != known_next();
  const uint64_t done_at = place_run(operations, done, count, mispredicted);
  if (ends) end_piece(last, done_at);
  return true;
}

// Behind the last instruction of the piece, whose result is there at `done_at`.
[[gnu::always_inline]] inline void Pipeline::end_piece(const RetireRecord& last, uint64_t done_at) {
  if (perfect_) {
    if (last.pc_wdata != piece_.next) {
      fetch_pc_ = last.pc_wdata;
      fetch_left_ = 0;
    }
    return;
  }
  if (piece_.needs_target) {
    // The target was not in the target buffer. Decode has it; what lies behind the branch was
    // fetched in vain.
    const Checkpoint behind = predictor_.checkpoint();
    fetch_in_vain(placed_, decode_at_, false);
    predictor_.restore(behind);
    ++stats_.misfetched;
    piece_.next = piece_.target;
    redirect(piece_.next, decode_at_);
  }
  if (last.pc_wdata != piece_.next) leave_path(last, done_at);
}

// The instruction just placed was mispredicted, which is found out when it completes.
void Pipeline::leave_path(const RetireRecord& branch, uint64_t resolved_at) {
  const bool injected = branch.injected != 0;
  if (!injected) record(placed_ - 1).mispredicted = 1;
  const Checkpoint before = piece_.predicted ? piece_.before : predictor_.checkpoint();
  const unsigned left = piece_.count - piece_.done;
  stats_.squashed += left;
  stats_.wrong_path_fetched += left;
  wrong_branch_pc_ = branch.pc_rdata;
  // Behind a branch of a sequence its trigger comes first, and has been seen.
  engine_from_ = placed_ + (hart_.in_sequence() ? 1 : 0);
  if (left != 0) pass_rest(left, resolved_at);
  fetch_in_vain(placed_ + left, resolved_at, true);
  if (engine_on_wrong_path_) leave_wrong_path();
  piece_.count = piece_.done = 0;
  ++stats_.mispredicted;
  start_refill(CpiClass::kBranch);
  const uint64_t behind = branch.pc_rdata + branch.length;
  predictor_.resolve(before, injected ? OpClass::kAlu : branch.opclass, behind,
                     branch.pc_wdata != behind);
  redirect(branch.pc_wdata, resolved_at);
}

// The rest of the piece is on the wrong path.
void Pipeline::pass_rest(unsigned left, uint64_t until) {
  const FetchRun& run = run_table_.at(piece_.pc);
  const uint64_t now = std::exchange(fetch_cycle_, piece_.fetched_at);
  pass_wrong_path(placed_, left, until);
  if (trace_ != nullptr) trace_squashed(run, piece_.done, left, placed_, until);
  if (run.edited != 0) {
    present_wrong_path(run, piece_.count, placed_ - piece_.done, until);
  }
  fetch_cycle_ = now;
}

// dcall and dret: decode knows where they go.
void Pipeline::leave_for_handler() {
  if (perfect_) return forget_piece(decode_at_ + 1);
  drop_behind(decode_at_);
  redirect(hart_.state().pc, decode_at_);
  start_refill(CpiClass::kExpansion);
}

// Executes the next instruction, whatever it is, unless it has to be alone and is not.
void Pipeline::execute_one() {
  RetireRecord& done = record(placed_);
  const bool was_in_handler = hart_.state().dise.in_handler;
  device_answer_ = 0;
  write_stores(decode_at_);
  const bool alone = drained() && stores_written_ == stores_tail_ && write_at_ <= decode_at_ + 1;
  const isa::StepStatus status = hart_.step(done, alone);
  ask_sink();
  if (status == isa::StepStatus::kNeedDrain) {
    start_refill(hart_.stepped().insn == kEcall ? CpiClass::kSyscall : CpiClass::kSerial);
    serial_until_ = drained_at();
    stores_first_ = true;
    return;
  }
  if (status == isa::StepStatus::kStopped) {
    const bool waits = hart_.stop_reason() == isa::StopReason::kWfi;
    (waits ? waiting_for_interrupt_ : hart_stopped_) = true;
    if (!hart_.record_valid()) return;  // it did not retire
  }
  const isa::DecodedInsn insn = hart_.stepped();
  Operation op = operation_of(insn);
  // A device access has happened already; what trapped and a failed SC touch no memory.
  if ((done.mem_rmask | done.mem_wmask) == 0 || device_answer_ != 0) {
    op.memory = Memory::kNone;
    if (op.unit == kMemUnit) op.unit = kAluUnit;
  }
  // More of a sequence is to come: the trigger keeps its place.
  const bool within = engine_ != nullptr && done.trap == 0 && hart_.in_sequence() &&
                      done.itype != IType::kTrapReturn &&
                      hart_.state().dise.in_handler == was_in_handler;
  if (!within) ++piece_.done;
  const bool ends = piece_.done == piece_.count;
  const uint64_t behind = done.pc_rdata + done.length;
  const uint64_t next = ends ? known_next() : behind;
  const bool as_predicted = done.pc_wdata == next;
  const bool serial =
      done.trap != 0 || (insn.flags & isa::kSerializing) != 0 || device_answer_ != 0;
  Placing at;
  at.decoded = decoded_now<false>();
  const bool branches = within && done.injected != 0 && done.itype == IType::kBranchTaken;
  const bool leaves = hart_.state().dise.in_handler != was_in_handler && done.trap == 0;
  const bool wrong = within ? branches : !as_predicted && !leaves;
  at.mispredicted = !serial && wrong && !perfect_;
  at.serial = serial;
  at.serial_latency = 0;
  if (device_answer_ > cycle_) at.serial_latency = static_cast<uint32_t>(device_answer_ - cycle_);
  if (done.insn == kEcall && done.trap == 0 && done.mode == PrivilegeMode::kUser) {
    at.serial_latency = params_.syscall_cycles;
  }
  const uint64_t done_at = place(op, done, at);
  if (within && done.injected != 0 && done.opclass == OpClass::kBranch) ++decode_at_;
  if (leaves) leave_for_handler();
  if (serial) {
    finish_serial(done, done.trap != 0 || wrong || (done.insn & kFenceIMask) == kFenceI);
  } else if (wrong && !ends) {
    leave_path(done, done_at);
  } else if (ends && !leaves && !within) {
    end_piece(done, done_at);
  }
}

// Nothing younger is decoded until the instruction just placed commits.
void Pipeline::finish_serial(const RetireRecord& done, bool flush) {
  serial_until_ = last_commit_;
  start_refill(serial_class(done));
  if (!perfect_ && !flush) return;
  drop_behind(last_commit_);
  const bool trap = done.trap != 0 || done.itype == IType::kTrapReturn;
  redirect(hart_.state().pc, last_commit_ + (trap ? params_.trap_cycles : 0));
}

// With perfect prediction: what is left of the piece is fetched no earlier than in cycle `when`.
void Pipeline::forget_piece(uint64_t when) {
  stats_.fetched -= piece_.count - piece_.done;
  piece_.count = piece_.done = 0;
  redirect(hart_.state().pc, when);
}

// Taken when everything executed has committed. False: not before cycle `until`, or stopped.
bool Pipeline::interrupt(uint64_t until) {
  draining_ = true;
  const uint64_t at = std::max(delivered_ - 1, drained_at());
  if (at >= until) {
    deliver(until - 1);
    return false;
  }
  deliver(at);
  if (stop_ != CoreStop::kNone) return false;
  draining_ = hart_.interrupt_pending();
  if (!draining_ || !drained()) return true;
  cycle_ = at;
  hart_.take_interrupt();
  ++stats_.interrupts;
  draining_ = false;
  start_refill(CpiClass::kInterruptEntry);
  drop_behind(at);
  decode_at_ = at;
  redirect(hart_.state().pc, at + params_.trap_cycles);
  return true;
}

// The hart sleeps in WFI. False: until cycle `until` and longer, or stopped.
bool Pipeline::idle(uint64_t until) {
  while ((hart_.state().mip & hart_.state().mie) == 0) {
    if (delivered_ >= until) return false;
    const bool nobody = head_ == placed_ && !interest_.busy;
    const uint64_t before = delivered_;
    deliver(nobody ? until - 1 : before);
    stats_.stall.idle += delivered_ - before;
    if (stop_ != CoreStop::kNone) return false;
  }
  waiting_for_interrupt_ = false;
  decode_at_ = std::max(decode_at_, delivered_ - 1);
  return true;
}

}  // namespace strobe::core
