#include "sw/reproduce/hps/hps_means.h"

#include <fmt/format.h>

#include <cmath>

namespace strobe::reproduce::hps {
namespace {

/// Mean over the programs that have such a profile, 0 where none has.
double mean_accuracy(const std::vector<Sampled>& programs, Profile profile, size_t burst,
                     size_t frequency, std::optional<double> Accuracy::*metric) {
  std::vector<std::optional<double>> values;
  for (const Sampled& program : programs) {
    values.push_back(program.accuracy[profile][burst][frequency].*metric);
  }
  return mean(values).value_or(0);
}

}  // namespace

Means accuracies(const std::vector<Sampled>& programs, Profile profile, size_t burst,
                 std::optional<double> Accuracy::*metric) {
  Means means{};
  for (size_t f = 0; f < means.size(); ++f) {
    means[f] = mean_accuracy(programs, profile, burst, f, metric);
  }
  return means;
}

std::string frequency_text(size_t f) { return fmt::format("1/{}", kFrequencies[f]); }

Curve curve_of(const std::string& name, const Means& values) {
  Curve curve{name, {}};
  for (size_t f = 0; f < values.size(); ++f) {
    curve.points.emplace_back(std::log10(kFrequencies[f]), 100 * values[f]);
  }
  return curve;
}

Figure figure_of(const std::string& name, const std::string& title, const std::string& y_label) {
  Figure figure{name, title, "one event in 10^x is sampled", y_label, {}};
  figure.x_start = report::Start::kLeast;
  return figure;
}

}  // namespace strobe::reproduce::hps
