#include "sw/profile/progress.h"

#include <algorithm>
#include <cmath>

namespace strobe::profile {
namespace {

double ratio(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

bool same_load(const Tuple& a, const Tuple& b) { return a.tag == b.tag && a.pc == b.pc; }

}  // namespace

void ProgressTracker::select() {
  const auto middle = frequent_.begin() + static_cast<std::ptrdiff_t>(sorted_);
  std::sort(middle, frequent_.end(), tuple_before);
  std::inplace_merge(frequent_.begin(), middle, frequent_.end(), tuple_before);
  sorted_ = frequent_.size();

  selected_.clear();
  frequency_ = 0;
  for (auto first = frequent_.begin(); first != frequent_.end();) {
    const auto last = std::find_if_not(first, frequent_.end(),
                                       [&](const Tuple& t) { return same_load(t, *first); });
    const uint64_t executions = loads_.count(load_of(*first));
    const size_t before = selected_.size();
    uint64_t covered = 0;
    if (executions >= kLimits.min_executions) {
      for (auto at = first; at != last; ++at) {
        const uint64_t count = ideal_.count(*at);
        if (count * 100 < executions * kLimits.min_tuple_percent) continue;
        selected_.push_back({*at, count, executions});
        covered += count;
      }
    }
    if (covered * 100 >= executions * kLimits.min_load_percent) {
      frequency_ += covered;
    } else {
      selected_.resize(before);
    }
    first = last;
  }
}

double ProgressTracker::overlap(const ExhaustiveProfile& profile) const {
  double result = 0;
  profile.for_each([&](const Tuple& tuple, uint64_t count) {
    result += std::min(ratio(ideal_.count(tuple), ideal_.total()), ratio(count, profile.total()));
  });
  return std::min(result, 1.0);
}

std::optional<double> ProgressTracker::invariance_error(const ExhaustiveProfile& profile,
                                                        const ExhaustiveProfile& loads) const {
  if (selected_.empty()) return std::nullopt;
  double weighted = 0;
  for (const Selected& one : selected_) {
    const double seen = ratio(profile.count(one.tuple), loads.count(load_of(one.tuple)));
    weighted += static_cast<double>(one.count) * std::abs(ratio(one.count, one.executions) - seen);
  }
  return weighted / static_cast<double>(frequency_);
}

Convergence convergence(const std::vector<ProgressPoint>& points, double threshold) {
  Convergence result;
  for (const ProgressPoint& point : points) {
    const bool under = point.invariance_error && *point.invariance_error < threshold;
    if (!under) {
      result.stays_below.reset();
      continue;
    }
    if (!result.reaches) result.reaches = point.events;
    if (!result.stays_below) result.stays_below = point.events;
  }
  return result;
}

}  // namespace strobe::profile
