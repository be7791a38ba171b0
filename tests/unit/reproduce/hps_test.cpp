// The verdicts on figure 6 of HPS, from measurements made up so that each is known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>

#include "sw/reproduce/spread.h"
#include "tests/unit/reproduce/claims.h"
#include "tests/unit/reproduce/hps_made_up.h"

namespace strobe::reproduce::hps {
namespace {

using look_up::check_of;
using look_up::claim_of;
using look_up::differs;
using ::testing::HasSubstr;

Reproduction fig6_of(const std::function<void(Split&, size_t)>& change = {}) {
  return fig6(programs_of(split_as_in_the_paper(), change));
}

TEST(HpsArithmetic, ThePartsOfPlainDiseAreDifferencesOfOverheads) {
  const Costs costs = split_as_in_the_paper().of[kStreams];
  const Parts parts = parts_of(costs);
  EXPECT_NEAR(parts.basic, 0.05, 1e-12);
  EXPECT_NEAR(parts.checks, 0.95, 1e-12);
  EXPECT_NEAR(parts.profiling, 0.11, 1e-12);
  EXPECT_NEAR(parts.total(), costs.overhead(211'000), 1e-12);
}

TEST(HpsArithmetic, AnOverheadCanBeNegative) {
  Costs costs;
  costs.baseline = 1000;
  EXPECT_NEAR(costs.overhead(990), -0.01, 1e-12);
}

TEST(HpsArithmetic, SparsityGivesTheFrequency) {
  EXPECT_EQ(sparsity(1, 100), 99u);
  EXPECT_EQ(sparsity(100, 10000), 999'900u);
  EXPECT_LT(sparsity(kBursts.back(), kFrequencies.back()), 1u << 20) << "a counter has 20 bits";
}

TEST(HpsArithmetic, ASpreadIsMeanLeastAndMost) {
  const Spread spread = spread_of({0.02, 0.01, 0.06});
  EXPECT_EQ(spread.percents(), "3.00 % (1.00 % to 6.00 %)");
  EXPECT_THROW(spread_of({}), std::invalid_argument);
}

TEST(HpsFig6, TheMachineIsThatOfThePaperOrTheCheckFails) {
  EXPECT_TRUE(machine_check({}).ok);
  Machine other;
  other.stations = 64;
  EXPECT_FALSE(machine_check(other).ok);
  EXPECT_THAT(machine_check(other).ours, HasSubstr("64 reservation stations"));
}

TEST(HpsFig6, HoldsForProgramsOfThePaper) {
  const Reproduction found = fig6_of();
  for (const Claim& claim : found.claims) EXPECT_TRUE(claim.holds) << claim.statement << claim.ours;
  for (const Check& check : found.checks) EXPECT_TRUE(check.ok) << check.statement << check.ours;
  EXPECT_EQ(found.claims.size(), 7u);
  EXPECT_EQ(found.checks.size(), 4u);
}

TEST(HpsFig6, ASavingThatIsAnotherDiffersAndSaysWhatAnEventCosts) {
  const Claim claim =
      claim_of(fig6_of([](Split& split, size_t) { split.of[kStreams].hps = 150'000; }), "106 %");
  EXPECT_TRUE(differs(claim));
  EXPECT_THAT(claim.ours, HasSubstr("61.00 %"));
  // 5000 cycles for 10,000 events that come every 10; 95,000 for 40,000 checks.
  EXPECT_THAT(claim.why, HasSubstr("every 10.0 (10.0 to 10.0) cycles and costs 0.5"));
  EXPECT_THAT(claim.why, HasSubstr("its check costs 2.4"));
}

TEST(HpsFig6, ASavingOfTheRightMeanIsUndecidedWhereProgramsDisagree) {
  const Reproduction found = fig6_of([](Split& split, size_t i) {
    split.of[kStreams].plain += i % 2 == 0 ? 90'000 : -90'000;
    split.of[kPairs].plain += i % 2 == 0 ? 9'000 : -9'000;
  });
  EXPECT_TRUE(claim_of(found, "106 %").undecided);
  EXPECT_THAT(claim_of(found, "106 %").ours, HasSubstr("106.00 % ("));
  EXPECT_TRUE(claim_of(found, "call pairs").undecided);
}

TEST(HpsFig6, ASavingFromTooFewEventsIsUndecided) {
  const Claim claim = claim_of(fig6_of([](Split& split, size_t i) {
                                 if (i == 3) split.of[kPairs].collected = 499;
                               }),
                               "16 % of the run time over plain DISE, call pairs");
  EXPECT_TRUE(claim.undecided);
  EXPECT_EQ(claim.why, "fewer than 500 events were collected of call pairs: gcc3 499");
}

TEST(HpsFig6, FewProgramsDecideNothing) {
  for (const Claim& claim : fig6({split_as_in_the_paper()}).claims) {
    EXPECT_TRUE(claim.undecided) << claim.statement;
    EXPECT_THAT(claim.why, HasSubstr("needs 5 programs"));
  }
}

TEST(HpsFig6, ChecksOfTheDataStreamsDominateOrNot) {
  const auto with = [](const std::function<uint64_t(size_t)>& checks) {
    return claim_of(
        fig6_of([&](Split& split, size_t i) { split.of[kStreams].plain_checks = checks(i); }),
        "checks dominate");
  };
  EXPECT_TRUE(with([](size_t) { return 200'000; }).holds);
  EXPECT_TRUE(differs(with([](size_t) { return 120'000; })));
  EXPECT_TRUE(with([](size_t i) { return i % 2 == 0 ? 200'000 : 110'000; }).undecided);
}

TEST(HpsFig6, MethodsAreLikePairsInBothSystemsOrDiffer) {
  const auto with = [](const std::function<uint64_t(size_t)>& hps) {
    return claim_of(fig6_of([&](Split& split, size_t i) { split.of[kMethods].hps = hps(i); }),
                    "almost those for call pairs");
  };
  EXPECT_TRUE(with([](size_t) { return 101'100; }).holds);
  const Claim more = with([](size_t) { return 105'000; });
  EXPECT_TRUE(differs(more));
  EXPECT_THAT(more.ours,
              HasSubstr("plain DISE: 1.00 (1.00 to 1.00) times that of pairs; HPS: 5.00"));
  EXPECT_TRUE(with([](size_t i) { return i % 2 == 0 ? 100'000 : 102'000; }).undecided);
}

TEST(HpsFig6, DensitiesAreThoseOfTheMedianProgram) {
  const auto with = [](const std::function<uint64_t(size_t)>& calls) {
    return claim_of(
        fig6_of([&](Split& split, size_t i) { split.of[kPairs].occurrences = calls(i); }),
        "is a call");
  };
  EXPECT_TRUE(with([](size_t i) { return i == 0 ? 100 : 2'000; }).holds)
      << "one program is not all";
  EXPECT_TRUE(differs(with([](size_t) { return 400; })));
  EXPECT_TRUE(with([](size_t i) { return i % 2 == 0 ? 400 : 2'000; }).undecided);
}

TEST(HpsFig6, OneCycleOfBasicOverheadInOneProgramIsTooMuch) {
  const Check check = check_of(fig6_of([](Split& split, size_t i) {
                                 if (i == 1) ++split.of[kStreams].framework;
                               }),
                               "no basic overhead");
  EXPECT_FALSE(check.ok);
  EXPECT_EQ(check.ours,
            "the same cycles in 13 of 14 programs; gcc1: 100001 cycles with the framework, 100000 "
            "without");
}

TEST(HpsFig6, OtherChecksFailToo) {
  EXPECT_FALSE(
      check_of(fig6_of([](Split& split, size_t) { split.of[kStreams].plain_basic = 140'000; }),
               "1 to 35 %")
          .ok);
  EXPECT_FALSE(
      check_of(fig6_of([](Split& split, size_t) { split.of[kStreams].checks_injected = 70'000; }),
               "adds 2 to 5")
          .ok);
  EXPECT_FALSE(
      check_of(fig6_of([](Split& split, size_t) { split.of[kPairs].handler_bytes = 4000; }),
               "few hundred bytes")
          .ok);
}

TEST(HpsFig6, ATableHasEveryProgramAndTheMean) {
  Split other = split_as_in_the_paper();
  other.program = "mcf";
  other.of[kPairs].hps = 103'000;
  const Table pairs = fig6({split_as_in_the_paper(), other}).tables.at(kPairs);
  ASSERT_EQ(pairs.rows.size(), 3u);
  EXPECT_EQ(pairs.rows[1], (std::vector<std::string>{"mcf", "5.00 %", "11.00 %", "1.00 %",
                                                     "17.00 %", "3.00 %", "20.00 %"}));
  EXPECT_EQ(pairs.rows[2].at(5), "2.00 %");
}

}  // namespace
}  // namespace strobe::reproduce::hps
