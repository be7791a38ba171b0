// The random numbers of the sampler: a linear-feedback register of 64 bits, as strobe_lfsr.sv.
// Marsaglia's xorshift with the shifts (9, 37, 31) ("Xorshift RNGs", J. Statistical Software 8,
// 2003): period 2^64 - 1. docs/blocks/stratified_sampler.md
#pragma once

#include <cstdint>

namespace strobe::profiling {

class Lfsr {
 public:
  /// @param seed  any number; the one that would give the state 0 counts as 0
  explicit Lfsr(uint64_t seed = 0) : state_(seed == kStart ? kStart : seed ^ kStart) {}

  /// The number, without stepping.
  uint32_t number() const { return static_cast<uint32_t>(state_ >> 32); }
  uint64_t state() const { return state_; }
  void step() { state_ = stepped(state_); }

  /// The state that follows `state`.
  static constexpr uint64_t stepped(uint64_t state) {
    state ^= state << 9;
    state ^= state >> 37;
    return state ^ (state << 31);
  }

 private:
  static constexpr uint64_t kStart = 0x9E3779B97F4A7C15;

  uint64_t state_;
};

}  // namespace strobe::profiling
