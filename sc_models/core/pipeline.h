// The pipeline of the core: plain C++, no SystemC. Instructions are placed, not moved.
//
// The hart executes instructions in program order. Each is placed as soon as it is executed: the
// cycles in which it is fetched, decoded, renamed, issued, completed and committed follow from
// those of the instructions before it, from the slots and units they have left, and from what the
// caches answer. Nothing is done cycle by cycle but what the world outside sees: commit.
// docs/blocks/core.md has the rules.
//
//   front_end.h        where fetch goes and in which cycle; the wrong path
//   pipeline.cpp       decode: the hart, interrupts, what serializes, replacement sequences
//   placement.h        rename, issue, completion
//   load_store_unit.h  load and store queues, the data cache
//   commit.h           commit as the retire sink sees it
//   cpi_stack.h        where the cycles went
//
// Each stage owns its state. A hart has its own front end, register times, queues, reorder buffer
// and counts. What two harts on one core share is in threads/shared_core.h, and
// threads/thread_pair.h runs their pipelines together.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "sc_models/core/back_end/commit.h"
#include "sc_models/core/back_end/load_store_unit.h"
#include "sc_models/core/back_end/placement.h"
#include "sc_models/core/back_end/reorder_buffer.h"
#include "sc_models/core/core_stop.h"
#include "sc_models/core/cpi/cpi_stack.h"
#include "sc_models/core/cpi/stats.h"
#include "sc_models/core/front_end/front_end.h"
#include "sc_models/core/params.h"
#include "sc_models/core/trace/tracer.h"
#include "sc_models/isa/hart/hart.h"
#include "sc_models/port/decode_engine.h"
#include "sc_models/port/hpm_event.h"
#include "sc_models/port/retire_sink.h"
#include "sc_models/port/timing_port.h"

namespace strobe::core {

class Pipeline {
 public:
  /// What a hart that shares its core does next: in which cycle of fetch, and whether it takes that
  /// cycle. What leaves decode has the cycle in which it is fetched if it does not wait there. 0:
  /// neither.
  struct Turn {
    uint64_t at;
    bool fetches;
  };

  /// Throws std::invalid_argument when a parameter is not usable.
  /// @param share  what another hart leaves it of the core, whose SharedCore::hart_params() are
  /// then
  ///               the parameters; null: the hart has the core for itself
  Pipeline(const CoreParams& params, isa::Hart& hart, CoreShare* share = nullptr);

  void bind_caches(TimingPort& instructions, TimingPort& data);
  void set_retire_sink(RetireSink* sink) { commit_.set_sink(sink); }
  /// Other harts share the memory: a store is presented to the data cache no later than run() ends.
  void share_memory() { shared_ = true; }

  /// Shows `trace` what becomes of each instruction, until its window is over. Before the first
  /// run.
  void set_trace(PipelineTrace* trace) { tracer_.set(trace); }
  /// The hart's programs are edited by `engine`, which must outlive the runs. Before the first.
  void set_decode_engine(DecodeEngine& engine, const ExpansionParams& params) {
    front_end_.wrong_path().set_engine(engine, params);
  }

  /// Drops everything in flight; fetch starts at the hart's pc.
  void restart();
  /// Nothing is in flight: the hart was off up to cycle `cycle`. The cycles are not counted.
  void skip_to(uint64_t cycle);
  /// Runs until cycle `until` or a stop.
  CoreStop run(uint64_t until);

  /// run() in parts, for two harts that take turns: begin(), advance() up to the first false,
  /// end().
  void begin(uint64_t until);
  /// Takes its turn, the last next_turn(): fetches the next group, executes of the present one what
  /// goes together, or claims a cycle of fetch. False: there is no more to do before cycle `until`,
  /// or the run has stopped.
  bool advance(uint64_t until, const Turn& turn);
  CoreStop end(uint64_t until);
  /// It changes with advance(), and with a cycle of fetch that the other hart takes.
  Turn next_turn();
  /// In a turn that fetches in cycle `cycle`: whether there is room for fetch_width instructions.
  bool has_room(uint64_t cycle) const { return front_end_.has_room(cycle); }
  /// What has a turn in this cycle or later is not executed before cycle `until`.
  uint64_t last_fetch_before(uint64_t until) const {
    return until - (perfect_ ? 0 : std::min<uint64_t>(until, params_.front_end_stages - 1));
  }
  /// Whether the hart waits for an interrupt in WFI.
  bool sleeps() const { return waiting_for_interrupt_; }
  /// The cycles up to now do not count as cycles without a commit.
  void reset_watchdog() { commit_.note_progress(commit_.delivered()); }
  /// Shows the sink what commits before cycle `until`; advance() is not due before.
  void deliver_before(uint64_t until);
  /// Stops in the cycle in which user_committed() reaches `limit`, exactly there; kNever: no limit.
  void set_user_limit(uint64_t limit) { commit_.set_user_limit(limit); }

