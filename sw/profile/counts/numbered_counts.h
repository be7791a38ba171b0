// Counts of the tuples that an ExhaustiveProfile numbers, by number. Many profiles of one stream
// share the tuples, which are stored once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sw/profile/counts/exhaustive_profile.h"

namespace strobe::profile {

/// Takes 4 bytes for each tuple of the exhaustive profile, counted or not. A count has 64 bits.
class NumberedCounts {
 public:
  /// Makes room for the numbers below `size`: add() takes no other except kNoNumber.
  void fit(size_t size) {
    if (size > low_.size()) low_.resize(size);
  }
  /// Counts `n` occurrences; those of kNoNumber count in the total alone.
  void add(uint32_t number, uint32_t n) {
    total_ += n;
    if (number == ExhaustiveProfile::kNoNumber) return;
    uint32_t& low = low_[number];
    low += n;
    if (low < n) ++carries_[number];
  }
  /// The count of a number; 0 for a number never added.
  uint64_t count(uint32_t number) const {
    if (number >= low_.size()) return 0;
    const uint64_t low = low_[number];
    if (carries_.empty()) return low;
    const auto carries = carries_.find(number);
    return carries == carries_.end() ? low : carries->second << 32 | low;
  }
  /// The number of occurrences added.
  uint64_t total() const { return total_; }
  /// The first number from which on none was added.
  size_t size() const { return low_.size(); }

  /// Follows a drop of tuples by the exhaustive profile. @param now  its renumbered()
  void renumber(const std::vector<uint32_t>& now);
  /// The counted tuples with their counts. @param tuples  all tuples in profile order @param order
  /// their numbers in the same order
  Entries entries(const Entries& tuples, const std::vector<uint32_t>& order) const;

 private:
  std::vector<uint32_t> low_;
  std::unordered_map<uint32_t, uint64_t> carries_;  // the parts of counts beyond 32 bits
  uint64_t total_ = 0;
};

}  // namespace strobe::profile
