// Counts of the tuples that an ExhaustiveProfile numbers, by number: what many profiles of one
// stream have in common, the tuples, is there once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sw/profile/exhaustive_profile.h"

namespace strobe::profile {

/// 4 bytes a tuple of the exhaustive profile, counted or not; a count has 64 bits.
class NumberedCounts {
 public:
  /// Room for the numbers below `size`: add() takes no other, but kNoNumber.
  void fit(size_t size) {
    if (size > low_.size()) low_.resize(size);
  }
  /// Counts `n` occurrences; those of kNoNumber are in the total alone.
  void add(uint32_t number, uint32_t n) {
    total_ += n;
    if (number == ExhaustiveProfile::kNoNumber) return;
    uint32_t& low = low_[number];
    low += n;
    if (low < n) ++carries_[number];
  }
  /// 0 for a number never added.
  uint64_t count(uint32_t number) const {
    if (number >= low_.size()) return 0;
    const uint64_t low = low_[number];
    if (carries_.empty()) return low;
    const auto carries = carries_.find(number);
    return carries == carries_.end() ? low : carries->second << 32 | low;
  }
  /// Every occurrence added.
  uint64_t total() const { return total_; }
  /// Numbers from this on were never added.
  size_t size() const { return low_.size(); }

  /// The exhaustive profile dropped some. @param now  as its renumbered()
  void renumber(const std::vector<uint32_t>& now);
  /// The counted tuples with their counts. @param tuples  all of them, and @param order  their
  /// numbers, in profile order
  Entries entries(const Entries& tuples, const std::vector<uint32_t>& order) const;

 private:
  std::vector<uint32_t> low_;
  std::unordered_map<uint32_t, uint64_t> carries_;  // beyond 32 bits
  uint64_t total_ = 0;
};

}  // namespace strobe::profile
