// The instruction that each cycle of a hart belongs to: the rule of time-proportional profiling
// (Gottschall, Eeckhout and Jahre, "TIP: Time-Proportional Instruction Profiling", MICRO 2021,
// section 3).
//
// - A cycle in which n instructions commit belongs to each of them with 1/n.
// - A cycle without a commit belongs to the oldest instruction that has been dispatched: renamed,
//   in this core.
// - When none has been dispatched, the cycle belongs to the last instruction that committed, if
//   that one emptied the pipeline: it was mispredicted, it trapped, or it is a serializing
//   instruction. Else it belongs to the next one that commits: the front end was late with it, or
//   an interrupt came before it.
//
// A cycle is known when the next instruction commits; until then it is not handed out.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sc_models/core/back_end/reorder_buffer.h"
#include "sc_models/isa/decode/decoded.h"
#include "sc_models/machine/outcome/truth_outcome.h"
#include "sc_models/port/retire.h"

namespace strobe::truth {

class Attribution {
 public:
  /// @param rob  of the hart that is observed
  explicit Attribution(const core::ReorderBuffer& rob) : rob_(rob) {}

  /// Cycles from `cycle` on are attributed. Until then the commits only say what committed last.
  void begin(uint64_t cycle) { from_ = cycle; }

  /// The last `count` instructions before the head of the reorder buffer committed in `cycle`,
  /// which rises from call to call; count is at most kMaxRetireWidth and may be 0. No instruction
  /// commits in a cycle that is left out.
  /// @param take  called as take(record, from, cycles, parts) for each instruction that cycles
  ///              belong to, in the order of time: of `cycles` cycles, of which `from` is the
  ///              first, it has `parts` / kCycleParts each. The shares of a cycle in which several
  ///              commit come one after the other.
  template <class Take>
  void commit(uint64_t cycle, unsigned count, Take take) {
    if (count == 0) return;
    const uint64_t first = rob_.head() - count;
    if (cycle >= from_) {
      settle(cycle, first, take);
      for (unsigned i = 0; i < count; ++i) {
        take(rob_.record(first + i), cycle, uint64_t{1}, platform::kCycleParts / count);
      }
      from_ = cycle + 1;
    }
    last_ = rob_.record(first + count - 1);
    any_committed_ = true;
  }

  /// Attributes what is left before cycle `end`. With nothing in flight that is the last
  /// instruction's that committed.
  template <class Take>
  void end(uint64_t end, Take take) {
    if (!rob_.drained()) {
      settle(end, rob_.head(), take);
    } else if (any_committed_ && from_ < end) {
      take(last_, from_, end - from_, platform::kCycleParts);
    }
    from_ = core::kNever;
  }

 private:
  /// Attributes the cycles before `end`; `number` is the instruction that is the oldest then.
  template <class Take>
  void settle(uint64_t end, uint64_t number, Take& take) const {
    if (from_ >= end) return;
    const RetireRecord& next = rob_.record(number);
    const uint64_t dispatched = std::clamp(rob_.renamed(number), from_, end);
    if (dispatched > from_) {
      const bool refill = any_committed_ && next.intr == 0 && empties_pipeline(last_);
      take(refill ? last_ : next, from_, dispatched - from_, platform::kCycleParts);
    }
    if (end > dispatched) take(next, dispatched, end - dispatched, platform::kCycleParts);
  }

  static bool empties_pipeline(const RetireRecord& record) {
    if ((record.mispredicted | record.trap) != 0) return true;
    return (isa::decode(record.insn).flags & isa::kSerializing) != 0;
  }

  const core::ReorderBuffer rob_;
  RetireRecord last_;  // the last that committed
  bool any_committed_ = false;
  uint64_t from_ = core::kNever;  // the first cycle that has not been attributed
};

}  // namespace strobe::truth
