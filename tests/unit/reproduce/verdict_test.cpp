// Verdicts follow from confidence intervals, and intervals from what was measured.
#include "sw/reproduce/verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "tests/unit/reproduce/claims.h"

namespace strobe::reproduce {
namespace {

using look_up::differs;
using testing::HasSubstr;

Claim of(Interval interval) { return judged("s", "o", interval, {1, 2}, "because"); }

TEST(Verdict, HoldsDiffersOrIsUndecidedByTheWholeInterval) {
  EXPECT_TRUE(of({1, 2}).holds) << "the ends belong to the range";
  EXPECT_TRUE(of({0.9, 1.5}).undecided);
  EXPECT_TRUE(of({1.5, 2.1}).undecided);
  EXPECT_TRUE(of({0, 3}).undecided);
  EXPECT_TRUE(differs(of({0, 0.9})));
  EXPECT_TRUE(differs(of({2.1, kUnbounded})));
  EXPECT_TRUE(of({-kUnbounded, kUnbounded}).undecided);
  EXPECT_EQ(of({0, 0.9}).why, "because");
}

TEST(Verdict, NeedsEnoughPrograms) {
  const std::vector<double> four(kLeastPrograms - 1, 1.5);
  const Claim claim = judged("s", "o", bootstrap_mean(four), {1, 2}, "because");
  EXPECT_TRUE(claim.undecided);
  EXPECT_EQ(claim.why, "an interval needs 5 programs, and fewer were measured");
  EXPECT_TRUE(judged("s", "o", bootstrap_mean({1.5, 1.5, 1.5, 1.5, 1.5}), {1, 2}, "").holds);
}

TEST(Verdict, AStatementOfPartsHoldsWithAllAndDiffersWithOne) {
  const Claim good = of({1, 2}), bad = of({3, 4}), open = of({0, 3});
  EXPECT_TRUE(together("t", {good, good}).holds);
  EXPECT_TRUE(together("t", {good, open}).undecided);
  EXPECT_TRUE(differs(together("t", {good, open, bad})));
  EXPECT_EQ(together("t", {good, bad}).ours, "s: o; s: o");
  EXPECT_EQ(together("t", {good, bad}).why, "s: because");
}

TEST(Verdict, ATextHasTheIntervalAndItsOpenEnds) {
  EXPECT_EQ(percent_text(0.5, Interval{0.25, 0.75}), "50.00 % (25.00 % to 75.00 %)");
  EXPECT_EQ(percent_text(0.5, std::nullopt), "50.00 %");
  EXPECT_EQ(number_text(3, Interval{0.5, kUnbounded}, 1), "3.0 (0.5 to no bound)");
}

TEST(Bootstrap, IsTheSameEveryTimeAndCoversTheMean) {
  const std::vector<double> values = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  const Interval one = bootstrap_mean(values).value(), again = bootstrap_mean(values).value();
  EXPECT_EQ(one.least, again.least);
  EXPECT_EQ(one.most, again.most);
  // 1.96 standard errors of the mean are 1.78.
  EXPECT_NEAR(one.least, 5.5 - 1.78, 0.2);
  EXPECT_NEAR(one.most, 5.5 + 1.78, 0.2);
}

TEST(Bootstrap, TheMeanOfManySamplesIsInItsIntervalAboutNineteenTimesOfTwenty) {
  unsigned covered = 0;
  uint64_t state = 1;
  constexpr unsigned kTrials = 200;
  for (unsigned trial = 0; trial < kTrials; ++trial) {
    std::vector<double> values(20);
    for (double& value : values) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      value = static_cast<double>(state >> 40) / (1 << 24);
    }
    const Interval interval = bootstrap_mean(values).value();
    covered += interval.least <= 0.5 && 0.5 <= interval.most;
  }
  EXPECT_GT(covered, kTrials * 88 / 100);
  EXPECT_LT(covered, kTrials);
}

TEST(Bootstrap, OfAQuotientDrawsBothOfAProgram) {
  const std::vector<double> twice = {2, 4, 6, 8, 100}, one = {1, 2, 3, 4, 50};
  const Interval interval = bootstrap_ratio(twice, one).value();
  EXPECT_EQ(interval.least, 2);
  EXPECT_EQ(interval.most, 2);
  EXPECT_FALSE(bootstrap_ratio({1, 2}, {1, 2}).has_value());
}

TEST(Bootstrap, OfProgramsDrawsTheirStartsAndSeedsToo) {
  std::vector<Repeated> sure, unsure;
  for (int i = 0; i < 6; ++i) {
    sure.push_back({"p", {{2, 2}, {2, 2}}});
    unsure.push_back({"p", {{1, 1}, {3, 3}}});
  }
  EXPECT_EQ(bootstrap_median(sure).value().least, 2);
  EXPECT_EQ(bootstrap_median(sure).value().most, 2);
  EXPECT_LT(bootstrap_median(unsure).value().least, 2);
  EXPECT_GT(bootstrap_median(unsure).value().most, 2);
  EXPECT_EQ(unsure[0].median(), 2);
  EXPECT_EQ(bootstrap_median(unsure[0]).least, 1);
  EXPECT_EQ(bootstrap_median(unsure[0]).most, 3);
  sure.resize(4);
  EXPECT_FALSE(bootstrap_median(sure).has_value());
}

TEST(Bootstrap, CarriesValuesWithoutABound) {
  std::vector<Repeated> never(6, {"p", {{kUnbounded, kUnbounded}, {3, 3}}});
  const Interval interval = bootstrap_median(never).value();
  EXPECT_GE(interval.least, 3);
  EXPECT_TRUE(std::isinf(interval.most));
}

// Clopper and Pearson: of 14 of 14 the lower end is 0.025^(1/14).
TEST(Bootstrap, AShareOfAllProgramsIsNotCertain) {
  EXPECT_NEAR(share_interval(14, 14).least, std::pow(0.025, 1.0 / 14), 1e-9);
  EXPECT_EQ(share_interval(14, 14).most, 1);
  EXPECT_EQ(share_interval(0, 14).least, 0);
  EXPECT_NEAR(share_interval(0, 14).most, 1 - std::pow(0.025, 1.0 / 14), 1e-9);
  EXPECT_NEAR(share_interval(7, 14).least, 1 - share_interval(7, 14).most, 1e-9);
}

TEST(Limits, EachHasANameOfItsOwnARangeAndAReason) {
  std::set<std::string> ids;
  for (const Limit& one : kLimits) {
    EXPECT_TRUE(ids.insert(one.id).second) << one.id;
    EXPECT_LT(one.least, one.most) << one.id;
    EXPECT_STRNE(one.reason, "") << one.id;
    EXPECT_THAT(limits_page(), HasSubstr(one.claim));
  }
  EXPECT_THROW(limit("nothing"), std::invalid_argument);
}

TEST(Limits, ReadAsWords) {
  EXPECT_EQ(range_text(limit("hps-calls")), "at least 90 %");
  EXPECT_EQ(range_text(limit("isca-error")), "at most 3 %");
  EXPECT_EQ(range_text(limit("hps-mean")), "0.75 to 1.25 times the paper's");
  EXPECT_EQ(range_text(limit("hps-negligible")), "-0.1 to 0.1 points");
  EXPECT_EQ(range_text(limit("hps-more")), "more than 0");
  EXPECT_EQ(limit("hps-mean").of(0.16).least, 0.75 * 0.16);
}

}  // namespace
}  // namespace strobe::reproduce
