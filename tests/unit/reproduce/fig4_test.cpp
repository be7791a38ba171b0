// The fast subset of strobe reproduce isca2001-fig4: fewer trials, three lengths.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "sw/reproduce/isca2001/isca2001_fig4.h"

namespace strobe::reproduce {
namespace {

double error_at(const Reproduction& found, const std::string& name, double length) {
  for (const Curve& curve : found.figures.front().curves) {
    for (const auto& [x, y] : curve.points) {
      if (curve.name == name && x == length) return y;
    }
  }
  return -1;
}

class Fig4 : public testing::Test {
 protected:
  static const Reproduction& found() {
    static const Reproduction result = isca2001_fig4({300, 10, 1, {1000, 4600, 12000}});
    return result;
  }
};

// E|err| ~ 0.798 sqrt((1 - q)(1 - 1/r) r / t) for a share q of the stratum; q = 0 for R, whose
// samples are independent.
TEST_F(Fig4, TheErrorsAreThoseOfTheClosedForm) {
  for (const double length : {4600.0, 12000.0}) {
    const auto expected = [&](double q) {
      return 79.8 * std::sqrt((1 - q) * 0.9 * 10 / (0.3 * length));
    };
    EXPECT_NEAR(error_at(found(), "R", length), expected(0), 0.12 * expected(0));
    EXPECT_NEAR(error_at(found(), "H[R] n=4", length), expected(0), 0.12 * expected(0));
    EXPECT_NEAR(error_at(found(), "P", length), expected(0.3), 0.12 * expected(0.3));
    EXPECT_NEAR(error_at(found(), "CR, length", length), expected(0.3), 0.12 * expected(0.3));
    const double q = 0.3 / (0.3 + 0.7 / 4);
    EXPECT_NEAR(error_at(found(), "H[P] n=4", length), expected(q), 0.2 * expected(q));
  }
}

TEST_F(Fig4, CountsThatAreDistancesHaveTwiceTheVariance) {
  EXPECT_NEAR(error_at(found(), "CR", 12000) / error_at(found(), "P", 12000), std::sqrt(2), 0.2);
}

TEST_F(Fig4, MoreStrataAreBetter) {
  const double length = 4600;
  EXPECT_LT(error_at(found(), "H[P] n=64", length), error_at(found(), "H[P] n=16", length));
  EXPECT_LT(error_at(found(), "H[P] n=16", length), error_at(found(), "H[P] n=4", length));
  EXPECT_LT(error_at(found(), "H[P] n=4", length), error_at(found(), "P", length));
}

TEST_F(Fig4, TheSameSeedGivesTheSameFigure) {
  const Fig4Params params{5, 1, 7, {1000}};
  EXPECT_EQ(to_csv(isca2001_fig4(params).figures.front()),
            to_csv(isca2001_fig4(params).figures.front()));
}

TEST_F(Fig4, EveryClaimHasAnInterval) {
  EXPECT_EQ(found().claims.size(), 8u);
  for (const Claim& claim : found().claims) EXPECT_THAT(claim.ours, testing::HasSubstr(" to "));
  const auto verdict = [](const std::string& statement) {
    for (const Claim& claim : found().claims) {
      if (claim.statement == statement) return claim;
    }
    throw std::runtime_error(statement);
  };
  EXPECT_TRUE(verdict("P is of a better class than R").holds);
  const Claim counts = verdict("P and CR are equally accurate");
  EXPECT_FALSE(counts.holds);
  EXPECT_FALSE(counts.undecided) << "1.41 is far from 1";
}

TEST_F(Fig4, FewTrialsLeaveItUndecided) {
  const Reproduction few = isca2001_fig4({4, 4, 1, {1000, 12000}});
  for (const Claim& claim : few.claims) {
    if (claim.statement == "R and H[R] n=4 are equally accurate") {
      EXPECT_TRUE(claim.undecided) << claim.ours;
    }
  }
}

TEST_F(Fig4, ABatchNeedsATrial) {
  EXPECT_THROW(isca2001_fig4({4, 5, 1, {1000}}), std::invalid_argument);
  EXPECT_THROW(isca2001_fig4({4, 0, 1, {1000}}), std::invalid_argument);
}

}  // namespace
}  // namespace strobe::reproduce
