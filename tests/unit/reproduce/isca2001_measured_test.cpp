// The verdicts on measured overhead, from deliveries made up so that each is known.
#include "sw/reproduce/isca2001/isca2001_measured.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "tests/unit/reproduce/claims.h"

namespace strobe::reproduce::isca2001 {
namespace {

using look_up::claim_of;
using look_up::differs;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr size_t kPrograms = 26;

/// A run with 10 interrupts of 100 messages, of which the model says 32,140 cycles, that takes so
/// many cycles more than the baseline.
Delivery delivery(uint64_t more) {
  Delivery one{1'000'000 + more, 1000, 10, {}};
  one.added.handler = static_cast<double>(more);
  return one;
}

/// Programs on which each way costs so many cycles more, by the place of the program.
Reproduction measured_of(const std::function<uint64_t(size_t, Profiled, Way)>& more,
                         size_t programs = kPrograms) {
  std::vector<Delivered> all;
  for (size_t i = 0; i < programs; ++i) {
    Delivered program{"p" + std::to_string(i), 1'000'000, {}};
    for (const Profiled profiled : {kValues, kEdgesAndCalls}) {
      for (const Way way : {kBus, kCore, kRing}) {
        program.by[profiled][way] = delivery(more(i, profiled, way));
      }
    }
    all.push_back(std::move(program));
  }
  return measured(all);
}

/// The same for every profile and way.
Reproduction all_of(const std::function<uint64_t(size_t)>& more) {
  return measured_of([&](size_t i, Profiled, Way) { return more(i); });
}

TEST(IscaMeasured, AnOverheadIsMeasuredFromCyclesAndAnalyticalFromMessagesAndInterrupts) {
  Delivered program{"p", 1'000'000, {}};
  program.by[kEdgesAndCalls][kCore] = delivery(64'280);
  EXPECT_DOUBLE_EQ(program.measured(kEdgesAndCalls, kCore), 0.06428);
  EXPECT_DOUBLE_EQ(program.analytical(kEdgesAndCalls, kCore), 0.03214);
}

TEST(IscaMeasured, TheModelIsKeptOrNotOrUndecidedByTheProgramsThatKeepIt) {
  const std::string own = "(own aim) measured at most 1.3 times analytical: load values";
  EXPECT_TRUE(claim_of(all_of([](size_t) { return 41'700; }), own).holds);
  EXPECT_TRUE(differs(claim_of(all_of([](size_t) { return 41'900; }), own)));
  const Claim half = claim_of(all_of([](size_t i) { return i < 18 ? 30'000 : 90'000; }), own);
  EXPECT_TRUE(half.undecided);
  EXPECT_THAT(half.ours, HasSubstr("in 18 of 26 programs; median 0.93"));
  EXPECT_THAT(half.why, HasSubstr("a message costs 48.5 (30.0 to 90.0) cycles, and 32.1 by the"));
}

TEST(IscaMeasured, EachWayAndProfileHasAVerdictOfItsOwn) {
  const Reproduction found = measured_of([](size_t, Profiled profiled, Way way) {
    return profiled == kEdgesAndCalls && way == kCore ? 20'000 : 60'000;
  });
  EXPECT_EQ(found.claims.size(), 10u);
  for (const Claim& claim : found.claims) {
    const bool edges = claim.statement.find("edges") != std::string::npos;
    const bool core = claim.statement.find("in the core") != std::string::npos;
    EXPECT_EQ(claim.holds, edges && core) << claim.statement;
    EXPECT_EQ(differs(claim), !(edges && core)) << claim.statement;
  }
}

TEST(IscaMeasured, TheOverheadOfTheAbstractIsThatOfTheMedianProgram) {
  const std::string words = "3.5 % overhead (abstract), measured: load values, messages over";
  EXPECT_TRUE(claim_of(all_of([](size_t) { return 43'000; }), words).holds);
  EXPECT_TRUE(differs(claim_of(all_of([](size_t) { return 44'000; }), words)));
  const Claim half = claim_of(all_of([](size_t i) { return i % 2 == 0 ? 30'000 : 60'000; }), words);
  EXPECT_TRUE(half.undecided);
  EXPECT_THAT(half.ours, HasSubstr("median 4.50 % (3.00 % to 6.00 %)"));
}

TEST(IscaMeasured, TheOverheadOfFigure11IsThatOfNearlyAllPrograms) {
  const std::string words =
      "under 4.5 % on all programs (figure 11), measured: edges and call "
      "targets, messages through a ring";
  EXPECT_TRUE(claim_of(all_of([](size_t) { return 44'000; }), words).holds);
  EXPECT_TRUE(differs(claim_of(all_of([](size_t) { return 46'000; }), words)));
  EXPECT_TRUE(claim_of(all_of([](size_t i) { return i < 22 ? 44'000 : 46'000; }), words).undecided);
}

TEST(IscaMeasured, ProgramsWithFewMessagesAreLeftOutAndNamed) {
  std::vector<Delivered> programs;
  for (size_t i = 0; i < kPrograms; ++i) {
    Delivered program{"p" + std::to_string(i), 1'000'000, {}};
    for (auto& of_profile : program.by) of_profile.fill(delivery(30'000));
    if (i == 3) program.by[kValues][kRing].messages = 499;
    if (i == 3) program.by[kValues][kBus].cycles = 9'000'000;
    programs.push_back(std::move(program));
  }
  const Reproduction found = measured(programs);
  EXPECT_THAT(found.skipped, ElementsAre("p3, load values (499 messages, and 500 are needed)"));
  EXPECT_THAT(claim_of(found, "(own aim) measured at most 1.3 times analytical: load values").ours,
              HasSubstr("in 25 of 25 programs"));
  EXPECT_THAT(claim_of(found, "analytical: edges and call targets").ours,
              HasSubstr("in 26 of 26 programs"));
}

TEST(IscaMeasured, WithoutMessagesOrProgramsNothingIsDecided) {
  std::vector<Delivered> silent(6);
  for (const Claim& claim : measured(silent).claims) EXPECT_TRUE(claim.undecided);
  EXPECT_EQ(measured(silent).claims.size(), 2u);
  for (const Claim& claim : measured_of([](size_t, Profiled, Way) { return 30'000; }, 4).claims) {
    EXPECT_TRUE(claim.undecided) << claim.statement;
  }
}

TEST(IscaMeasured, TheTablesHaveARowForEachProgram) {
  const Reproduction found = all_of([](size_t) { return 48'210; });
  ASSERT_EQ(found.tables.size(), 4u);
  EXPECT_THAT(found.tables[0].rows[0],
              ElementsAre("p0", "3.21 %", "4.82 %, 1.50", "4.82 %, 1.50", "4.82 %"));
  const std::string cost = "48.2: 0.0, 48.2, 0.0, 0.0, 0.0";
  EXPECT_THAT(found.tables[1].rows[25], ElementsAre("p25", "1000", cost, cost, cost));
  ASSERT_EQ(found.figures.size(), 2u);
  EXPECT_EQ(found.figures[0].curves.size(), 4u);
  EXPECT_NEAR(found.figures[0].curves[0].points[25].second, 3.214, 1e-9);
}

}  // namespace
}  // namespace strobe::reproduce::isca2001
