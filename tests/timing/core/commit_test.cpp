// Commit by itself: the test gives each instruction its cycle of commit and checks what the sink
// sees.
#include "sc_models/core/back_end/commit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "tests/timing/core/machine.h"

namespace strobe::test {
namespace {

using core::CoreStop;
using testing::ElementsAre;
using testing::Pair;

class Commits : public testing::Test, public RetireSink {
 protected:
  Commits() { commit.set_sink(this); }

  RetireInterest interest() const override { return {RetireKinds(0xffff, 0xffff), false, busy}; }
  RetireInterest retire(uint64_t cycle, const RetireRecord* /*lanes*/, unsigned count,
                        const RetireRecord* const* /*picked*/, unsigned /*picks*/) override {
    seen.emplace_back(cycle, count);
    return interest();
  }

  void place(uint64_t commit_at) {
    const uint64_t number = rob.place();
    rob.record(number) = RetireRecord();
    rob.record(number).mode = PrivilegeMode::kUser;
    rob.committed_at(number) = commit_at;
  }
  CoreStop deliver(uint64_t through) {
    commit.ask_sink();
    return commit.deliver(through);
  }

  core::CoreParams params;
  Machine machine{params};
  core::ReorderBuffer rob{64};
  core::PipelineStats stats;
  core::CpiStack cpi{params, rob, stats};
  core::Tracer tracer{params, rob, machine.hart};
  core::FrontEnd front_end{params, machine.hart, rob, stats, tracer, nullptr};
  core::Commit commit{params, machine.hart, rob, cpi, front_end, stats};
  bool busy = false;
  std::vector<std::pair<uint64_t, unsigned>> seen;
};

TEST_F(Commits, AreShownInTheirCycleAndNoOther) {
  for (const uint64_t at : {3, 3, 3, 7}) place(at);
  EXPECT_EQ(deliver(10), CoreStop::kNone);
  EXPECT_THAT(seen, ElementsAre(Pair(3, 3), Pair(7, 1)));
  EXPECT_EQ(commit.delivered(), 11u);
  EXPECT_EQ(commit.user_committed(), 4u);
}

TEST_F(Commits, ABusySinkIsCalledInEveryCycle) {
  busy = true;
  deliver(2);
  EXPECT_THAT(seen, ElementsAre(Pair(0, 0), Pair(1, 0), Pair(2, 0)));
}

TEST_F(Commits, StopExactlyAtTheLimitOfUserInstructions) {
  commit.set_user_limit(2);
  for (int i = 0; i < 4; ++i) place(5);
  EXPECT_EQ(deliver(10), CoreStop::kUserLimit);
  EXPECT_EQ(commit.user_committed(), 2u);
  EXPECT_EQ(commit.delivered(), 6u) << "the cycle after the stop";
  EXPECT_EQ(rob.in_flight(), 2u);
}

TEST_F(Commits, StopAtTheEndOfAnInterval) {
  commit.set_interval(3);
  for (uint64_t at = 1; at <= 6; ++at) place(at);
  EXPECT_EQ(deliver(10), CoreStop::kInterval);
  EXPECT_EQ(commit.delivered(), 4u);
  EXPECT_EQ(deliver(10), CoreStop::kInterval);
  EXPECT_EQ(commit.delivered(), 7u);
}

TEST_F(Commits, NoneForTooLongIsADeadlock) {
  place(core::kNever);
  EXPECT_EQ(deliver(params.watchdog_cycles - 1), CoreStop::kNone);
  EXPECT_EQ(deliver(2 * params.watchdog_cycles), CoreStop::kDeadlock);
  EXPECT_EQ(commit.delivered(), params.watchdog_cycles + 1);
}

TEST_F(Commits, OverTheEndOfTheRingAreShownInOrder) {
  while (rob.place_of(rob.placed()) != rob.size() - 2) rob.commit(rob.place() + 1);
  for (int i = 0; i < 4; ++i) place(3);
  deliver(4);
  EXPECT_THAT(seen, ElementsAre(Pair(3, 4)));
}

}  // namespace
}  // namespace strobe::test
