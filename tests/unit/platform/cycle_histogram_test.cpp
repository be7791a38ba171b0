#include "sc_models/machine/outcome/cycle_histogram.h"

#include <gtest/gtest.h>

namespace strobe::platform {
namespace {

TEST(CycleHistogram, KnowsCountSumAndPercentilesOfSmallNumbersExactly) {
  CycleHistogram histogram;
  for (uint64_t cycles = 1; cycles <= 50; ++cycles) histogram.add(cycles);
  EXPECT_EQ(histogram.count(), 50u);
  EXPECT_EQ(histogram.sum(), 25u * 51);
  EXPECT_EQ(histogram.percentile(0.02), 1u);
  EXPECT_EQ(histogram.percentile(0.5), 25u);
  EXPECT_EQ(histogram.percentile(1), 50u);
}

TEST(CycleHistogram, RoundsLargeNumbersDownByLessThanAThirtySecond) {
  for (const uint64_t cycles : {uint64_t{63}, uint64_t{64}, uint64_t{65}, uint64_t{127},
                                uint64_t{128}, uint64_t{1000003}, ~uint64_t{0}}) {
    CycleHistogram histogram;
    histogram.add(cycles);
    const uint64_t told = histogram.percentile(0.5);
    EXPECT_LE(told, cycles);
    EXPECT_LE(cycles - told, cycles / 32) << cycles;
    if (cycles < 64) {
      EXPECT_EQ(told, cycles);
    }
  }
}

TEST(CycleHistogram, IsZeroWhenNothingWasAdded) { EXPECT_EQ(CycleHistogram().percentile(0.5), 0u); }

}  // namespace
}  // namespace strobe::platform
