// The verdicts on figures 7 and 8 of HPS, from measurements made up so that each is known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>

#include "tests/unit/reproduce/claims.h"
#include "tests/unit/reproduce/hps_made_up.h"

namespace strobe::reproduce::hps {
namespace {

using look_up::claim_of;
using look_up::differs;
using ::testing::HasSubstr;

const Curve& curve_of(const Figure& figure, const std::string& name) {
  for (const Curve& curve : figure.curves) {
    if (curve.name == name) return curve;
  }
  throw std::runtime_error("no curve " + name);
}

using Change = std::function<void(Sampled&, size_t)>;
Reproduction fig7_of(const Change& change = {}) {
  return fig7(programs_of(sampled_as_in_the_paper(), change));
}
Reproduction fig8_of(const Change& change = {}) {
  return fig8(programs_of(sampled_as_in_the_paper(), change));
}

Point& usual(Sampled& program, Profile profile, size_t f) {
  return program.points[profile][kUsualBurst[profile]][f];
}

TEST(HpsFig7, HoldsForProgramsOfThePaper) {
  const Reproduction found = fig7_of();
  EXPECT_EQ(found.claims.size(), 13u);
  for (const Claim& claim : found.claims) {
    EXPECT_TRUE(claim.holds) << claim.statement << "; ours: " << claim.ours << claim.why;
  }
}

TEST(HpsFig7, FewProgramsDecideNothing) {
  for (const Claim& claim : fig7({sampled_as_in_the_paper()}).claims) {
    EXPECT_TRUE(claim.undecided) << claim.statement;
  }
}

TEST(HpsFig7, StreamsHaveAllTheirOverlaps) {
  EXPECT_EQ(claim_of(fig7_of(), "the profile of data streams").ours,
            "43.00 % (43.00 % to 43.00 %); 33.00 % by the other overlap; streams that the symbols "
            "detector finds: 20.00 %");
}

TEST(HpsFig7, AnAccuracyIsHeldAgainstItsWholeInterval) {
  const auto with = [](const std::function<double(size_t)>& overlap) {
    return claim_of(fig7_of([&](Sampled& program, size_t i) {
                      usual(program, kPairs, kRecommended).overlap = overlap(i);
                    }),
                    "the profile of call pairs is more than 90 %");
  };
  EXPECT_TRUE(with([](size_t i) { return i == 0 ? 0.89 : 0.96; }).holds);
  EXPECT_TRUE(with([](size_t i) { return i % 2 == 0 ? 0.80 : 0.99; }).undecided);
  const Claim low = with([](size_t i) { return i == 2 ? 0.8 : 0.85; });
  EXPECT_TRUE(differs(low));
  EXPECT_EQ(low.why, "least 80.00 % of twolf2, from 1000 events collected");
}

TEST(HpsFig7, AProgramWithoutHotStreamsIsNotInTheirMean) {
  const Reproduction found = fig7_of([](Sampled& program, size_t i) {
    if (i != 0) return;
    for (auto& by_frequency : program.points[kStreams]) {
      for (Point& point : by_frequency) point.overlap = point.other = point.symbols = std::nullopt;
    }
  });
  EXPECT_TRUE(claim_of(found, "the profile of data streams is more than 40 %").holds);
  EXPECT_THAT(found.tables.at(1).rows.at(0).at(1), HasSubstr("none"));
}

TEST(HpsFig7, AnOverheadIsHeldAgainstWhatIsStated) {
  const auto with = [](const std::function<double(size_t)>& overhead) {
    return fig7_of(
        [&](Sampled& program, size_t i) { usual(program, kMethods, 0).overhead = overhead(i); });
  };
  const char* range = "methods at 1/100 cost 0 to 2.5 %";
  const char* mean = "methods at 1/100 cost just over 1 %";
  const Reproduction much = with([](size_t) { return 0.0305; });
  EXPECT_TRUE(differs(claim_of(much, range)));
  EXPECT_TRUE(differs(claim_of(much, mean)));
  EXPECT_THAT(claim_of(much, mean).why,
              HasSubstr("at 1/100 one event collected every 10000 cycles (mean) costs 305.0"));
  EXPECT_TRUE(differs(claim_of(much, "proportional")));
  EXPECT_TRUE(claim_of(much, "call pairs at 1/100 cost just over 1 %").holds);
  const Reproduction mixed = with([](size_t i) { return i % 2 == 0 ? 0.001 : 0.028; });
  EXPECT_TRUE(claim_of(mixed, range).undecided);
  EXPECT_TRUE(claim_of(mixed, mean).undecided);
  EXPECT_TRUE(claim_of(mixed, "proportional").undecided);
}

TEST(HpsFig7, AProfileIsCheapOnlyWhereItIsAccurate) {
  const char* sweet = "methods that is 90 % accurate costs about 0.2 %";
  EXPECT_TRUE(differs(claim_of(fig7_of([](Sampled& program, size_t) {
                                 usual(program, kMethods, kRecommended).overlap = 0.89;
                               }),
                               sweet)));
  EXPECT_TRUE(differs(claim_of(fig7_of([](Sampled& program, size_t) {
                                 *usual(program, kMethods, kRecommended).overhead += 0.002;
                               }),
                               sweet)));
  EXPECT_TRUE(claim_of(fig7_of([](Sampled& program, size_t i) {
                         *usual(program, kMethods, kRecommended).overhead +=
                             i % 2 == 0 ? 0.0015 : 0;
                       }),
                       sweet)
                  .undecided);
}

TEST(HpsFig7, TooFewEventsAreNoVerdict) {
  const Reproduction found = fig7_of([](Sampled& program, size_t i) {
    usual(program, kPairs, kRecommended).events = i == 0 ? 204 : 500;
    usual(program, kPairs, 4).events = 20;
  });
  const Claim& accurate = claim_of(found, "the profile of call pairs is more than 90 %");
  EXPECT_TRUE(accurate.undecided);
  EXPECT_EQ(
      accurate.why,
      "fewer than 500 events were collected of call pairs at 1/500 in bursts of 1: twolf0 204");
  EXPECT_TRUE(claim_of(found, "call pairs that is 90 % accurate").undecided);
  EXPECT_TRUE(claim_of(found, "call pairs at 1/100 cost just over").holds);
  EXPECT_TRUE(claim_of(found, "less sensitive").undecided);
  EXPECT_TRUE(claim_of(found, "negligible").undecided);
  EXPECT_TRUE(claim_of(found, "cost more than the other two").undecided);
}

TEST(HpsFig7, ASmallStepIsNegligibleAndALargeOneIsNot) {
  const auto with = [](const std::function<double(size_t)>& more) {
    return claim_of(fig7_of([&](Sampled& program, size_t i) {
                      *usual(program, kStreams, 3).overhead += more(i);
                    }),
                    "negligible");
  };
  EXPECT_TRUE(with([](size_t) { return 0.0001; }).holds);
  EXPECT_TRUE(differs(with([](size_t) { return 0.003; })));
  EXPECT_TRUE(with([](size_t i) { return i % 2 == 0 ? 0 : 0.002; }).undecided);
}

TEST(HpsFig7, StreamsAreWorseThanBothOthersOrDiffer) {
  const auto with = [](const std::function<double(size_t)>& overlap) {
    return claim_of(fig7_of([&](Sampled& program, size_t i) {
                      usual(program, kStreams, kRecommended).overlap = overlap(i);
                    }),
                    "data streams are less accurate and cost more");
  };
  EXPECT_TRUE(with([](size_t) { return 0.5; }).holds);
  EXPECT_TRUE(differs(with([](size_t) { return 0.99; })));
  EXPECT_TRUE(with([](size_t i) { return i % 2 == 0 ? 0.5 : 1.5; }).undecided);
}

TEST(HpsFig7, MethodsAreLessSensitiveThanBothOthersOrDiffer) {
  const auto with = [](const std::function<double(size_t)>& overlap) {
    return claim_of(fig7_of([&](Sampled& program, size_t i) {
                      usual(program, kMethods, 4).overlap = overlap(i);
                    }),
                    "methods are less sensitive");
  };
  EXPECT_TRUE(with([](size_t) { return 0.95; }).holds);
  EXPECT_TRUE(differs(with([](size_t) { return 0.85; })));
  EXPECT_TRUE(with([](size_t i) { return i % 2 == 0 ? 0.8 : 0.97; }).undecided);
}

TEST(HpsFig7, AnOverheadWithoutAnEstimateIsNoneAndInNoMean) {
  const Reproduction found = fig7_of([](Sampled& program, size_t i) {
    Point& point = usual(program, kPairs, 1);
    point.half_width = 0.0004;
    if (i != 2) return;
    point.events = 3;
    point.overhead = point.half_width = std::nullopt;
  });
  EXPECT_THAT(found.tables.at(1).rows.at(1).at(2), HasSubstr("0.21 % +- 0.04 %"));
  EXPECT_THAT(found.tables.at(1).rows.at(2).at(2), HasSubstr("none, 3"));
  EXPECT_NEAR(curve_of(found.figures.at(1), "call pairs").points[1].second, 0.21, 1e-9);
  EXPECT_TRUE(claim_of(found, "call pairs that is 90 % accurate").undecided);
  EXPECT_TRUE(claim_of(found, "proportional").undecided);
}

TEST(HpsFig7, CurvesAreMeansAgainstTheLogarithmOfTheFrequency) {
  const Reproduction found = fig7_of([](Sampled& program, size_t i) {
    for (Point& point : program.points[kPairs][0]) *point.overlap -= i % 2 == 0 ? 0.1 : 0;
  });
  const Curve& pairs = curve_of(found.figures.at(0), "call pairs");
  ASSERT_EQ(pairs.points.size(), kFrequencies.size());
  EXPECT_DOUBLE_EQ(pairs.points[0].first, 2);
  EXPECT_NEAR(pairs.points[0].second, 91, 1e-9);
  EXPECT_DOUBLE_EQ(pairs.points[4].first, 4);
  const Curve& overhead = curve_of(found.figures.at(1), "call pairs");
  EXPECT_NEAR(overhead.points[0].second, 1.05, 1e-9);
}

TEST(HpsFig8, HoldsForProgramsOfThePaper) {
  const Reproduction found = fig8_of();
  EXPECT_EQ(found.claims.size(), 3u);
  for (const Claim& claim : found.claims) {
    EXPECT_TRUE(claim.holds) << claim.statement << "; ours: " << claim.ours;
  }
}

TEST(HpsFig8, ABurstLengthIsBetterOnAverageOrNot) {
  const auto with = [](const std::function<double(size_t)>& overlap) {
    return claim_of(fig8_of([&](Sampled& program, size_t i) {
                      for (Point& point : program.points[kMethods].back())
                        point.overlap = overlap(i);
                    }),
                    "for methods, bursts of 1 are more accurate than bursts of 100");
  };
  EXPECT_TRUE(with([](size_t) { return 0.9; }).holds);
  EXPECT_TRUE(differs(with([](size_t) { return 0.99; })));
  EXPECT_TRUE(with([](size_t i) { return i % 2 == 0 ? 0.9 : 0.99; }).undecided);
}

TEST(HpsFig8, FrequenciesWithTooFewEventsAreLeftOut) {
  const auto with = [](size_t first) {
    return claim_of(fig8_of([=](Sampled& program, size_t i) {
                      for (size_t f = first; f < kFrequencies.size(); ++f) {
                        if (i == 1) program.points[kPairs][0][f].events = 7;
                      }
                    }),
                    "for call pairs");
  };
  EXPECT_THAT(with(2).ours, HasSubstr("mean of 1/100, 1/500"));
  EXPECT_TRUE(with(2).holds);
  EXPECT_TRUE(with(0).undecided);
  EXPECT_EQ(with(0).why,
            "fewer than 500 events were collected of call pairs at 1/100 in bursts of 1: twolf1 7");
}

}  // namespace
}  // namespace strobe::reproduce::hps
