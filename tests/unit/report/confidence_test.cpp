// Intervals of means over seeds, against numbers worked out by hand with a printed table of t.
#include "sw/report/confidence.h"

#include <gtest/gtest.h>

namespace strobe::report {
namespace {

TEST(HalfWidth, OfThreeValuesIsWhatTheTableOfTGives) {
  // Mean 5, deviations -3, 0 and 3: s = 3; t of 2 degrees of freedom is 4.3027.
  EXPECT_NEAR(*half_width({2, 5, 8}), 4.3027 * 3 / 1.7320508, 1e-4);
}

TEST(HalfWidth, OfFiveValuesIsWhatTheTableOfTGives) {
  // Mean 0.9, squared deviations 4 + 1 + 0 + 1 + 4 ten-thousandths, over 4: s = 0.0158114;
  // t of 4 degrees of freedom is 2.7764.
  EXPECT_NEAR(*half_width({0.88, 0.91, 0.9, 0.89, 0.92}), 2.7764 * 0.0158114 / 2.2360680, 1e-6);
}

TEST(HalfWidth, OfEqualValuesIsZeroAndOfOneThereIsNone) {
  EXPECT_EQ(half_width({0.5, 0.5}), 0.0);
  EXPECT_EQ(half_width({0.5}), std::nullopt);
  EXPECT_EQ(half_width({}), std::nullopt);
}

TEST(HalfWidth, OfEqualRepetitionsThereIsNoneAndNotZero) {
  EXPECT_EQ(half_width_of_repetitions({0.5, 0.5}), std::nullopt);
  EXPECT_EQ(half_width_of_repetitions({}), std::nullopt);
  EXPECT_EQ(half_width_of_repetitions({2, 5, 8}), half_width({2, 5, 8}));
}

}  // namespace
}  // namespace strobe::report
