// Commit as the world outside sees it, cycle by cycle: the retire sink, stops, statistics.
#include <algorithm>

#include "sc_models/core/pipeline.h"

namespace strobe::core {

// Goes on to cycle `through`, or to the one in which the run stops or an interrupt is to be taken.
void Pipeline::deliver(uint64_t through) {
  if (interrupt_waits()) return;  // since the cycle in which the run stopped
  while (delivered_ <= through) {
    const uint64_t cycle = delivered_;
    const uint64_t next = head_ == placed_ ? kNever : committed_at(head_);
    if (next > cycle && !interest_.busy) {
      uint64_t end = std::min(next - 1, through);
      if (end - last_progress_ >= params_.watchdog_cycles) {
        end = last_progress_ + params_.watchdog_cycles;
        stop_ = CoreStop::kDeadlock;
      }
      account_quiet(cycle, end);
      delivered_ = end + 1;
      if (stop_ == CoreStop::kNone) continue;
      cycle_ = end + 1;
      return;
    }
    unsigned picks = 0;
    const unsigned count = next > cycle ? 0
                           : picks_     ? commit<true>(cycle, &picks)
                                        : commit<false>(cycle, &picks);
    if (picks != 0 || interest_.busy) show(cycle, count, picks);
    delivered_ = cycle + 1;
    account(cycle);
    if (count > 0) {
      last_progress_ = cycle;
    } else if (cycle - last_progress_ >= params_.watchdog_cycles) {
      stop_ = CoreStop::kDeadlock;
    }
    if (user_committed_ >= interval_at_) {
      stop_ = CoreStop::kInterval;
      while (interval_at_ <= user_committed_) interval_at_ += interval_;
    }
    if (user_committed_ >= user_limit_) stop_ = CoreStop::kUserLimit;
    if (stop_ != CoreStop::kNone) {
      cycle_ = cycle + 1;
      return;
    }
    if (interrupt_waits()) return;
  }
}

// The instructions that commit in this cycle.
template <bool kPicks>
[[gnu::always_inline]] inline unsigned Pipeline::commit(uint64_t cycle, unsigned* picks) {
  const uint64_t first = head_, mask = mask_;
  uint64_t most = std::min(first + params_.commit_width, placed_);
  if (user_committed_ + params_.commit_width > user_limit_) most = limited(first, most, cycle);
  uint64_t user = 0, beside = 0, end = first;
  for (; end < most && committed_at_[end & mask] <= cycle; ++end) {
    const RetireRecord& done = records_[end & mask];
    if ((done.trap | done.injected) != 0) {
      ++(done.trap != 0 ? stats_.traps : stats_.injected);
      ++beside;
      picked_[*picks] = &done;
      if (done.injected != 0 ? interest_.injected : interest_.kinds.has(done)) ++*picks;
      continue;
    }
    if (kPicks) {
      picked_[*picks] = &done;
      *picks += interest_.kinds.has(done) ? 1 : 0;
    }
    ++stats_.opclass[static_cast<unsigned>(done.opclass)];
    user += done.mode == PrivilegeMode::kUser ? 1 : 0;
  }
  head_ = end;
  const uint64_t counted = end - first - beside;
  committed_ += counted;
  user_committed_ += user;
  stats_.user += user;
  stats_.machine += counted - user;
  base_credit_ += user;
  if (head_ > refill_mark_) refill_ = CpiClass::kFetch;
  return static_cast<unsigned>(end - first);
}

// The `count` instructions that have just committed; `picks` of them are picked_.
void Pipeline::show(uint64_t cycle, unsigned count, unsigned picks) {
  const uint64_t first = (head_ - count) & mask_;
  const RetireRecord* lanes = &records_[first];
  if (first + count > mask_ + 1) {  // the ring ends in between
    for (unsigned i = 0; i < count; ++i) lanes_[i] = record(head_ - count + i);
    for (unsigned i = 0; i < picks; ++i) {
      const auto place = static_cast<uint64_t>(picked_[i] - records_.data());
      picked_[i] = &lanes_[(place - first) & mask_];
    }
    lanes = lanes_;
  }
  sink_->retire(cycle, lanes, count, picked_, picks);
  ask_sink();
}

// Those that may commit without going beyond the limit; the next one waits.
uint64_t Pipeline::limited(uint64_t first, uint64_t end, uint64_t cycle) {
  uint64_t left = user_limit_ - user_committed_;
  for (uint64_t number = first; number < end && committed_at(number) <= cycle; ++number) {
    const RetireRecord& done = record(number);
    if (left == 0) {
      held_[number & mask_] = Held();
      return number;
    }
    const bool counts = (done.trap | done.injected) == 0;
    if (counts && done.mode == PrivilegeMode::kUser) --left;
  }
  return end;
}

}  // namespace strobe::core
