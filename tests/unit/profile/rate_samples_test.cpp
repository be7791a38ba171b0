// Double-time error correction and the distances of rates, against numbers worked out by hand.
#include "sw/profile/rates/rate_samples.h"

#include <gtest/gtest.h>

namespace strobe::profile {
namespace {

// Figure 3 of the paper: a reading takes 10 cycles, but the third one 30, and its counter is read
// 20 cycles later than usual.
const std::vector<RateReading> kReadings = {{100, 110, 1000, 7, 995, 105},
                                            {200, 210, 1200, 9, 1190, 205},
                                            {300, 330, 1460, 9, 1400, 325},
                                            {400, 410, 1600, 13, 1590, 405}};

TEST(RateSamples, AreWhatLiesBetweenReadings) {
  const std::vector<RateSample> samples = rate_samples(kReadings);
  ASSERT_EQ(samples.size(), 3u);
  EXPECT_EQ(samples[1].cycles, 100u);
  EXPECT_EQ(samples[1].at_end, 120u);
  EXPECT_EQ(samples[1].gap, 90u);
  EXPECT_EQ(samples[1].second, 0u);
  EXPECT_DOUBLE_EQ(samples[1].rate(), 2.6);
  EXPECT_DOUBLE_EQ(samples[1].true_rate(), 2.1);
  EXPECT_DOUBLE_EQ(samples[1].cpc(), 1.2);
  EXPECT_DOUBLE_EQ(samples[2].cpc(), 0.8);
}

TEST(RateSamples, TwoReadingsAtOnceMakeNone) {
  EXPECT_TRUE(rate_samples({{5, 6, 1, 0, 1, 5}, {5, 6, 2, 0, 2, 5}}).empty());
  EXPECT_TRUE(rate_samples({}).empty());
}

TEST(RateSamples, AreKeptUpToTheLimitOfCpcAndNotBeyond) {
  const auto kept = [](uint64_t at_end, double dte) {
    return RateSample{1000, at_end, 0, 0, 0, 0, 1000}.kept(dte_units(dte));
  };
  EXPECT_TRUE(kept(1000, 0));
  EXPECT_FALSE(kept(1001, 0));
  EXPECT_TRUE(kept(1009, 0.01));
  EXPECT_TRUE(kept(991, 0.01));
  EXPECT_FALSE(kept(1011, 0.01));
  EXPECT_FALSE(kept(989, 0.01));
  EXPECT_TRUE(kept(2000, 1));
}

TEST(RateSamples, TheCorrectionIsComparedWithWhatWasReallySkewed) {
  const Correction found = correction(rate_samples(kReadings), dte_units(0.01));
  EXPECT_EQ(found.discarded, 2u);
  EXPECT_EQ(found.skewed, 2u);
  EXPECT_EQ(found.both, 2u);
  // A counter that is read late between two punctual clocks is not noticed.
  const Correction missed = correction(
      rate_samples({{0, 10, 0, 0, 0, 5}, {100, 110, 200, 0, 200, 109}}), dte_units(0.01));
  EXPECT_EQ(missed.discarded, 0u);
  EXPECT_EQ(missed.skewed, 1u);
  EXPECT_EQ(missed.both, 0u);
}

RateHistogram histogram(const std::vector<double>& rates) {
  RateHistogram made(4, 4);
  for (const double rate : rates) made.add(rate);
  return made;
}

TEST(RateHistogram, CountsImpossibleRatesApart) {
  const RateHistogram made = histogram({0, 0.5, 1, 3.999, 4, 17});
  EXPECT_EQ(made.counts, (std::vector<uint64_t>{2, 1, 0, 2})) << "as many as the machine can do";
  EXPECT_EQ(made.impossible, 1u);
}

TEST(EarthMoversDistance, IsHowFarASampleHasToBeMoved) {
  EXPECT_DOUBLE_EQ(*earth_movers_distance(histogram({0, 1}), histogram({1, 0})), 0);
  EXPECT_DOUBLE_EQ(*earth_movers_distance(histogram({0, 0}), histogram({0, 3})), 1.5);
  EXPECT_DOUBLE_EQ(*earth_movers_distance(histogram({0}), histogram({2, 2, 2})), 2);
  EXPECT_DOUBLE_EQ(*earth_movers_distance(histogram({3}), histogram({9})), 1);
  EXPECT_FALSE(earth_movers_distance(histogram({}), histogram({1})));
}

}  // namespace
}  // namespace strobe::profile
