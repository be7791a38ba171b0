#include "sw/profile/accuracy/sampling.h"

#include <algorithm>
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

/// The half-width of the mean of values; none for fewer than two.
template <class Value>
std::optional<double> half_width_of_mean(const std::vector<Value>& values) {
  if (values.size() < 2) return std::nullopt;
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double sum = 0;
  for (const Value value : values) {
    const double difference = static_cast<double>(value) - mean;
    sum += difference * difference;
  }
  return confidence_t(values.size() - 1) * std::sqrt(sum / (n - 1) / n);
}

/// The number of units that the samples stand for: those that fit into the region after its start.
double units_after_start(const Samples& samples) {
  return static_cast<double>(samples.instructions - samples.start_instructions) /
         static_cast<double>(samples.unit);
}

/// The cycles of the interrupts after the start.
Estimate interrupt_cycles(const Samples& samples) {
  if (samples.interrupts == 0) return {0, 0.0};
  if (samples.interrupt_cycles.empty()) {
    throw std::invalid_argument(
        std::to_string(samples.interrupts) +
        " interrupts were taken, but none could be measured between two units: raise "
        "sampling.interval, which leaves more room between units");
  }
  const auto count = static_cast<double>(samples.interrupts);
  const std::optional<double> half_width = half_width_of_mean(samples.interrupt_cycles);
  return {count * mean(samples.interrupt_cycles),
          half_width ? std::optional<double>(count * *half_width) : std::nullopt};
}

/// The half-width of the sum of two independent errors.
std::optional<double> joined(std::optional<double> one, std::optional<double> other) {
  if (!one || !other) return std::nullopt;
  return std::hypot(*one, *other);
}

void expect_units(const Samples& samples) {
  const uint64_t instructions = samples.instructions - samples.start_instructions;
  const uint64_t units = samples.unit_cycles.size();
  if (instructions == 0 || units >= kLeastUnits) return;
  throw std::invalid_argument(
      "the region is too short for mode sampled: expected at least " + std::to_string(kLeastUnits) +
      " units in the " + std::to_string(instructions) + " instructions after sampling.start, got " +
      std::to_string(units) + "; use mode timing, or a sampling.interval of at most " +
      std::to_string(instructions / (kLeastUnits + 1)));
}

}  // namespace

double confidence_t(uint64_t degrees) {
  // Abramowitz and Stegun, "Handbook of Mathematical Functions", 26.7.3 and 26.7.4: the probability
  // between -t and t. The tangent of the angle is t over the root of the degrees.
  const auto within = [degrees](double angle) {
    const double sine = std::sin(angle), cosine = std::cos(angle);
    const bool odd = degrees % 2 == 1;
    double term = odd ? cosine : 1, sum = degrees == 1 ? 0 : term;
    for (uint64_t i = odd ? 3 : 2; i < degrees; i += 2) {
      term *= cosine * cosine * static_cast<double>(i - 1) / static_cast<double>(i);
      sum += term;
    }
    return odd ? 2 / std::acos(-1) * (angle + sine * sum) : sine * sum;
  };
  double low = 0, high = std::acos(0);
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (within(middle) < kConfidence ? low : high) = middle;
  }
  return std::tan(low) * std::sqrt(static_cast<double>(degrees));
}

Estimate estimated_cycles(const Samples& samples) {
  expect_units(samples);
  const auto start = static_cast<double>(samples.start_cycles);
  if (samples.instructions == samples.start_instructions) return {start, 0.0};
  const double units = units_after_start(samples);
  const Estimate interrupts = interrupt_cycles(samples);
  return {start + units * mean(samples.unit_cycles) + interrupts.value,
          joined(units * *half_width_of_mean(samples.unit_cycles), interrupts.half_width)};
}

Estimate estimated_overhead(const Samples& profiled, const Samples& baseline) {
  if (profiled.unit_cycles.size() != baseline.unit_cycles.size() ||
      profiled.start_instructions != baseline.start_instructions) {
    const auto measured = [](const Samples& samples) {
      return std::to_string(samples.unit_cycles.size()) + " units after a start of " +
             std::to_string(samples.start_instructions) + " instructions";
    };
    throw std::invalid_argument("the baseline measured " + measured(baseline) + ", the run " +
                                measured(profiled) + ": they did not execute the same program");
  }
  const double base = estimated_cycles(baseline).value;
  const double ratio = estimated_cycles(profiled).value / base;
  if (profiled.instructions == profiled.start_instructions) return {ratio - 1, 0.0};
  // The error of a ratio estimator comes from the residuals of the pairs about the ratio.
  // Interrupts count at their mean.
  std::vector<double> residuals;
  for (size_t i = 0; i < profiled.unit_cycles.size(); ++i) {
    residuals.push_back(static_cast<double>(profiled.unit_cycles[i]) -
                        ratio * static_cast<double>(baseline.unit_cycles[i]));
  }
  const std::optional<double> error =
      joined(units_after_start(profiled) * *half_width_of_mean(residuals),
             interrupt_cycles(profiled).half_width);
  return {ratio - 1, error ? std::optional<double>(*error / base) : std::nullopt};
}

}  // namespace strobe::profile
