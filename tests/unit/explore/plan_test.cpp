// A sweep file becomes designs and runs.
#include "sw/explore/space/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "sw/explore/search/search.h"
#include "tests/unit/config/scratch.h"

namespace strobe::explore {
namespace {

using testing::ElementsAre;

class Plans : public testing::Test {
 protected:
  Space space_of(
      const std::string& sweep,
      const std::string& profilers = "[{ name: s, rate: 16 }, { name: r, kind: random }]") {
    scratch_.write("base.yaml",
                   "mode: timing\nworkload: { elf: a.elf }\nprofilers: " + profilers + "\n");
    const std::string file = scratch_.write("sweep.yaml", "base: base.yaml\n" + sweep);
    text::Diagnostics faults;
    auto space = Space::make(read_sweep_file(file, &faults), &faults);
    EXPECT_TRUE(space && faults.empty()) << text::to_text(faults);
    return std::move(*space);
  }
  static Plan plan_of(const Space& space) { return make_plan(space, first_designs(space), false); }

  config::Scratch scratch_;
};

TEST_F(Plans, AxesOfObserversShareARunWhereverTheyStand) {
  const Space space = space_of(
      "grid: { profilers.0.strata: [64, 128], core.rob: [96, 128], profilers.1.rate: [8, 16, 32] "
      "}\n");
  EXPECT_EQ(space.size(), 12u);
  EXPECT_EQ(space.observer_designs(), 6u);
  const Plan plan = plan_of(space);
  EXPECT_EQ(plan.points(), 12u);
  ASSERT_EQ(plan.runs.size(), 2u);
  EXPECT_EQ(plan.runs[0].count, 6u);
}

TEST_F(Plans, TheActiveProfilerIsPartOfTheRun) {
  const Space space = space_of("grid: { profilers.0.rate: [8, 16], profilers.1.rate: [8, 16] }\n",
                               "[{ name: s, active: true }, { name: r, kind: random }]");
  EXPECT_EQ(plan_of(space).runs.size(), 2u);
}

TEST_F(Plans, AProfilerThatMayBecomeActiveIsPartOfTheRun) {
  const Space space =
      space_of("grid: { profilers.0.active: [true, false], profilers.0.rate: [8, 16] }\n");
  EXPECT_EQ(plan_of(space).runs.size(), 4u);
}

TEST_F(Plans, EveryWorkloadAndSeedHasItsRuns) {
  const Space space = space_of(
      "workloads: [{ name: a, elf: a.elf }, { name: b, elf: b.elf }]\nseeds: { linear: [1, 3, 1] "
      "}\ngrid: { profilers.0.rate: [8, 16] }\n");
  const Plan plan = plan_of(space);
  EXPECT_EQ(plan.points(), 12u);
  EXPECT_EQ(plan.runs.size(), 6u);
}

TEST_F(Plans, ManyObserversAreReplayedAndTheirSelectorsForbidIt) {
  const std::string many = "profilers.0.rate: { linear: [1, 400, 1] }";
  const Plan replayed = plan_of(space_of("grid: { " + many + " }\n"));
  EXPECT_EQ(replayed.recordings, 1u);
  EXPECT_EQ(replayed.runs.size(), 2u);
  const Plan watched =
      plan_of(space_of("grid: { " + many +
                       ", profilers.1.selectors: [[{ profile: edge }], [{ profile: value }]] }\n"));
  EXPECT_EQ(watched.recordings, 0u);
  EXPECT_EQ(watched.runs.size(), 4u);
}

TEST_F(Plans, WhereIsAskedOfAxesAndOfTheRunFile) {
  const Space space = space_of(
      "grid: { profilers.0.strata: { pow2: [16, 128] } }\nwhere: [profilers.0.strata > "
      "profilers.0.rate, profilers.0.strata != 64]\n");
  const std::vector<uint64_t> designs = first_designs(space);
  ASSERT_EQ(designs.size(), 2u);
  EXPECT_EQ(space.label(designs[0]), "profilers.0.strata=32");
  EXPECT_EQ(space.label(designs[1]), "profilers.0.strata=128");
}

TEST_F(Plans, ZippedKeysChangeTogetherAndListsMayLeaveKeysOut) {
  const Space space = space_of(
      "zip: { core.rob: [96, 128], core.load_queue: [24, 32] }\nlist: [{ profilers.0.rate: 8 }, { "
      "profilers.0.rate: 16, profilers.0.strata: 64 }]\n");
  std::set<std::string> labels;
  for (const uint64_t design : first_designs(space)) labels.insert(space.label(design));
  EXPECT_THAT(
      labels,
      ElementsAre("core.rob=128 core.load_queue=32 profilers.0.rate=16 profilers.0.strata=64",
                  "core.rob=128 core.load_queue=32 profilers.0.rate=8",
                  "core.rob=96 core.load_queue=24 profilers.0.rate=16 profilers.0.strata=64",
                  "core.rob=96 core.load_queue=24 profilers.0.rate=8"));
}

TEST_F(Plans, RandomSearchDrawsTheSameDesignsForTheSameSeed) {
  const std::string text =
      "grid: { profilers.0.rate: { linear: [1, 200, 1] }, profilers.1.rate: { linear: [1, 200, 1] "
      "} }\nsearch: { kind: random, points: 50, seed: ";
  const std::vector<uint64_t> one = first_designs(space_of(text + "1 }\n"));
  EXPECT_EQ(std::set<uint64_t>(one.begin(), one.end()).size(), 50u);
  EXPECT_EQ(one, first_designs(space_of(text + "1 }\n")));
  EXPECT_NE(one, first_designs(space_of(text + "2 }\n")));
}

TEST_F(Plans, ASpaceTooLargeToWalkIsDrawnFrom) {
  const std::string axis = " { linear: [1, 4096, 1] }";
  const Space space = space_of("grid: { profilers.0.rate:" + axis + ", profilers.1.rate:" + axis +
                               ", core.rob: { linear: [80, 4000, 1] } }\nwhere: profilers.0.rate < "
                               "200\nsearch: { kind: random, points: 30 }\n");
  const std::vector<uint64_t> designs = first_designs(space);
  EXPECT_EQ(designs.size(), 30u);
  for (const uint64_t design : designs) EXPECT_TRUE(space.admits(design));
}

}  // namespace
}  // namespace strobe::explore