  /// From now on stops with kInterval in the first cycle in which another `user_instructions` have
  /// committed; 0: no more. Changes nothing else: run() goes on as if it had not stopped.
  void set_interval(uint64_t user_instructions) { commit_.set_interval(user_instructions); }

  /// The hart's timer interrupt is pending from cycle `cycle` on, and not before; kNever: no more.
  void set_timer(uint64_t cycle);

  /// The environment reports the cycle at which the device access of the present step is answered.
  void device_answers_at(uint64_t cycle) { device_answer_ = cycle; }

  /// For warming, between restart() and the next run.
  Predictor& predictor() { return front_end_.predictor(); }

  uint64_t cycle() const { return cycle_; }
  /// No cache will be asked about an earlier cycle than this, cycle() or one before it.
  uint64_t settled() const { return std::min(cycle_, front_end_.cycle()); }
  uint64_t user_committed() const { return commit_.user_committed(); }
  uint64_t committed() const { return commit_.committed(); }  // both modes; neither is ever reset
  bool drained() const { return rob_.drained(); }
  const ReorderBuffer& reorder_buffer() const { return rob_; }
  /// Whether the run has stopped before its last cycle.
  bool stopped() const { return stop_ != CoreStop::kNone; }
  const PipelineStats& stats() const;
  /// Mispredictions or the cycles of a CPI class, since time 0; 0 of other events.
  uint64_t event_count(HpmEvent event) const;
  void reset_statistics();
  std::string dump_state() const;

 private:
  void fetch();
  bool execute(uint64_t until);
  bool execute_next(uint64_t until);
  uint64_t decode_turn() const;
  bool execute_run();
  void execute_one();
  isa::StepStatus step(RetireRecord& done);
  Operation stepped_operation(const RetireRecord& done) const;
  bool reads_port(const RetireRecord& done) const {
    return done.mem_rmask != 0 && hart_.is_core_port(done.mem_addr);
  }
  uint32_t serial_latency(const RetireRecord& done) const;
  void end_group(const RetireRecord& last, uint64_t done_at);
  void leave_path(const RetireRecord& branch, uint64_t resolved_at);
  void leave_for_handler();
  void finish_serial(const RetireRecord& done, bool flush);
  bool sequence_ready();
  bool interrupt(uint64_t until);
  bool preempt(uint64_t until);
  bool idle(uint64_t until);
  bool finish_stopped(uint64_t until);
  // The next instruction of the group is executed after those before it, and no more than
  // decode_width that rename has not taken. With perfect prediction the hart executes at fetch.
  uint64_t execution_cycle() const {
    const uint64_t decode_at = placement_.decode_at();
    if (perfect_) return std::max(decode_at, group().fetched_at);
    const uint64_t room_at = rob_.renamed(rob_.placed() - params_.decode_width);
    return std::max(std::max(decode_at, room_at),
                    group().fetched_at + params_.front_end_stages - 1);
  }
  FetchGroup& group() { return front_end_.group(); }
  const FetchGroup& group() const { return front_end_.group(); }
  bool deliver_to_timer();
  uint64_t stations_taken() const {
    return share_ == nullptr ? resources_.slots.waiting() : share_->stations_taken();
  }
  // Commit goes on to cycle `through`. False: the run has stopped.
  bool deliver(uint64_t through) {
    if (timer_at_ <= through && !deliver_to_timer()) return false;
    stop_ = commit_.deliver(through);
    if (stop_ == CoreStop::kNone) return true;
    cycle_ = commit_.delivered();
    return false;
  }
  // When all that has been executed will have committed. Where a limit has put off commits, not all
  // may have by then: the next cycle.
  uint64_t drained_at() const {
    const uint64_t last = placement_.last_commit(), delivered = commit_.delivered();
    return last < delivered && !rob_.drained() ? delivered : last;
  }

  const CoreParams params_;
  isa::Hart& hart_;
  mutable PipelineStats stats_;
  CoreShare* const share_;
  std::optional<ExecutionResources> own_resources_;  // when the hart has the core for itself
  ExecutionResources& resources_;
  ReorderBuffer rob_;
  Tracer tracer_;
  FrontEnd front_end_;
  Placement placement_;
  Commit commit_;
  const bool perfect_;
  const uint32_t hint_;  // the encoding of ntl.all; 0, which nothing has, if it is ignored
  bool shared_ = false;
  uint64_t cycle_ = 0, stats_since_ = 0;
  PipelineStats before_;  // what event_count() needs of the counts before stats_since_
  CoreStop stop_ = CoreStop::kNone;

  // Decode.
  Operation described_[FetchRun::kMost];  // the group's, where other code has been executed
  uint64_t serial_until_ = 0;  // nothing is decoded before: a serializing instruction commits then
  uint64_t device_answer_ = 0;
  bool stores_first_ = false;   // it waits for the stores, too
  bool hinted_ = false;         // the last instruction executed is an ntl.all that is honored
  uint64_t timer_at_ = kNever;  // the cycle in which the timer will raise its interrupt
  bool waiting_for_interrupt_ = false;
};

}  // namespace strobe::core
