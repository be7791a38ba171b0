// xorshift64* (Vigna, "An experimental exploration of Marsaglia's xorshift generators, scrambled"):
// 64 bits of state, the same numbers on every machine.
#pragma once

#include <cstdint>

namespace strobe::profiling {

class Xorshift64Star {
 public:
  /// @param state  the first state; 0 would never change and acts as 1
  explicit Xorshift64Star(uint64_t state) : state_(state == 0 ? 1 : state) {}

  uint64_t next() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 0x2545F4914F6CDD1D;
  }

 private:
  uint64_t state_;
};

}  // namespace strobe::profiling
