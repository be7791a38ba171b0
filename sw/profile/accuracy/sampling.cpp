#include "sw/profile/accuracy/sampling.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

namespace strobe::profile {
namespace {

std::vector<double> reals(const std::vector<uint64_t>& values) {
  return {values.begin(), values.end()};
}

/// The number of units that the samples stand for: those that fit into the region after its start.
double units_after_start(const Samples& samples) {
  return static_cast<double>(samples.instructions - samples.start_instructions) /
         static_cast<double>(samples.unit);
}

/// So many times the mean.
Estimate total(const CalibratedMean& mean, const std::vector<double>& values, double times) {
  const std::optional<double> half_width = mean.half_width(values);
  return {times * mean.of(values),
          half_width ? std::optional<double>(times * *half_width) : std::nullopt};
}

/// How the units count: so that they have the handler instructions of the whole region. A run
/// without handlers has units of equal weight.
CalibratedMean mean_unit(const Samples& samples) {
  const std::vector<uint64_t>& own = samples.unit_handler_instructions;
  if (samples.handler_instructions == 0 || own.empty()) {
    return CalibratedMean(samples.unit_cycles.size());
  }
  if (handlers_in_no_unit(samples)) {
    throw std::invalid_argument(
        "handlers executed " + std::to_string(samples.handler_instructions) +
        " instructions, but none of them in a unit: use a smaller sampling.interval, which gives "
        "more units");
  }
  return {own, static_cast<double>(samples.handler_instructions) / units_after_start(samples)};
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
  return total(CalibratedMean(samples.interrupt_cycles.size()), reals(samples.interrupt_cycles),
               static_cast<double>(samples.interrupts));
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

void expect_pairs(const Samples& profiled, const Samples& baseline) {
  expect_units(baseline);
  if (profiled.unit_cycles.size() == baseline.unit_cycles.size() &&
      profiled.start_instructions == baseline.start_instructions) {
    return;
  }
  const auto measured = [](const Samples& samples) {
    return std::to_string(samples.unit_cycles.size()) + " units after a start of " +
           std::to_string(samples.start_instructions) + " instructions";
  };
  throw std::invalid_argument("the baseline measured " + measured(baseline) + ", the run " +
                              measured(profiled) + ": they did not execute the same program");
}

/// The cycles of `samples`, whose units count as those of `weighted` do.
Estimate cycles_of(const Samples& samples, const Samples& weighted) {
  const auto start = static_cast<double>(samples.start_cycles);
  if (samples.instructions == samples.start_instructions) return {start, 0.0};
  const Estimate units =
      total(mean_unit(weighted), reals(samples.unit_cycles), units_after_start(samples));
  const Estimate interrupts = interrupt_cycles(samples);
  return {start + units.value + interrupts.value, joined(units.half_width, interrupts.half_width)};
}

}  // namespace

bool handlers_in_no_unit(const Samples& samples) {
  const std::vector<uint64_t>& own = samples.unit_handler_instructions;
  return samples.handler_instructions != 0 && !own.empty() &&
         std::all_of(own.begin(), own.end(), [](uint64_t one) { return one == 0; });
}

Estimate estimated_cycles(const Samples& samples) {
  expect_units(samples);
  return cycles_of(samples, samples);
}

Estimate estimated_baseline(const Samples& profiled, const Samples& baseline) {
  expect_pairs(profiled, baseline);
  return cycles_of(baseline, profiled);
}

Estimate estimated_overhead(const Samples& profiled, const Samples& baseline) {
  const double base = estimated_baseline(profiled, baseline).value;
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
      joined(total(mean_unit(profiled), residuals, units_after_start(profiled)).half_width,
             interrupt_cycles(profiled).half_width);
  return {ratio - 1, error ? std::optional<double>(*error / base) : std::nullopt};
}

}  // namespace strobe::profile
