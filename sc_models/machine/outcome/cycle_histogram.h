// How often each number of cycles occurred, in constant memory: exact below 64, above it to within
// 1/32.
#pragma once

#include <array>
#include <cstdint>

namespace strobe::platform {

class CycleHistogram {
 public:
  void add(uint64_t cycles) {
    ++counts_[bucket(cycles)];
    ++count_;
    sum_ += cycles;
  }

  uint64_t count() const { return count_; }
  uint64_t sum() const { return sum_; }

  /// The smallest number of cycles that at least `fraction` (above 0, at most 1) of those added do
  /// not exceed, rounded down to the bucket's lower end; 0 when nothing was added.
  uint64_t percentile(double fraction) const {
    uint64_t below = 0;
    for (unsigned k = 0; k < counts_.size(); ++k) {
      below += counts_[k];
      if (below != 0 && static_cast<double>(below) >= fraction * static_cast<double>(count_)) {
        return lowest(k);
      }
    }
    return 0;
  }

 private:
  static constexpr unsigned kStepBits = 5;  // buckets an octave: 2^5
  static constexpr unsigned kSteps = 1u << kStepBits;

  static unsigned bucket(uint64_t cycles) {
    unsigned octave = 0;  // 0 for those below 2 * kSteps, which have a bucket each
    while (cycles >> octave >= 2 * kSteps) ++octave;
    return octave * kSteps + static_cast<unsigned>(cycles >> octave);
  }
  static uint64_t lowest(unsigned bucket) {
    if (bucket < 2 * kSteps) return bucket;
    const unsigned octave = bucket / kSteps - 1;
    return uint64_t{bucket - octave * kSteps} << octave;
  }

  std::array<uint64_t, (64 - kStepBits + 1) * kSteps> counts_{};
  uint64_t count_ = 0, sum_ = 0;
};

}  // namespace strobe::platform
