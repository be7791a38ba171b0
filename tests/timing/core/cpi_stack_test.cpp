// The CPI stack by itself: the test gives each instruction its cycles and checks to which class a
// cycle goes.
#include "sc_models/core/cpi/cpi_stack.h"

#include <gtest/gtest.h>

namespace strobe::test {
namespace {

using core::CpiClass;

class ChargedCycles : public testing::Test {
 protected:
  uint64_t of(CpiClass what) const { return stats.cpi[static_cast<unsigned>(what)]; }

  /// A load: renamed in 10, its operands there in 15, issued in 20, its address in 22, taken by the
  /// cache in 25, its data there in 40.
  uint64_t place_load() {
    const uint64_t number = rob.place();
    core::Operation op;
    op.memory = core::Memory::kLoad;
    RetireRecord done;
    done.mode = PrivilegeMode::kUser;
    core::Placing at{};
    at.fetched_at = 3;
    at.rename_from = at.renamed = 10;
    at.ready = 15;
    at.issued = 20;
    at.address_at = 22;
    at.accepted = 25;
    at.done = 40;
    at.waiting_class = CpiClass::kDram;
    at.level = CpiClass::kL2;
    stack.note(op, done, at, number, /*unit_latency=*/1);
    return number;
  }

  core::CoreParams params;  // commits 4 instructions a cycle
  core::ReorderBuffer rob{64};
  core::PipelineStats stats;
  core::CpiStack stack{params, rob, stats};
  core::CpiStack::FrontEndWait wait{PrivilegeMode::kUser};

  void quiet(uint64_t from, uint64_t through, bool draining = false) {
    stack.account_quiet(from, through, draining, [this] { return wait; });
  }
};

TEST_F(ChargedCycles, OfALoadAreSharedOutByWhatItWaitsFor) {
  stack.start_refill(CpiClass::kBranch);
  place_load();
  quiet(1, 40);
  EXPECT_EQ(of(CpiClass::kBranch), 10u) << "through rename";
  EXPECT_EQ(of(CpiClass::kDependency), 5u) << "11 to 15, for its operands";
  EXPECT_EQ(of(CpiClass::kUnit), 5u) << "16 to 20, for its unit";
  EXPECT_EQ(of(CpiClass::kL1), 2u) << "21 and 22, its address";
  EXPECT_EQ(of(CpiClass::kDram), 3u) << "23 to 25, turned away by the cache";
  EXPECT_EQ(of(CpiClass::kL2), 15u) << "26 to 40, its data";
}

TEST_F(ChargedCycles, AddUpHoweverTheyAreCutIntoStretches) {
  place_load();
  quiet(1, 40);
  const core::PipelineStats whole = stats;
  stats = core::PipelineStats();
  for (uint64_t cycle = 1; cycle <= 40; cycle += 3) quiet(cycle, std::min<uint64_t>(cycle + 2, 40));
  for (unsigned i = 0; i < core::kCpiClassCount; ++i) EXPECT_EQ(stats.cpi[i], whole.cpi[i]) << i;
}

TEST_F(ChargedCycles, OfADrainForAnInterruptGoToItsEntry) {
  place_load();
  quiet(1, 40, /*draining=*/true);
  EXPECT_EQ(of(CpiClass::kInterruptEntry), 40u);
}

TEST_F(ChargedCycles, WithNothingInFlightGoToTheRefillButForAMissingLine) {
  stack.start_refill(CpiClass::kBranch);
  wait.missed_at = 4;
  wait.fetched_at = 8;
  quiet(1, 10);
  EXPECT_EQ(of(CpiClass::kFetch), 4u);
  EXPECT_EQ(of(CpiClass::kBranch), 6u);
}

TEST_F(ChargedCycles, OfMachineModeGoToTheHandler) {
  wait.mode = PrivilegeMode::kMachine;
  quiet(1, 10);
  EXPECT_EQ(of(CpiClass::kHandler), 10u);
}

TEST_F(ChargedCycles, OfCommitsBelowFullWidthMakeABaseCycleTogether) {
  rob.place();
  for (uint64_t cycle = 1; cycle <= 4; ++cycle) {
    stack.commit(2);
    stack.account(cycle, false, [this] { return wait; });
  }
  EXPECT_EQ(of(CpiClass::kBase), 2u);
}

TEST_F(ChargedCycles, AfterTheFirstCommitTheRefillIsTheFrontEnds) {
  stack.start_refill(CpiClass::kBranch);
  rob.commit(rob.place() + 1);
  stack.commit(1);
  EXPECT_EQ(stack.refill(), CpiClass::kFetch);
}

}  // namespace
}  // namespace strobe::test
