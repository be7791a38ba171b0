// The cycles in which samples are taken: one in each period, at a random place in it, so that no
// loop of the program keeps step with them.
#pragma once

#include <cstdint>

#include "sc_models/core/back_end/reorder_buffer.h"
#include "sc_models/profiling/reference/common/xorshift.h"

namespace strobe::truth {

class SampleClock {
 public:
  /// Clocks with the same period and seed give the same cycles.
  /// @param period  cycles, 1 to 2^32 - 1
  SampleClock(uint64_t period, uint64_t seed) : period_(period), random_(seed) {}

  /// The first period begins with `cycle`; until then there is no sample.
  void begin(uint64_t cycle) {
    start_ = cycle;
    choose();
  }
  /// The cycle of the next sample.
  uint64_t next() const { return next_; }
  /// It has been taken.
  void advance() {
    start_ += period_;
    choose();
  }

 private:
  void choose() { next_ = start_ + ((random_.next() >> 32) * period_ >> 32); }

  const uint64_t period_;
  profiling::Xorshift64Star random_;
  uint64_t start_ = core::kNever, next_ = core::kNever;
};

}  // namespace strobe::truth
