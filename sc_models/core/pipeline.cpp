// Decode, which executes the instructions in program order and finds out which path was the right
// one; the run as a whole. It is one file because execute() and what it calls are compiled into one
// function, which every simulated instruction passes.
#include "sc_models/core/pipeline.h"

#include <algorithm>

#include "sc_models/isa/decode/csr.h"
#include "sc_models/port/branch_on_random.h"

namespace strobe::core {
namespace {

constexpr uint32_t kEcall = 0x00000073;
// From a branch-on-random that is taken, which decode finds out, to the group that it goes to
// (docs/blocks/dise.md, "Sequencer").
constexpr unsigned kResumeCycles = 3;
constexpr uint64_t kTimerCause =
    uint64_t{1} << 63 | static_cast<uint64_t>(Interrupt::kMachineTimer);

static_assert(static_cast<uint32_t>(HpmEvent::kFirstCpiEvent) + kCpiClassCount == kHpmEventEnd);

const CoreParams& checked(const CoreParams& params) {
  check(params);
  return params;
}

}  // namespace

Pipeline::Pipeline(const CoreParams& params, isa::Hart& hart, CoreShare* share)
    : params_(checked(params)),
      hart_(hart),
      share_(share),
      own_resources_(share == nullptr ? std::make_optional<ExecutionResources>(params_)
                                      : std::nullopt),
      resources_(share == nullptr ? *own_resources_ : share->core().resources),
      rob_(2 * (params.rob + params.fetch_buffer + 2 * FetchRun::kMost)),
      tracer_(params_, rob_, hart),
      front_end_(params_, hart, rob_, stats_, tracer_, share),
      placement_(params_, resources_, rob_, front_end_, stats_, tracer_, share),
      commit_(params_, hart, rob_, placement_.cpi(), front_end_, stats_),
      perfect_(front_end_.predictor().perfect()),
      hint_(hint_of(params_.memory.ntl)) {}

void Pipeline::bind_caches(TimingPort& instructions, TimingPort& data) {
  front_end_.bind(instructions);
  placement_.lsu().bind(data);
}

void Pipeline::restart() {
  stats_.squashed += rob_.in_flight();
  front_end_.clear(commit_.delivered());
  if (tracer_.on()) tracer_.cut(cycle_);
  rob_.clear();
  placement_.clear(cycle_);
  commit_.decode() = DecodeState();
  serial_until_ = 0;
  waiting_for_interrupt_ = stores_first_ = hinted_ = false;
  front_end_.redirect(hart_.state().pc, cycle_);
  placement_.cpi().start_refill(CpiClass::kFetch);
  commit_.note_progress(cycle_);
}

void Pipeline::skip_to(uint64_t cycle) {
  stats_since_ += cycle - cycle_;
  cycle_ = cycle;
  commit_.skip_to(cycle);
}

CoreStop Pipeline::run(uint64_t until) {
  begin(until);
  for (;;) {
    if (commit_.decode().hart_stopped) {
      if (!finish_stopped(until)) break;
      continue;
    }
    if (waiting_for_interrupt_ && !idle(until)) break;
    if (group().left() == 0) fetch();
    if (!execute(until)) break;
  }
  return end(until);
}

void Pipeline::begin(uint64_t until) {
  stop_ = CoreStop::kNone;
  commit_.ask_sink();
  if (shared_) placement_.lsu().set_visible_until(until - 1);
}

bool Pipeline::advance(uint64_t until, const Turn& turn) {
  if (commit_.decode().hart_stopped) return finish_stopped(until);
  if (waiting_for_interrupt_) return idle(until);
  if (group().left() == 0) {
    fetch();
  } else if (turn.fetches) {
    front_end_.claim(turn.at);
  } else {
    return execute_next(until) && stop_ == CoreStop::kNone;
  }
  return true;
}

[[gnu::always_inline]] inline void Pipeline::fetch() {
  placement_.lsu().write_stores(std::min(front_end_.cycle(), placement_.lsu().visible_until()));
  front_end_.fetch();
}

CoreStop Pipeline::end(uint64_t until) {
  if (stop_ == CoreStop::kNone) cycle_ = until;
  // Other harts may look for them; without any, simulated time may pass to settled().
  placement_.lsu().write_stores(shared_ ? cycle_ - 1 : settled());
  if (tracer_.on()) {
    if (stop_ == CoreStop::kHart) front_end_.trace_left();
    tracer_.reach(cycle_);
  }
  return stop_;
}

void Pipeline::deliver_before(uint64_t until) {
  if (group().left() != 0) {
    execute_next(until);
  } else {
    deliver(until - 1);
  }
}

// The hart has stopped: everything older commits. False: the run has stopped, or not all has
// committed by cycle `until`.
bool Pipeline::finish_stopped(uint64_t until) {
  const uint64_t end =
      std::max({placement_.decode_at() + 1, drained_at(), placement_.lsu().all_written_at(until)});
  if (!deliver(std::min(end, until - 1)) || end >= until) return false;
  if (!rob_.drained()) return true;
  cycle_ = end + 1;
  stop_ = CoreStop::kHart;
  return false;
}

void Pipeline::set_timer(uint64_t cycle) {
  const bool pending = cycle <= cycle_;
  hart_.set_interrupt(Interrupt::kMachineTimer, pending);
  timer_at_ = pending ? kNever : cycle;
}

// Commit goes on to the cycle of the timer, unless an interrupt is to be taken before. False: the
// run has stopped.
bool Pipeline::deliver_to_timer() {
  stop_ = commit_.deliver(timer_at_);
  if (stop_ != CoreStop::kNone) {
    cycle_ = commit_.delivered();
    return false;
  }
  if (commit_.delivered() <= timer_at_) return true;
  hart_.set_interrupt(Interrupt::kMachineTimer, true);
  timer_at_ = kNever;
  return true;
}

// The rest of the group, which has one, as far as the hart does not stop or sleep. False: not
// before cycle `until`, or the run has stopped.
[[gnu::always_inline]] inline bool Pipeline::execute(uint64_t until) {
  do {
    if (!execute_next(until)) return false;
  } while (group().left() != 0 && !commit_.decode().hart_stopped && !waiting_for_interrupt_);
  return true;
}

// What is plain of the rest of the group, or its next instruction; or an interrupt is taken
// instead. False: as execute().
[[gnu::always_inline]] inline bool Pipeline::execute_next(uint64_t until) {
  const uint64_t ready_at = execution_cycle();
  if (stores_first_) {
    const uint64_t written_at = placement_.lsu().all_written_at(until);
    serial_until_ = std::max(serial_until_, written_at);
    stores_first_ = written_at >= until;
  }
  const uint64_t at = std::max(ready_at, serial_until_);
  bool& draining = commit_.decode().draining;
  if (draining) draining = hart_.interrupt_pending();
  if (!draining && !deliver(std::min(at, until - 1))) return false;
  hart_.poll_counters();
  if (hart_.interrupt_pending()) return interrupt(until);
  if (__builtin_expect(hart_.preemption_due(), 0)) return preempt(until);
  if (at >= until) return false;
  if (at != ready_at) stats_.stall.serial += at - ready_at;
  if (perfect_ && at > group().fetched_at) {  // it is the fetch that has to wait
    front_end_.refetch(at);
    return true;
  }
  cycle_ = at;
  placement_.set_decode_at(at);
  if (execute_run()) return true;
  if (front_end_.wrong_path().engine() != nullptr && !sequence_ready()) return true;
  execute_one();
  return true;
}

// Executes what is plain. False: nothing is.
[[gnu::always_inline]] inline bool Pipeline::execute_run() {
  const isa::DecodedInsn* insns[FetchRun::kMost];
  const uint64_t number = rob_.placed();
  const unsigned first = group().done;
  const unsigned most = static_cast<unsigned>(
      std::min<uint64_t>(group().left(), rob_.size() - rob_.place_of(number)));
  RetireRecord* done = &rob_.record(number);
  if (shared_) placement_.lsu().write_stores(placement_.decode_at());
  const unsigned count = hart_.step_run(done, insns, most);
  if (count == 0) return false;
  const Operation* operations = group().run->operations + first;
  // The code is not what has been fetched, or a hint precedes the run.
  if (group().generation != hart_.code_generation() || hinted_) {
    for (unsigned i = 0; i < count; ++i) {
      described_[i] = operation_of(*insns[i], hinted_);
      hinted_ = insns[i]->insn == hint_;
    }
    operations = described_;
  }
  group().done = static_cast<uint8_t>(first + count);
  const bool ends = group().left() == 0;
  const RetireRecord& last = done[count - 1];
  hinted_ = last.insn == hint_;
  const bool mispredicted = ends && !perfect_ && last.pc_wdata != group().known_next();
  const uint64_t done_at = placement_.place_run(operations, done, count, mispredicted);
  if (ends) end_group(last, done_at);
  return true;
}

// After the last instruction of the group, whose result is there at `done_at`.
[[gnu::always_inline]] inline void Pipeline::end_group(const RetireRecord& last, uint64_t done_at) {
  if (perfect_) {
    if (last.pc_wdata != group().next) front_end_.follow(last.pc_wdata);
    return;
  }
  if (group().needs_target) front_end_.supply_target(placement_.decode_at());
  if (last.pc_wdata != group().next) leave_path(last, done_at);
}

// The instruction just placed was mispredicted, which is found out when it completes.
void Pipeline::leave_path(const RetireRecord& branch, uint64_t resolved_at) {
  if (branch.injected == 0) rob_.record(rob_.placed() - 1).mispredicted = 1;
  front_end_.leave_path(branch, resolved_at);
  placement_.cpi().start_refill(CpiClass::kBranch);
}

// dcall and dret: decode knows where they go.
void Pipeline::leave_for_handler() {
  const uint64_t decode_at = placement_.decode_at();
  if (perfect_) return front_end_.refetch(decode_at + 1);
  front_end_.drop_younger(decode_at);
  front_end_.redirect(hart_.state().pc, decode_at);
  placement_.cpi().start_refill(CpiClass::kExpansion);
}

// Has the next instruction looked up in the decode engine. False while its sequence is on the way.
bool Pipeline::sequence_ready() {
  if (!hart_.look_up_replacement()) return true;
  ++stats_.expansions;
  if (placement_.cpi().refill() == CpiClass::kFetch)
    placement_.cpi().start_refill(CpiClass::kExpansion);
  const unsigned stall = front_end_.wrong_path().expansion().stall_cycles;
  placement_.set_decode_at(placement_.decode_at() + stall);
  return stall == 0;
}

// One step of the hart, of any instruction, unless it has to be alone and is not.
isa::StepStatus Pipeline::step(RetireRecord& done) {
  device_answer_ = 0;
  const uint64_t decode_at = placement_.decode_at();
  placement_.lsu().write_stores(decode_at);
  const bool alone = rob_.drained() && placement_.lsu().all_written_by(decode_at);
  const isa::StepStatus status = hart_.step(done, alone);
  commit_.ask_sink();
  if (status == isa::StepStatus::kNeedDrain) {
    placement_.cpi().start_refill(CpiStack::class_of_serial(hart_.stepped().insn));
    serial_until_ = drained_at();
    stores_first_ = true;
  } else if (status == isa::StepStatus::kStopped) {
    const bool waits = hart_.stop_reason() == isa::StopReason::kWfi;
    (waits ? waiting_for_interrupt_ : commit_.decode().hart_stopped) = true;
  }
  return status;
}

Operation Pipeline::stepped_operation(const RetireRecord& done) const {
  Operation op = operation_of(hart_.stepped(), hinted_);
  // A device access has happened already; what trapped and a failed SC touch no memory.
  if ((done.mem_rmask | done.mem_wmask) == 0 || device_answer_ != 0) {
    op.memory = Memory::kNone;
    if (op.unit == kMemUnit && !reads_port(done)) op.unit = kAluUnit;
  }
  return op;
}

uint32_t Pipeline::serial_latency(const RetireRecord& done) const {
  if (done.insn == kEcall && done.trap == 0 && done.mode == PrivilegeMode::kUser) {
    return params_.syscall_cycles;
  }
  const isa::CounterRead counter = isa::counter_read(done.insn);
  if (counter != isa::CounterRead::kNone && done.trap == 0) {
    return counter == isa::CounterRead::kClock ? params_.clock_read_cycles
                                               : params_.counter_read_cycles;
  }
  return device_answer_ > cycle_ ? static_cast<uint32_t>(device_answer_ - cycle_) : 0;
}

// Executes the next instruction, whatever it is, unless it has to be alone and is not.
void Pipeline::execute_one() {
  RetireRecord& done = rob_.record(rob_.placed());
  const bool was_in_handler = hart_.state().dise.in_handler;
  const isa::StepStatus status = step(done);
  if (status == isa::StepStatus::kNeedDrain) return;
  if (status == isa::StepStatus::kStopped && !hart_.record_valid()) return;  // it did not retire
  const isa::DecodedInsn insn = hart_.stepped();
  const Operation op = stepped_operation(done);
  hinted_ = insn.insn == hint_;
  // More of a sequence is to come: the trigger keeps its place.
  const bool changed_handler = hart_.state().dise.in_handler != was_in_handler;
  const bool within = front_end_.wrong_path().engine() != nullptr && done.trap == 0 &&
                      hart_.in_sequence() && done.itype != IType::kTrapReturn && !changed_handler;
  // The trigger of a dcall is fetched again after the handler, or passed over.
  const bool calls_handler = changed_handler && !was_in_handler && done.trap == 0;
  if (!within && !calls_handler) ++group().done;
  const bool ends = group().left() == 0;
  const uint64_t next = ends ? group().known_next() : done.pc_rdata + done.length;
  const bool random = within && done.injected != 0 && is_branch_on_random(done.insn);
  const bool taken = done.itype == IType::kBranchTaken;
  const bool branches = within && done.injected != 0 && taken && !random;
  const bool leaves = changed_handler && done.trap == 0;
  const bool wrong = within ? branches : done.pc_wdata != next && !leaves;
  Placing at;
  at.serial = done.trap != 0 || (insn.flags & isa::kSerializing) != 0 ||
              (device_answer_ != 0 && !reads_port(done));
  at.serial_latency = serial_latency(done);
  at.mispredicted = !at.serial && wrong && !perfect_;
  at.decoded = placement_.decoded_now();
  const uint64_t done_at = placement_.place(op, done, at);
  if (within && done.injected != 0 && done.opclass == OpClass::kBranch) {
    placement_.set_decode_at(placement_.decode_at() + (random && taken ? kResumeCycles : 1));
  }
  if (leaves) leave_for_handler();
  if (at.serial) {
    finish_serial(done, done.trap != 0 || wrong || is_fence_i(done.insn));
  } else if (wrong && !ends) {
    leave_path(done, done_at);
  } else if (ends && !leaves && !within) {
    end_group(done, done_at);
  }
}

// Nothing younger is decoded until the instruction just placed commits.
void Pipeline::finish_serial(const RetireRecord& done, bool flush) {
  const uint64_t commit_at = serial_until_ = placement_.last_commit();
  placement_.cpi().start_refill(placement_.cpi().serial_class(done));
  if (!perfect_ && !flush) return;
  front_end_.drop_younger(commit_at);
  const bool trap = done.trap != 0 || done.itype == IType::kTrapReturn;
  front_end_.redirect(hart_.state().pc, commit_at + (trap ? params_.trap_cycles : 0));
}

// Taken when everything executed has committed. False: not before cycle `until`, or stopped.
bool Pipeline::interrupt(uint64_t until) {
  commit_.decode().draining = true;
  const uint64_t at = std::max(commit_.delivered() - 1, drained_at());
  if (at >= until) {
    deliver(until - 1);
    return false;
  }
  if (!deliver(at)) return false;
  commit_.decode().draining = hart_.interrupt_pending();
  if (!commit_.decode().draining || !rob_.drained()) return true;
  cycle_ = at;
  hart_.take_interrupt();
  hinted_ = false;
  placement_.cpi().enter_handler(hart_.state().mcause == kTimerCause ? CpiClass::kCodeChange
                                                                     : CpiClass::kHandler);
  ++stats_.interrupts;
  commit_.decode().draining = false;
  placement_.cpi().start_refill(CpiClass::kInterruptEntry);
  front_end_.drop_younger(at);
  placement_.set_decode_at(at);
  front_end_.redirect(hart_.state().pc, at + params_.trap_cycles);
  return true;
}

// The operating system takes the hart, when everything executed has committed: another thread may
// be next, or a signal's handler. False: not before cycle `until`, or stopped.
bool Pipeline::preempt(uint64_t until) {
  const uint64_t at = std::max(commit_.delivered() - 1, drained_at());
  if (at >= until) {
    deliver(until - 1);
    return false;
  }
  if (!deliver(at)) return false;
  if (!rob_.drained()) return true;
  cycle_ = at;
  const uint16_t thread = hart_.state().thread;
  if (!hart_.preempt()) {
    commit_.decode().hart_stopped = true;
    return true;
  }
  hinted_ = false;
  const bool switched = hart_.state().thread != thread;
  stats_.switches += switched ? 1 : 0;
  placement_.cpi().start_refill(CpiStack::class_of_serial(kEcall));
  front_end_.drop_younger(at);
  placement_.set_decode_at(at);
  front_end_.redirect(hart_.state().pc, at + (switched ? params_.switch_cycles : 0));
  return true;
}

// The hart sleeps in WFI. False: until cycle `until` and longer, or stopped.
bool Pipeline::idle(uint64_t until) {
  for (;;) {
    hart_.poll_counters();
    if ((hart_.state().mip & hart_.state().mie) != 0 || hart_.preemption_due()) break;
    if (commit_.delivered() >= until) return false;
    const bool nothing = rob_.drained() && !commit_.sink_is_busy();
    const uint64_t before = commit_.delivered();
    const bool goes_on = deliver(nothing ? until - 1 : before);
    stats_.stall.idle += commit_.delivered() - before;
    if (!goes_on) return false;
  }
  waiting_for_interrupt_ = false;
  placement_.set_decode_at(std::max(placement_.decode_at(), commit_.delivered() - 1));
  return true;
}

const PipelineStats& Pipeline::stats() const {
  stats_.cycles = cycle_ - stats_since_;
  return stats_;
}

uint64_t Pipeline::event_count(HpmEvent event) const {
  if (event == HpmEvent::kBranchMispredictions) return before_.mispredicted + stats_.mispredicted;
  const auto number =
      static_cast<uint32_t>(event) - static_cast<uint32_t>(HpmEvent::kFirstCpiEvent);
  return number < kCpiClassCount ? before_.cpi[number] + stats_.cpi[number] : 0;
}

void Pipeline::reset_statistics() {
  before_.mispredicted += stats_.mispredicted;
  for (unsigned i = 0; i < kCpiClassCount; ++i) before_.cpi[i] += stats_.cpi[i];
  stats_ = PipelineStats();
  stats_since_ = cycle_;
  placement_.cpi().reset();
}

}  // namespace strobe::core
