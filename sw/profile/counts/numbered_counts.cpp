#include "sw/profile/counts/numbered_counts.h"

#include <algorithm>

namespace strobe::profile {

void NumberedCounts::renumber(const std::vector<uint32_t>& now) {
  constexpr uint32_t kNone = ExhaustiveProfile::kNoNumber;
  size_t size = 0;
  std::unordered_map<uint32_t, uint64_t> carries;
  for (const auto& [number, carried] : carries_) {
    if (now[number] != kNone) carries[now[number]] = carried;
  }
  carries_ = std::move(carries);
  for (size_t number = 0; number < low_.size(); ++number) {
    // New numbers are in the order of the old ones, so no count is overwritten before it has moved.
    if (now[number] != kNone) low_[size++] = low_[number];
  }
  low_.resize(size);
}

Entries NumberedCounts::entries(const Entries& tuples, const std::vector<uint32_t>& order) const {
  Entries result;
  result.reserve(low_.size() - static_cast<size_t>(std::count(low_.begin(), low_.end(), 0u)) +
                 carries_.size());
  for (size_t i = 0; i < order.size(); ++i) {
    if (const uint64_t n = count(order[i])) result.emplace_back(tuples[i].first, n);
  }
  return result;
}

}  // namespace strobe::profile
