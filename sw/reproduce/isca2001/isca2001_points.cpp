#include "sw/reproduce/isca2001/isca2001_points.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "sw/profile/accuracy/metrics.h"

namespace strobe::isca2001 {

using profile::ProgressPoint;
using reproduce::Figure;

double overhead(const ProgressPoint& point) {
  const uint64_t cost =
      profile::CostModel().cycles(point.messages, profile::interrupts_for(point.messages));
  return point.cycles == 0 ? 0 : static_cast<double>(cost) / static_cast<double>(point.cycles);
}

double error_of(const ProgressPoint& point) { return point.invariance_error.value_or(1); }

std::vector<ProgressPoint> until(const platform::ProfilerOutcome& profiler, uint64_t events) {
  std::vector<ProgressPoint> result;
  for (const ProgressPoint& point : profiler.progress) {
    if (point.events <= events) result.push_back(point);
  }
  if (result.empty()) throw std::runtime_error("a stream has too few events for a single point");
  return result;
}

double mean_error(const std::vector<ProgressPoint>& points) {
  double sum = 0;
  for (const ProgressPoint& point : points) sum += error_of(point);
  return sum / static_cast<double>(points.size());
}

Figure figure_of(const std::string& name, const std::string& title, const std::string& y_label,
                 const std::vector<Contender>& contenders,
                 const std::vector<platform::ProfilerOutcome>& profilers, uint64_t events,
                 double (*value)(const ProgressPoint&)) {
  Figure figure{name, title, "events", y_label, {}};
  for (size_t i = 0; i < contenders.size(); ++i) {
    reproduce::Curve curve{contenders[i].paper, {}};
    for (const ProgressPoint& point : until(profilers[i], events)) {
      curve.points.emplace_back(static_cast<double>(point.events), 100 * value(point));
    }
    figure.curves.push_back(std::move(curve));
  }
  return figure;
}

std::string events_text(const std::optional<uint64_t>& events) {
  return events ? fmt::format("{}K", *events / 1000) : std::string("never");
}

std::string setup_text(const std::string& what, const std::string& selectors,
                       uint64_t instructions) {
  return fmt::format(
      "{} The core is isca2001 with timing; {} M instructions are measured, after {} M that are "
      "not. "
      "The selectors are `{}`.\nThe curves have a point every {} events. The error is the "
      "invariance "
      "error of section 5.3.1.",
      what, instructions / kMillion, instructions / 10 / kMillion, selectors, kEvery);
}

}  // namespace strobe::isca2001
