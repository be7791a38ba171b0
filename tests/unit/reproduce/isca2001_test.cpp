// The verdicts on figure 7 of ISCA 2001, from races made up so that each is known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/reproduce/claims.h"
#include "tests/unit/reproduce/isca2001_made_up.h"

namespace strobe::reproduce::isca2001 {
namespace {

using look_up::check_of;
using look_up::claim_of;
using look_up::differs;
using testing::HasSubstr;

Reproduction fig7_of(const Change& change = {}) {
  return fig7(races_of(as_in_the_paper(), change));
}
TEST(IscaArithmetic, AMeanErrorIsOverTheEventsThatHaveOne) {
  Raced raced;
  raced.events = {10, 20, 40};
  EXPECT_DOUBLE_EQ(mean_error(raced, {{std::nullopt, 0.4, 0.1}, {}}), (10 * 0.4 + 20 * 0.1) / 30);
  EXPECT_DOUBLE_EQ(mean_error(raced, {{std::nullopt, std::nullopt, std::nullopt}, {}}), 1);
}

TEST(IscaArithmetic, ATimeLiesBetweenTwoPoints) {
  Raced raced;
  raced.events = {10, 20, 40};
  const Course dips{{0.04, 0.06, 0.03}, {}}, never{{0.9, 0.06, 0.05}, {}},
      late{{std::nullopt, 0.01, 0.01}, {}};
  EXPECT_EQ(reaches(raced, dips).after, 0);
  EXPECT_EQ(reaches(raced, dips).until, 10);
  EXPECT_EQ(stays_below(raced, dips).after, 20);
  EXPECT_EQ(stays_below(raced, dips).until, 40);
  EXPECT_EQ(reaches(raced, never).after, 40);
  EXPECT_TRUE(std::isinf(reaches(raced, never).until));
  EXPECT_TRUE(std::isinf(stays_below(raced, never).until));
  EXPECT_EQ(reaches(raced, late).after, 10) << "without a load there is no error to be small";
  EXPECT_EQ(stays_below(raced, late).until, 20);
}

TEST(IscaArithmetic, TheOverheadIsThatOfThePapersModel) {
  Window window;
  window.cycles = {1000, 1'000'000};
  // 1000 messages of 30 cycles and ten interrupts of 214.
  EXPECT_DOUBLE_EQ(overhead(window, {{}, {1, 1000}}), 0.03214);
}

TEST(IscaArithmetic, NothingOfNothingIsTheSame) {
  EXPECT_EQ(quotient({"p", {{0, 4}}}, {"p", {{0, 2}}}).by[0], (std::vector<double>{1, 2}));
}

TEST(IscaPrograms, WithTooFewEventsOrLoadsAreNamedAndLeftOut) {
  std::vector<Raced> races = races_of(as_in_the_paper(), {}, 3);
  races[0].windows[1].loads = 19;
  races[1].windows.clear();
  races[1].stream = 1234;
  std::vector<std::string> skipped;
  const std::vector<Raced> left = qualified(races, true, skipped);
  ASSERT_EQ(left.size(), 1u);
  EXPECT_EQ(left[0].program, "p2");
  EXPECT_THAT(skipped, testing::ElementsAre("p0 (too few loads: 19 qualify in one of its windows, "
                                            "and 20 are needed)",
                                            "p1 (too few events: its stream has 1234)"));
  skipped.clear();
  EXPECT_EQ(qualified(races, false, skipped).size(), 2u);
}

TEST(IscaFig7, HoldsForProgramsOfThePaper) {
  const Reproduction found = fig7_of();
  EXPECT_EQ(found.claims.size(), 7u);
  for (const Claim& claim : found.claims) EXPECT_TRUE(claim.holds) << claim.statement << claim.ours;
  for (const Check& check : found.checks) EXPECT_TRUE(check.ok) << check.statement << check.ours;
}

TEST(IscaFig7, FewProgramsDecideNothing) {
  for (const Claim& claim : fig7(races_of(as_in_the_paper(), {}, 4)).claims) {
    EXPECT_TRUE(claim.undecided) << claim.statement;
  }
}

TEST(IscaFig7, TheSamplersAreAlikeOrNot) {
  const char* words = "almost identical";
  EXPECT_TRUE(differs(claim_of(fig7_of(in_all([](auto& made) { made[kP].scale *= 2; })), words)));
  EXPECT_TRUE(claim_of(fig7_of(in_half([](auto& made) { made[kP].scale *= 2; })), words).undecided);
}

TEST(IscaFig7, ConvergenceIsSoonerOrNotAndNamesBothEnds) {
  const auto slower = [](double factor) {
    return [=](std::vector<Made>& made) { made[kHp].scale *= factor; };
  };
  const char *sooner = "two times as many", *much = "23 times as many";
  const Claim ten = claim_of(fig7_of(in_all(slower(10))), sooner);
  EXPECT_TRUE(ten.holds) << ten.ours;
  EXPECT_TRUE(differs(claim_of(fig7_of(in_all(slower(10))), much)));
  EXPECT_TRUE(differs(claim_of(fig7_of(in_all(slower(23))), sooner)));
  const Reproduction half = fig7_of(in_half(slower(23)));
  EXPECT_TRUE(claim_of(half, sooner).undecided) << claim_of(half, sooner).ours;
  EXPECT_TRUE(claim_of(half, much).undecided);
  const Reproduction one = fig7_of([&](std::vector<Made>& made, size_t program) {
    if (program == 3) slower(23)(made);
    if (program == 5) made[kR].scale *= 2;
  });
  EXPECT_TRUE(claim_of(one, sooner).holds);
  EXPECT_THAT(claim_of(one, sooner).ours, HasSubstr("in p3, best"));
  EXPECT_THAT(claim_of(one, sooner).ours, HasSubstr("in p5"));
}

TEST(IscaFig7, WhatAWindowDoesNotShowIsUndecided) {
  // Neither gets under 5 % in 8M events.
  const Claim claim = claim_of(fig7_of(in_all([](auto& made) {
                                 made[kR].scale = 5e6;
                                 made[kHp].scale = 1e6;
                               })),
                               "two times as many");
  EXPECT_TRUE(claim.undecided);
  EXPECT_THAT(claim.ours, HasSubstr("no bound"));
}

TEST(IscaFig7, HalfTheRateIsAsAccurateOrNot) {
  const char* words = "as accurate as R_256";
  EXPECT_TRUE(
      differs(claim_of(fig7_of(in_all([](auto& made) { made[kHp512].scale = 60'000; })), words)));
  EXPECT_TRUE(
      claim_of(fig7_of(in_half([](auto& made) { made[kHp512].scale = 60'000; })), words).undecided);
}

TEST(IscaFig7, TheAbstractNeedsBothItsNumbers) {
  const char* words = "3.5 % overhead (abstract)";
  EXPECT_TRUE(
      differs(claim_of(fig7_of(in_all([](auto& made) { made[kHp].scale = 400'000; })), words)));
  EXPECT_TRUE(
      differs(claim_of(fig7_of(in_all([](auto& made) { made[kHp].share = 0.01; })), words)));
  EXPECT_TRUE(
      claim_of(fig7_of(in_half([](auto& made) { made[kHp].scale = 400'000; })), words).undecided);
}

TEST(IscaFig7, TheTaggedSamplerIsTheBestOrNot) {
  const char* words = "best accuracy of all";
  EXPECT_TRUE(differs(claim_of(fig7_of(in_all([](auto& made) { made[kT].scale = 3000; })), words)));
  EXPECT_TRUE(
      claim_of(fig7_of(in_half([](auto& made) { made[kT].scale = 3000; })), words).undecided);
  const char* cost = "almost three times";
  EXPECT_TRUE(
      differs(claim_of(fig7_of(in_all([](auto& made) { made[kT].share = 1.2 / 257; })), cost)));
  EXPECT_TRUE(
      claim_of(fig7_of(in_half([](auto& made) { made[kT].share = 1.2 / 257; })), cost).undecided);
}

TEST(IscaFig7, AChecksOppositeIsPrinted) {
  EXPECT_FALSE(
      check_of(fig7_of(in_all([](auto& made) { made[kHp].share = 1.0 / 255; })), "fewer messages")
          .ok);
  EXPECT_FALSE(
      check_of(fig7_of(in_all([](auto& made) { made[kHp512].share = 1.0 / 256; })), "half of what")
          .ok);
}

}  // namespace
}  // namespace strobe::reproduce::isca2001
