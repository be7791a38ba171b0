#include "sc_models/core/back_end/commit.h"

#include <algorithm>

namespace strobe::core {

void Commit::set_interval(uint64_t user_instructions) {
  interval_ = user_instructions;
  interval_at_ = user_instructions == 0 ? ~uint64_t{0} : user_committed_ + user_instructions;
}

CoreStop Commit::deliver(uint64_t through) {
  if (interrupt_waits()) return CoreStop::kNone;  // since the cycle in which the run stopped
  while (delivered_ <= through) {
    const uint64_t cycle = delivered_;
    const uint64_t next = rob_.drained() ? kNever : rob_.committed_at(rob_.head());
    if (next > cycle && !interest_.busy) {
      uint64_t end = std::min(next - 1, through);
      const bool stuck = end - last_progress_ >= params_.watchdog_cycles;
      if (stuck) end = last_progress_ + params_.watchdog_cycles;
      cpi_.account_quiet(cycle, end, decode_.draining, front_end_wait());
      delivered_ = end + 1;
      if (stuck) return CoreStop::kDeadlock;
      continue;
    }
    unsigned picks = 0;
    const unsigned count = next > cycle ? 0
                           : picks_     ? commit<true>(cycle, &picks)
                                        : commit<false>(cycle, &picks);
    const bool shown = picks != 0 || interest_.busy;
    if (shown) show(cycle, count, picks);
    delivered_ = cycle + 1;
    cpi_.account(cycle, decode_.draining, front_end_wait());
    const CoreStop stop = stop_after(cycle, count > 0);
    if (stop != CoreStop::kNone) return stop;
    if (shown && interrupt_waits()) break;
  }
  return CoreStop::kNone;
}

// Whether the run stops after this cycle.
[[gnu::always_inline]] inline CoreStop Commit::stop_after(uint64_t cycle, bool committed) {
  CoreStop stop = CoreStop::kNone;
  if (committed) {
    last_progress_ = cycle;
  } else if (cycle - last_progress_ >= params_.watchdog_cycles) {
    stop = CoreStop::kDeadlock;
  }
  if (user_committed_ >= interval_at_) {
    stop = CoreStop::kInterval;
    while (interval_at_ <= user_committed_) interval_at_ += interval_;
  }
  return user_committed_ >= user_limit_ ? CoreStop::kUserLimit : stop;
}

// The instructions that commit in this cycle.
template <bool kPicks>
[[gnu::always_inline]] inline unsigned Commit::commit(uint64_t cycle, unsigned* picks) {
  const uint64_t first = rob_.head();
  uint64_t most = std::min(first + params_.commit_width, rob_.placed());
  if (user_committed_ + params_.commit_width > user_limit_) most = limited(first, most, cycle);
  const RetireKinds kinds = interest_.kinds;
  uint64_t machine = 0, beside = 0, end = first;
  for (; end < most && rob_.committed_at(end) <= cycle; ++end) {
    const RetireRecord& done = rob_.record(end);
    bool picked = kPicks && kinds.has_user(done.opclass);
    if (!is_plain_user(done)) {
      picked = kPicks && kinds.has(done);
      if ((done.trap | done.injected) != 0) {
        ++(done.trap != 0 ? stats_.traps : stats_.injected);
        ++beside;
        picked_[*picks] = &done;
        *picks += (done.injected != 0 ? interest_.injected : picked) ? 1 : 0;
        continue;
      }
      ++machine;
    }
    if (kPicks) {
      picked_[*picks] = &done;
      *picks += picked ? 1 : 0;
    }
    ++stats_.opclass[static_cast<unsigned>(done.opclass)];
  }
  rob_.commit(end);
  const uint64_t counted = end - first - beside, user = counted - machine;
  committed_ += counted;
  user_committed_ += user;
  stats_.user += user;
  stats_.machine += machine;
  cpi_.commit(user);
  return static_cast<unsigned>(end - first);
}

// Shows the sink the `count` instructions that have just committed; `picks` of them are picked_.
void Commit::show(uint64_t cycle, unsigned count, unsigned picks) {
  const uint64_t oldest = rob_.head() - count;
  const RetireRecord* lanes = &rob_.record(oldest);
  if (rob_.place_of(oldest) + count > rob_.size()) {  // the ring ends in between
    for (unsigned i = 0; i < count; ++i) lanes_[i] = rob_.record(oldest + i);
    for (unsigned i = 0; i < picks; ++i) {
      const auto place = static_cast<uint64_t>(picked_[i] - rob_.records());
      picked_[i] = &lanes_[rob_.place_of(place - rob_.place_of(oldest))];
    }
    lanes = lanes_;
  }
  take(sink_->retire(cycle, lanes, count, picked_, picks));
}

// The end of those that may commit without going beyond the limit; the next one waits.
uint64_t Commit::limited(uint64_t first, uint64_t end, uint64_t cycle) {
  uint64_t left = user_limit_ - user_committed_;
  for (uint64_t number = first; number < end && rob_.committed_at(number) <= cycle; ++number) {
    const RetireRecord& done = rob_.record(number);
    if (left == 0) {
      cpi_.forget(number);
      return number;
    }
    const bool counts = (done.trap | done.injected) == 0;
    if (counts && done.mode == PrivilegeMode::kUser) --left;
  }
  return end;
}

}  // namespace strobe::core
