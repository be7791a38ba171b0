// Commit of a hart as the world outside sees it, cycle by cycle: the retire sink, stops, counts.
// docs/blocks/core.md, "Commit"
#pragma once

#include <cstdint>

#include "sc_models/core/back_end/reorder_buffer.h"
#include "sc_models/core/core_stop.h"
#include "sc_models/core/cpi/cpi_stack.h"
#include "sc_models/core/cpi/stats.h"
#include "sc_models/core/front_end/front_end.h"
#include "sc_models/core/params.h"
#include "sc_models/isa/hart/hart.h"
#include "sc_models/port/retire_sink.h"

namespace strobe::core {

/// What decode does, as far as commit has to know it.
struct DecodeState {
  bool hart_stopped = false;
  bool draining = false;  // for an interrupt, which then is pending and enabled
};

class Commit {
 public:
  /// Keeps references.
  Commit(const CoreParams& params, const isa::Hart& hart, const ReorderBuffer& rob, CpiStack& cpi,
         const FrontEnd& front_end, PipelineStats& stats)
      : params_(params), hart_(hart), rob_(rob), cpi_(cpi), front_end_(front_end), stats_(stats) {}

  /// Decode keeps it up to date.
  DecodeState& decode() { return decode_; }
  const DecodeState& decode() const { return decode_; }

  void set_sink(RetireSink* sink) { sink_ = sink; }
  /// Asks the sink what it is called for.
  void ask_sink() {
    if (sink_ != nullptr) take(sink_->interest());
  }
  /// Whether the sink is called in every cycle.
  bool sink_is_busy() const { return interest_.busy; }

  void set_user_limit(uint64_t limit) { user_limit_ = limit; }
  /// From now on kInterval in the first cycle in which another `user_instructions` have committed;
  /// 0: no more.
  void set_interval(uint64_t user_instructions);
  /// Nothing is in flight: the sink is not shown the cycles before `cycle`.
  void skip_to(uint64_t cycle) { delivered_ = cycle; }
  /// The watchdog begins anew in cycle `cycle`.
  void note_progress(uint64_t cycle) { last_progress_ = cycle; }

  /// Goes on to cycle `through`, or to the one in which the run stops or an interrupt is to be
  /// taken. After a stop delivered() is the cycle after it.
  CoreStop deliver(uint64_t through);

  /// The first cycle that the sink has not been shown.
  uint64_t delivered() const { return delivered_; }
  uint64_t last_progress() const { return last_progress_; }
  uint64_t user_committed() const { return user_committed_; }
  uint64_t committed() const { return committed_; }  // both modes; neither is ever reset

 private:
  void take(const RetireInterest& interest) {
    interest_ = interest;
    picks_ = interest.injected || !interest.kinds.empty();
  }
  bool interrupt_waits() const {
    return hart_.interrupt_pending() && !decode_.draining && !decode_.hart_stopped;
  }
  template <bool kPicks>
  unsigned commit(uint64_t cycle, unsigned* picks);
  CoreStop stop_after(uint64_t cycle, bool committed);
  void show(uint64_t cycle, unsigned count, unsigned picks);
  uint64_t limited(uint64_t first, uint64_t end, uint64_t cycle);
  auto front_end_wait() const {
    return [this] {
      const FetchGroup& group = front_end_.group();
      return CpiStack::FrontEndWait{hart_.state().mode, group.missed_at, group.fetched_at};
    };
  }

  const CoreParams params_;
  const isa::Hart& hart_;
  ReorderBuffer rob_;
  CpiStack& cpi_;
  const FrontEnd& front_end_;
  DecodeState decode_;
  PipelineStats& stats_;
  RetireSink* sink_ = nullptr;
  RetireInterest interest_;  // what the sink is called for
  bool picks_ = false;       // there are instructions it is called for
  uint64_t delivered_ = 0;
  uint64_t last_progress_ = 0;
  uint64_t committed_ = 0, user_committed_ = 0, user_limit_ = ~uint64_t{0};
  uint64_t interval_ = 0, interval_at_ = ~uint64_t{0};
  const RetireRecord* picked_[kMaxRetireWidth] = {};  // in the cycle that is delivered
  RetireRecord lanes_[kMaxRetireWidth];
};

}  // namespace strobe::core
