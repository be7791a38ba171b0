#include "sw/reproduce/hps/hps_means.h"

#include <fmt/format.h>

#include <cmath>

#include "sw/reproduce/bootstrap.h"

namespace strobe::reproduce::hps {

std::vector<double> overlaps(const std::vector<Sampled>& programs, Profile profile, size_t burst,
                             size_t frequency, std::optional<double> Point::*metric) {
  std::vector<double> values;
  for (const Sampled& program : programs) {
    const std::optional<double>& value = program.points[profile][burst][frequency].*metric;
    if (value) values.push_back(*value);
  }
  return values;
}

std::vector<double> overheads(const std::vector<Sampled>& programs, Profile profile,
                              size_t frequency) {
  std::vector<double> values;
  for (const Sampled& program : programs) {
    const std::optional<double>& value = program.usual(profile, frequency).overhead;
    if (value) values.push_back(*value);
  }
  return values;
}

Means mean_overlaps(const std::vector<Sampled>& programs, Profile profile, size_t burst,
                    std::optional<double> Point::*metric) {
  Means means{};
  for (size_t f = 0; f < means.size(); ++f) {
    const std::vector<double> values = overlaps(programs, profile, burst, f, metric);
    if (!values.empty()) means[f] = mean_of(values);
  }
  return means;
}

std::string too_few(const std::vector<Sampled>& programs, Profile profile, size_t burst,
                    size_t frequency) {
  Events events;
  for (const Sampled& program : programs) {
    events.emplace_back(program.program, program.points[profile][burst][frequency].events);
  }
  return too_few(fmt::format("{} at {} in bursts of {}", kProfileNames[profile],
                             frequency_text(frequency), kBursts[burst]),
                 events);
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
