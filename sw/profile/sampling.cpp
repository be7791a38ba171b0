#include "sw/profile/sampling.h"

#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

namespace strobe::profile {
namespace {

double mean(const std::vector<uint64_t>& values) {
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  return sum / static_cast<double>(values.size());
}

/// Squared standard error of the mean of values that have this mean; none of fewer than two.
template <class Value>
std::optional<double> squared_error(const std::vector<Value>& values, double mean) {
  if (values.size() < 2) return std::nullopt;
  double sum = 0;
  for (const Value value : values) {
    const double difference = static_cast<double>(value) - mean;
    sum += difference * difference;
  }
  const auto n = static_cast<double>(values.size());
  return sum / (n - 1) / n;
}

/// The interrupts' cycles for each unit of the region, and the squared error of that.
Estimate interrupts_per_unit(const Samples& samples) {
  if (samples.interrupts == 0) return {0, 0.0};
  if (samples.interrupt_cycles.empty()) {
    throw std::invalid_argument(
        std::to_string(samples.interrupts) +
        " interrupts were taken and none could be measured between two units: "
        "a longer sampling.interval leaves more room");
  }
  const double rate = static_cast<double>(samples.interrupts) * static_cast<double>(samples.unit) /
                      static_cast<double>(samples.instructions);
  const double cycles = mean(samples.interrupt_cycles);
  const std::optional<double> error = squared_error(samples.interrupt_cycles, cycles);
  return {rate * cycles, error ? std::optional<double>(rate * rate * *error) : std::nullopt};
}

std::optional<double> half_width(std::optional<double> one, std::optional<double> other,
                                 double scale) {
  if (!one || !other) return std::nullopt;
  return kConfidenceZ * scale * std::sqrt(*one + *other);
}

void expect_units(const Samples& samples) {
  if (!samples.unit_cycles.empty()) return;
  throw std::invalid_argument(
      "no unit was measured in the " + std::to_string(samples.instructions) +
      " instructions of the region: a shorter sampling.interval gives more of them");
}

}  // namespace

Estimate estimated_cycles(const Samples& samples) {
  expect_units(samples);
  const double units =
      static_cast<double>(samples.instructions) / static_cast<double>(samples.unit);
  const double cycles = mean(samples.unit_cycles);
  const Estimate interrupts = interrupts_per_unit(samples);
  return {units * (cycles + interrupts.value),
          half_width(squared_error(samples.unit_cycles, cycles), interrupts.half_width, units)};
}

Estimate estimated_overhead(const Samples& profiled, const Samples& baseline) {
  expect_units(profiled);
  if (profiled.unit_cycles.size() != baseline.unit_cycles.size()) {
    throw std::invalid_argument("the baseline measured " +
                                std::to_string(baseline.unit_cycles.size()) + " units, the run " +
                                std::to_string(profiled.unit_cycles.size()) +
                                ": they did not execute the same program");
  }
  const double base = mean(baseline.unit_cycles);
  const Estimate interrupts = interrupts_per_unit(profiled);
  const double ratio = (mean(profiled.unit_cycles) + interrupts.value) / base;
  // Of a ratio estimator: the residuals of the pairs about it, interrupts at their mean.
  std::vector<double> residuals;
  for (size_t i = 0; i < profiled.unit_cycles.size(); ++i) {
    residuals.push_back(static_cast<double>(profiled.unit_cycles[i]) + interrupts.value -
                        ratio * static_cast<double>(baseline.unit_cycles[i]));
  }
  return {ratio - 1, half_width(squared_error(residuals, 0), interrupts.half_width, 1 / base)};
}

}  // namespace strobe::profile
