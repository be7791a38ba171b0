// The estimators of sampled simulation, against figures worked out by hand.
#include "sw/profile/sampling.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace strobe::profile {
namespace {

Samples units(std::vector<uint64_t> cycles) {
  Samples samples;
  samples.unit = 100;
  samples.instructions = 1000;
  samples.unit_cycles = std::move(cycles);
  return samples;
}

TEST(Cycles, AreTheMeanUnitTimesTheUnitsOfTheRegion) {
  const Estimate estimate = estimated_cycles(units({90, 100, 110, 100}));
  EXPECT_DOUBLE_EQ(estimate.value, 10 * 100.0);
  // Sample variance 200 / 3, of the mean a quarter of it.
  EXPECT_DOUBLE_EQ(*estimate.half_width, 3 * 10 * std::sqrt(200.0 / 3 / 4));
}

TEST(Cycles, AddEveryInterruptAtTheMeanCostOfTheMeasuredOnes) {
  Samples samples = units({100, 100});
  samples.interrupts = 5;
  samples.interrupt_cycles = {30, 50};
  const Estimate estimate = estimated_cycles(samples);
  EXPECT_DOUBLE_EQ(estimate.value, 1000 + 5 * 40.0);
  EXPECT_DOUBLE_EQ(*estimate.half_width, 3 * 5 * std::sqrt(200.0 / 2));
}

TEST(Cycles, OfOneUnitHaveNoHalfWidth) {
  EXPECT_EQ(estimated_cycles(units({100})).half_width, std::nullopt);
  Samples samples = units({100, 101});
  samples.interrupts = 9;
  samples.interrupt_cycles = {30};
  EXPECT_EQ(estimated_cycles(samples).half_width, std::nullopt);
}

TEST(Cycles, OfNothingMeasuredAreRefused) {
  EXPECT_THROW(estimated_cycles(units({})), std::invalid_argument);
  Samples samples = units({100, 100});
  samples.interrupts = 1;
  EXPECT_THROW(estimated_cycles(samples), std::invalid_argument);
}

TEST(Overhead, OfPairsIsTheRatioOfTheirMeansAndItsErrorThatOfTheirResiduals) {
  const Estimate estimate = estimated_overhead(units({105, 215, 330}), units({100, 200, 300}));
  EXPECT_NEAR(estimate.value, 650.0 / 600 - 1, 1e-12);
  const double ratio = 650.0 / 600;
  const double a = 105 - 100 * ratio, b = 215 - 200 * ratio, c = 330 - 300 * ratio;
  EXPECT_NEAR(*estimate.half_width, 3 * std::sqrt((a * a + b * b + c * c) / 2 / 3) / 200, 1e-12);
}

TEST(Overhead, OfPairsInProportionIsCertainHoweverTheUnitsVary) {
  const Estimate estimate = estimated_overhead(units({11, 220, 3300}), units({10, 200, 3000}));
  EXPECT_NEAR(estimate.value, 0.1, 1e-12);
  EXPECT_NEAR(*estimate.half_width, 0, 1e-9);
}

TEST(Overhead, HasTheInterruptsInIt) {
  Samples profiled = units({100, 100});
  profiled.interrupts = 2;
  profiled.interrupt_cycles = {40, 60};
  const Estimate estimate = estimated_overhead(profiled, units({100, 100}));
  EXPECT_NEAR(estimate.value, 2 * 50.0 / 1000, 1e-12);
  EXPECT_NEAR(*estimate.half_width, 3 * 0.2 * std::sqrt(200.0 / 2) / 100, 1e-12);
}

TEST(Overhead, OfRunsWithDifferentUnitsIsRefused) {
  EXPECT_THROW(estimated_overhead(units({1, 2}), units({1})), std::invalid_argument);
}

}  // namespace
}  // namespace strobe::profile
