#include "sw/reproduce/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace strobe::reproduce {
namespace {

template <class Text>
std::string with_interval(double value, const std::optional<Interval>& interval, Text text) {
  const auto bounded = [&](double end) {
    return std::isfinite(end) ? text(end) : std::string("no bound");
  };
  if (!interval) return bounded(value);
  return fmt::format("{} ({} to {})", bounded(value), bounded(interval->least),
                     bounded(interval->most));
}

}  // namespace

Claim judged(std::string statement, std::string ours, const std::optional<Interval>& interval,
             Range range, std::string why) {
  if (!interval) {
    return undecided(
        std::move(statement), std::move(ours),
        fmt::format("an interval needs {} programs, and fewer were measured", kLeastPrograms));
  }
  const bool inside = interval->least >= range.least && interval->most <= range.most;
  const bool outside = interval->most < range.least || interval->least > range.most;
  Claim result = claim(std::move(statement), std::move(ours), inside, std::move(why));
  result.undecided = !inside && !outside;
  return result;
}

Claim undecided(std::string statement, std::string ours, std::string reason) {
  Claim result = claim(std::move(statement), std::move(ours), false, std::move(reason));
  result.undecided = true;
  return result;
}

Claim together(std::string statement, const std::vector<Claim>& parts) {
  std::string ours, why;
  for (const Claim& part : parts) {
    ours += fmt::format("{}{}: {}", ours.empty() ? "" : "; ", part.statement, part.ours);
    if (part.holds || part.why.empty()) continue;
    why += fmt::format("{}{}: {}", why.empty() ? "" : "; ", part.statement, part.why);
  }
  const bool holds =
      std::all_of(parts.begin(), parts.end(), [](const Claim& part) { return part.holds; });
  const bool differs = std::any_of(
      parts.begin(), parts.end(), [](const Claim& part) { return !part.holds && !part.undecided; });
  Claim result = claim(std::move(statement), std::move(ours), holds, std::move(why));
  result.undecided = !holds && !differs;
  return result;
}

std::string percent_text(double fraction, const std::optional<Interval>& interval) {
  return with_interval(fraction, interval, percent);
}

std::string number_text(double value, const std::optional<Interval>& interval, int decimals) {
  return with_interval(value, interval,
                       [=](double number) { return fmt::format("{:.{}f}", number, decimals); });
}

}  // namespace strobe::reproduce
