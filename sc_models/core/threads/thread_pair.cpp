#include "sc_models/core/threads/thread_pair.h"

#include <algorithm>

namespace strobe::core {

void ThreadPair::turn_on(unsigned hart) {
  on_[hart] = true;
  stops_[hart] = CoreStop::kNone;
}

CoreStop ThreadPair::run(uint64_t until) {
  CoreStop stop = CoreStop::kNone;
  while (stop == CoreStop::kNone && core_.cycle < until) {
    if (before_next_step_) std::exchange(before_next_step_, {})();
    stop = on_[1] ? step(std::min(core_.cycle + kStep, until))
                  : step_alone(std::min(core_.cycle + kStepAlone, until));
  }
  return stop;
}

CoreStop ThreadPair::step_alone(uint64_t until) {
  Pipeline& pipeline = *pipelines_[0];
  core_.harts[1].next_fetch = kNever;
  stops_[0] = pipeline.run(std::max(until, pipeline.cycle()));
  core_.reach(pipeline.stopped() ? pipeline.cycle() : until);
  return stops_[0];
}

[[gnu::always_inline]] inline const Pipeline::Turn& ThreadPair::turn(unsigned hart) {
  Pipeline::Turn& turn = turns_[hart];
  if (!on_[hart]) {
    turn = {kNever, false};
  } else if (moved_[hart] || (turn.fetches && !core_.fetch_port.is_free(hart, turn.at))) {
    turn = pipelines_[hart]->next_turn();
    moved_[hart] = false;
  }
  return turn;
}

// The hart whose turn it is; kNone: neither has anything to do in this step.
[[gnu::always_inline]] inline unsigned ThreadPair::next() {
  uint64_t at[SharedCore::kHarts] = {kNever, kNever};
  for (unsigned hart = 0; hart < SharedCore::kHarts; ++hart) {
    const uint64_t next = turn(hart).at;
    core_.harts[hart].next_fetch = next == 0 ? kNever : next;
    if (!done_[hart] && next < last_fetch_[hart]) at[hart] = next;
  }
  const bool fetches[SharedCore::kHarts] = {turns_[0].fetches, turns_[1].fetches};
  if (at[0] != at[1]) return at[0] < at[1] ? 0 : 1;
  if (at[0] == kNever) return kNone;
  if (fetches[0] != fetches[1]) return fetches[0] ? 1 : 0;
  return fetches[0] ? preferred(at[0]) : core_.fetch_port.last_before(at[0]) ^ 1;
}

CoreStop ThreadPair::step(uint64_t until) {
  for (unsigned hart = 0; hart < SharedCore::kHarts; ++hart) {
    done_[hart] = !on_[hart];
    moved_[hart] = true;
    if (!on_[hart]) continue;
    pipelines_[hart]->begin(until);
    last_fetch_[hart] = pipelines_[hart]->last_fetch_before(until);
    // It may wait as long as the other leaves it nothing, and sleep while the other one does not.
    const bool sleeps = pipelines_[hart]->sleeps() && (hart == 1 || !pipelines_[1]->sleeps());
    const bool waits = core_.harts[hart].low_priority || sleeps;
    if (waits) pipelines_[hart]->reset_watchdog();
  }
  while (!pipelines_[0]->stopped()) {
    const unsigned hart = next();
    if (hart == kNone) break;
    done_[hart] = !pipelines_[hart]->advance(until, turns_[hart]);
    moved_[hart] = true;
  }
  end_step(pipelines_[0]->stopped() ? pipelines_[0]->cycle() : until);
  if (stops_[0] != CoreStop::kNone) return stops_[0];
  return stops_[1] == CoreStop::kDeadlock ? CoreStop::kDeadlock : CoreStop::kNone;
}

// The hart that fetches in cycle `cycle`, in which both could. One without room for a whole group
// has enough to decode.
unsigned ThreadPair::preferred(uint64_t cycle) {
  const bool room[SharedCore::kHarts] = {pipelines_[0]->has_room(cycle),
                                         pipelines_[1]->has_room(cycle)};
  if (room[0] != room[1]) return room[0] ? 0 : 1;
  const bool low[SharedCore::kHarts] = {core_.harts[0].low_priority, core_.harts[1].low_priority};
  if (low[0] != low[1]) return low[0] ? 1 : 0;
  if (core_.params.smt.fetch == FetchPolicy::kIcount) {
    unsigned count[SharedCore::kHarts];
    for (unsigned hart = 0; hart < SharedCore::kHarts; ++hart) {
      count[hart] = core_.not_issued[hart].at(0, cycle);
      core_.not_issued[hart].at(1, cycle);
    }
    if (count[0] != count[1]) return count[0] < count[1] ? 0 : 1;
  }
  return core_.fetch_port.last_before(cycle) ^ 1;
}

void ThreadPair::end_step(uint64_t until) {
  for (unsigned hart = 0; hart < SharedCore::kHarts; ++hart) {
    if (!on_[hart]) continue;
    Pipeline& pipeline = *pipelines_[hart];
    if (!done_[hart] && !pipeline.stopped()) pipeline.deliver_before(until);
    stops_[hart] = pipeline.end(std::max(until, pipeline.cycle()));
  }
  if (stops_[1] == CoreStop::kHart) on_[1] = false;
  core_.reach(until);
  if (!on_[0] || !on_[1] || until < kPatience) return;
  for (const SharedCore::HartView& hart : core_.harts) hart.lsu->force_oldest(until - kPatience);
}

// What one of the pipelines tells the pair.
Pipeline::Turn Pipeline::next_turn() {
  if (commit_.decode().hart_stopped || waiting_for_interrupt_) return {0, false};
  if (group().left() == 0) return {front_end_.next_fetch(), true};
  const uint64_t decodes = decode_turn(), ahead = front_end_.next_ahead();
  return ahead < decodes ? Turn{ahead, true} : Turn{decodes, false};
}

uint64_t Pipeline::decode_turn() const {
  return last_fetch_before(std::max(execution_cycle(), serial_until_));
}

}  // namespace strobe::core
