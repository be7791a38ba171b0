// The estimators of sampled simulation, compared with figures worked out by hand.
#include "sw/profile/accuracy/sampling.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

namespace strobe::profile {
namespace {

/// `times` repetitions of the same units of 100 instructions each, which are all that follow a
/// start of 50 instructions in 70 cycles. With `times` 0, as many as there must be.
Samples units(const std::vector<uint64_t>& cycles, uint64_t times = 0) {
  if (times == 0) times = (kLeastUnits + cycles.size() - 1) / cycles.size();
  Samples samples;
  samples.unit = 100;
  for (uint64_t i = 0; i < times; ++i) {
    samples.unit_cycles.insert(samples.unit_cycles.end(), cycles.begin(), cycles.end());
  }
  samples.start_instructions = 50;
  samples.start_cycles = 70;
  samples.instructions = 50 + 100 * samples.unit_cycles.size();
  return samples;
}

std::string refusal(const Samples& samples) {
  try {
    estimated_cycles(samples);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(StudentsT, IsThatOfTheTables) {
  // The quantile 0.9985, by numerical integration of the density.
  EXPECT_NEAR(confidence_t(1), 212.205, 0.001);
  EXPECT_NEAR(confidence_t(2), 18.216, 0.001);
  EXPECT_NEAR(confidence_t(3), 8.891, 0.001);
  EXPECT_NEAR(confidence_t(10), 3.8920, 0.0005);
  EXPECT_NEAR(confidence_t(59), 3.0959, 0.0005);
  EXPECT_NEAR(confidence_t(1000000), 2.9677, 0.0005);
}

TEST(Cycles, AreThoseOfTheStartAndTheMeanUnitTimesTheUnitsOfTheRest) {
  const Estimate estimate = estimated_cycles(units({90, 100, 110, 100}));
  EXPECT_DOUBLE_EQ(estimate.value, 70 + 60 * 100.0);
  const double variance = 15 * 200.0 / 59;
  EXPECT_NEAR(*estimate.half_width, confidence_t(59) * 60 * std::sqrt(variance / 60), 1e-9);
}

TEST(Cycles, AddEveryInterruptAtTheMeanCostOfTheMeasuredOnes) {
  Samples samples = units({100, 100});
  samples.interrupts = 5;
  samples.interrupt_cycles = {30, 50};
  const Estimate estimate = estimated_cycles(samples);
  EXPECT_DOUBLE_EQ(estimate.value, 70 + 6000 + 5 * 40.0);
  EXPECT_NEAR(*estimate.half_width, confidence_t(1) * 5 * std::sqrt(200.0 / 2), 1e-9);
}

TEST(Cycles, OfARegionThatEndsInItsStartAreExact) {
  Samples samples = units({}, 1);
  const Estimate estimate = estimated_cycles(samples);
  EXPECT_EQ(estimate.value, 70);
  EXPECT_EQ(estimate.half_width, 0);
}

TEST(Cycles, OfOneInterruptHaveNoHalfWidth) {
  Samples samples = units({100, 101});
  samples.interrupts = 9;
  samples.interrupt_cycles = {30};
  EXPECT_EQ(estimated_cycles(samples).half_width, std::nullopt);
}

TEST(Cycles, OfTooFewUnitsAreRefusedWithTheIntervalThatWouldDo) {
  Samples samples = units({100, 101}, 1);
  samples.instructions = 61050;
  EXPECT_EQ(
      refusal(samples),
      "the region is too short for mode sampled: expected at least 60 units in the 61000 "
      "instructions after sampling.start, got 2; use mode timing, or a sampling.interval of at "
      "most 1000");
  EXPECT_EQ(refusal(units({100}, 60)), "");
  EXPECT_NE(refusal(units({100}, 59)), "");
}

TEST(Cycles, OfInterruptsOfWhichNoneWasMeasuredAreRefused) {
  Samples samples = units({100, 100});
  samples.interrupts = 1;
  EXPECT_NE(refusal(samples).find("none could be measured"), std::string::npos);
}

TEST(Overhead, IsTheRatioOfStartsAndPairsAndItsErrorThatOfTheResidualsOfThePairs) {
  Samples profiled = units({105, 215, 330});
  const Samples baseline = units({100, 200, 300});
  profiled.start_cycles = 90;
  const Estimate estimate = estimated_overhead(profiled, baseline);
  const double base = 70 + 20 * 600, ratio = (90 + 20 * 650) / base;
  EXPECT_NEAR(estimate.value, ratio - 1, 1e-12);
  const double mean = (650 - 600 * ratio) / 3;
  double sum = 0;
  for (const double e : {105 - 100 * ratio, 215 - 200 * ratio, 330 - 300 * ratio}) {
    sum += 20 * (e - mean) * (e - mean);
  }
  EXPECT_NEAR(*estimate.half_width, confidence_t(59) * 60 * std::sqrt(sum / 59 / 60) / base, 1e-12);
}

TEST(Overhead, OfPairsInProportionIsCertainHoweverTheUnitsVary) {
  Samples profiled = units({11, 220, 3300});
  profiled.start_cycles = 77;
  const Estimate estimate = estimated_overhead(profiled, units({10, 200, 3000}));
  EXPECT_NEAR(estimate.value, 0.1, 1e-12);
  EXPECT_NEAR(*estimate.half_width, 0, 1e-9);
}

TEST(Overhead, HasTheInterruptsInIt) {
  Samples profiled = units({100, 100});
  profiled.interrupts = 2;
  profiled.interrupt_cycles = {40, 60};
  const Estimate estimate = estimated_overhead(profiled, units({100, 100}));
  EXPECT_NEAR(estimate.value, 2 * 50.0 / 6070, 1e-12);
  EXPECT_NEAR(*estimate.half_width, confidence_t(1) * 2 * std::sqrt(200.0 / 2) / 6070, 1e-3);
}

/// The run of units(): every third unit is longer by the 20 instructions of a handler, at 2 cycles.
Samples with_handlers() {
  Samples samples = units({100, 110, 120 + 40});
  for (size_t i = 0; i < samples.unit_cycles.size(); ++i) {
    samples.unit_handler_instructions.push_back(i % 3 == 2 ? 20 : 0);
  }
  samples.handler_instructions = 20 * 20;
  return samples;
}

TEST(Handlers, ThatTheUnitsHaveTheirShareOfChangeNothing) {
  Samples samples = with_handlers();
  const double cycles = estimated_cycles(samples).value;
  EXPECT_NEAR(cycles, 70 + 20 * (100 + 110 + 160), 1e-9);
}

TEST(Handlers, ThatTheUnitsMissedCountAtTheirCostInTheUnits) {
  Samples samples = with_handlers();
  samples.handler_instructions += 200;
  // The line goes through (0, 105) and (20, 160).
  EXPECT_NEAR(estimated_cycles(samples).value, 70 + 20 * (100 + 110 + 160) + 200 * (55 / 20.0),
              1e-9);
}

TEST(Handlers, LeaveTheErrorThatTheLineThroughTheUnitsHas) {
  Samples samples = with_handlers();
  // Residuals of -5 and 5 in the 40 units without handlers, which are 20/3 from the mean unit.
  const double leverage = 1 / 60.0 + (400 / 9.0) / (40 * 400 / 9.0 + 20 * 1600 / 9.0);
  const double error = std::sqrt(40 * 25.0 / 3600 / (1 - leverage));
  EXPECT_NEAR(*estimated_cycles(samples).half_width, confidence_t(19) * 60 * error, 1e-9);
}

TEST(Handlers, WeighTheBaselineAsTheRun) {
  Samples samples = with_handlers();
  samples.handler_instructions += 200;
  const Samples baseline = units({100, 110, 120});
  const double base = estimated_baseline(samples, baseline).value;
  EXPECT_NEAR(base, 70 + 20 * 330 + 200 * (15 / 20.0), 1e-9);
  EXPECT_NEAR(estimated_overhead(samples, baseline).value,
              estimated_cycles(samples).value / base - 1, 1e-12);
}

TEST(Handlers, InOneUnitOnlyHaveNoHalfWidth) {
  Samples samples = with_handlers();
  for (size_t i = 0; i + 1 < samples.unit_handler_instructions.size(); ++i) {
    samples.unit_handler_instructions[i] = 0;
  }
  EXPECT_EQ(estimated_cycles(samples).half_width, std::nullopt);
}

TEST(Handlers, InNoUnitAreRefused) {
  Samples samples = with_handlers();
  samples.unit_handler_instructions.assign(60, 0);
  EXPECT_EQ(refusal(samples),
            "handlers executed 400 instructions, but none of them in a unit: use a smaller "
            "sampling.interval, which gives more units");
}

TEST(Overhead, OfRunsWithDifferentUnitsOrStartsIsRefused) {
  EXPECT_THROW(estimated_overhead(units({1, 2}, 40), units({1, 2}, 41)), std::invalid_argument);
  Samples other = units({1, 2});
  other.start_instructions = 49;
  EXPECT_THROW(estimated_overhead(units({1, 2}), other), std::invalid_argument);
}

}  // namespace
}  // namespace strobe::profile
