#include "sw/profile/accuracy/progress.h"

#include <algorithm>
#include <cmath>

#include "sw/profile/accuracy/ratio.h"

namespace strobe::profile {
void ProgressTracker::note(uint32_t number) {
  const Tuple tuple = ideal_.tuple(number);
  const uint32_t load = loads_.add(Tuple{tuple.pc, 0, tuple.tag});
  if (number == load_of_.size()) load_of_.push_back(load);
  if (ideal_.count_of(number) == kFrequent) frequent_.push_back({tuple, number});
}

void ProgressTracker::select() {
  const auto before = [](const auto& a, const auto& b) { return tuple_before(a.tuple, b.tuple); };
  const auto middle = frequent_.begin() + static_cast<std::ptrdiff_t>(sorted_);
  std::sort(middle, frequent_.end(), before);
  std::inplace_merge(frequent_.begin(), middle, frequent_.end(), before);
  sorted_ = frequent_.size();

  selected_.clear();
  frequency_ = 0;
  for (auto first = frequent_.begin(); first != frequent_.end();) {
    const uint32_t load = load_of_[first->number];
    const auto last = std::find_if_not(
        first, frequent_.end(), [&](const auto& one) { return load_of_[one.number] == load; });
    const uint64_t executions = loads_.count_of(load);
    const size_t selected_before = selected_.size();
    uint64_t covered = 0;
    if (executions >= kLimits.min_executions) {
      for (auto at = first; at != last; ++at) {
        const uint64_t count = ideal_.count_of(at->number);
        if (count * 100 < executions * kLimits.min_tuple_percent) continue;
        selected_.push_back({at->number, load, count, executions});
        covered += count;
      }
    }
    if (covered * 100 >= executions * kLimits.min_load_percent) {
      frequency_ += covered;
    } else {
      selected_.resize(selected_before);
    }
    first = last;
  }
}

size_t ProgressTracker::selected_loads() const {
  size_t loads = 0;  // the tuples of a load are neighbors
  for (size_t i = 0; i < selected_.size(); ++i) {
    loads += i == 0 || selected_[i].load != selected_[i - 1].load ? 1 : 0;
  }
  return loads;
}

double ProgressTracker::overlap(const NumberedCounts& profile) const {
  double result = 0;
  for (uint32_t number = 0; number < profile.size(); ++number) {
    const uint64_t count = profile.count(number);
    if (count == 0) continue;
    result +=
        std::min(ratio(ideal_.count_of(number), ideal_.total()), ratio(count, profile.total()));
  }
  return std::min(result, 1.0);
}

std::optional<double> ProgressTracker::invariance_error(const NumberedCounts& profile,
                                                        const NumberedCounts& loads) const {
  if (selected_.empty()) return std::nullopt;
  double weighted = 0;
  for (const Selected& one : selected_) {
    const double seen = ratio(profile.count(one.number), loads.count(one.load));
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
