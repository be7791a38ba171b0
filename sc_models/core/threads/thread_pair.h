// Runs the pipelines of the two harts of a core together.
//
// The hart whose next fetch is earlier goes first: it fetches a group, or executes and places
// instructions of the present one. When both would fetch in the same cycle, priority and then
// SmtParams::fetch decide.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "sc_models/core/core_stop.h"
#include "sc_models/core/pipeline.h"
#include "sc_models/core/threads/shared_core.h"

namespace strobe::core {

class ThreadPair {
 public:
  /// Keeps references. Both harts are off.
  ThreadPair(SharedCore& core, Pipeline& first, Pipeline& second)
      : core_(core), pipelines_{&first, &second} {}

  /// The hart takes part from now on, until it stops; its pipeline has been restarted.
  void turn_on(unsigned hart);
  /// Calls `restart`, which turns the second hart on, between two steps: for the first one, which
  /// is executing when it starts the other.
  void before_next_step(std::function<void()> restart) { before_next_step_ = std::move(restart); }
  bool is_on(unsigned hart) const { return on_[hart]; }
  /// Why a hart that has been turned on is off.
  CoreStop stop(unsigned hart) const { return stops_[hart]; }

  /// Runs until cycle `until`, or until the first hart stops or the second is stuck: kDeadlock.
  CoreStop run(uint64_t until);

 private:
  // Harts are brought to the same cycle this often: an interrupt that one raises for the other, and
  // a store that has been written, is seen that late at most.
  static constexpr uint64_t kStep = 10;
  static constexpr uint64_t kStepAlone = 100;  // while the second hart is off
  // Cycles that the cache may refuse a hart's oldest store because the other hart, which asks about
  // later cycles, takes the miss registers. Then the store gets the next one that is free.
  static constexpr uint64_t kPatience = 100;
  static constexpr unsigned kNone = SharedCore::kHarts;

  CoreStop step(uint64_t until);
  CoreStop step_alone(uint64_t until);
  unsigned next();
  const Pipeline::Turn& turn(unsigned hart);
  unsigned preferred(uint64_t cycle);
  void end_step(uint64_t until);

  SharedCore& core_;
  Pipeline* const pipelines_[SharedCore::kHarts];
  bool on_[SharedCore::kHarts] = {};
  bool done_[SharedCore::kHarts] = {};  // in the present step
  uint64_t last_fetch_[SharedCore::kHarts] =
      {};                                // what has a turn from then on is not of this step
  bool moved_[SharedCore::kHarts] = {};  // since its turn was determined
  Pipeline::Turn turns_[SharedCore::kHarts] = {};
  CoreStop stops_[SharedCore::kHarts] = {};
  std::function<void()> before_next_step_;
};

}  // namespace strobe::core
