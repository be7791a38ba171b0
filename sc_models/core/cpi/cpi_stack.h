// Where the cycles of a hart go: one class a cycle. docs/blocks/core.md, "The CPI stack"
#pragma once

#include <cstdint>
#include <vector>

#include "sc_models/core/back_end/operation.h"
#include "sc_models/core/back_end/placing.h"
#include "sc_models/core/back_end/reorder_buffer.h"
#include "sc_models/core/cpi/cpi.h"
#include "sc_models/core/cpi/stats.h"
#include "sc_models/core/params.h"

namespace strobe::core {

/// Whether a 32-bit encoding is that of FENCE.I.
constexpr bool is_fence_i(uint32_t insn) { return (insn & 0x0000707f) == 0x0000100f; }

class CpiStack {
 public:
  /// What the front end waits for while nothing is in flight.
  struct FrontEndWait {
    PrivilegeMode mode;            // the hart's
    uint64_t missed_at = kNever;   // a line of instructions is on its way after this cycle,
    uint64_t fetched_at = kNever;  // through this one
  };

  /// Keeps references.
  CpiStack(const CoreParams& params, const ReorderBuffer& rob, PipelineStats& stats)
      : params_(params), rob_(rob), stats_(stats), intervals_(rob.size()) {}

  /// From here on the front end has nothing because of `why`, until an instruction that is placed
  /// from now on has committed.
  void start_refill(CpiClass why) {
    refill_ = why;
    refill_mark_ = rob_.placed();
  }
  CpiClass refill() const { return refill_; }
  /// Rename waits for the back end, through cycle `through`.
  void hold_rename(uint64_t through, CpiClass what) {
    wait_class_ = what;
    waited_through_ = through;
  }

  /// Notes the cycles in which the instruction is the oldest.
  /// @param unit_latency  of its functional unit
  void note(const Operation& op, const RetireRecord& done, const Placing& at, uint64_t number,
            uint64_t unit_latency);
  /// It does not commit when it was said to: its further cycles go to its dependency.
  void forget(uint64_t number) { intervals_[rob_.place_of(number)] = Intervals(); }

  /// `user` instructions of the program have committed in the present cycle.
  void commit(uint64_t user) {
    base_credit_ += user;
    if (rob_.head() > refill_mark_) refill_ = CpiClass::kFetch;
  }
  /// One class for this cycle, after its commits. Commits of less than the full width are saved up
  /// until they make a cycle of it.
  /// @param draining    for an interrupt
  /// @param front_end   called for a FrontEndWait when nothing is in flight
  template <class FrontEnd>
  void account(uint64_t cycle, bool draining, FrontEnd front_end) {
    if (base_credit_ < params_.commit_width) {
      return account_quiet(cycle, cycle, draining, front_end);
    }
    base_credit_ -= params_.commit_width;
    charge(cycle, cycle, CpiClass::kBase);
  }
  /// Nothing commits in these cycles: they go to what the oldest instruction waits for.
  template <class FrontEnd>
  void account_quiet(uint64_t from, uint64_t through, bool draining, FrontEnd front_end) {
    if (!rob_.drained()) return charge_oldest(from, through, draining);
    charge_empty(from, through, draining, front_end());
  }
  void reset() { base_credit_ = 0; }

  /// A handler begins: machine mode is `what` from here on.
  void enter_handler(CpiClass what) { handler_ = what; }

  /// The class of the cycles in which a serializing instruction is alone.
  CpiClass serial_class(const RetireRecord& record) const;
  /// The same of one that the program executes, from its encoding.
  static CpiClass class_of_serial(uint32_t insn);

 private:
  // Where the cycles go in which an instruction is the oldest: up to and with cycle end[i] to
  // what[i], then to the next; the last end is kNever.
  struct Intervals {
    static constexpr unsigned kMost = 7;
    uint64_t end[kMost] = {kNever};
    CpiClass what[kMost] = {CpiClass::kDependency};
    bool fixed = false;  // even while an interrupt waits
  };

  void charge_oldest(uint64_t from, uint64_t through, bool draining) {
    const Intervals& intervals = intervals_[rob_.place_of(rob_.head())];
    if (draining && !intervals.fixed) return charge(from, through, CpiClass::kInterruptEntry);
    for (unsigned i = 0;; ++i) {
      if (intervals.end[i] < from) continue;
      if (intervals.end[i] >= through) return charge(from, through, intervals.what[i]);
      charge(from, intervals.end[i], intervals.what[i]);
      from = intervals.end[i] + 1;
    }
  }
  void charge_empty(uint64_t from, uint64_t through, bool draining, const FrontEndWait& wait);
  void charge(uint64_t from, uint64_t through, CpiClass what) {
    stats_.cpi[static_cast<unsigned>(what)] += through + 1 - from;
  }

  const CoreParams params_;
  const ReorderBuffer rob_;
  PipelineStats& stats_;
  std::vector<Intervals> intervals_;        // by number of the instruction
  CpiClass refill_ = CpiClass::kFetch;      // why the front end has nothing, until an instruction
  uint64_t refill_mark_ = 0;                // with this number or a later one has committed
  CpiClass wait_class_ = CpiClass::kFetch;  // what rename last waited for in the back end,
  uint64_t waited_through_ = 0;             // and the cycle in which it went on
  CpiClass handler_ = CpiClass::kHandler;   // what machine mode is
  uint64_t base_credit_ = 0;                // committed, less commit_width for each base cycle
};

}  // namespace strobe::core
