// The sampler's random numbers: a 64-bit linear-feedback shift register, as strobe_lfsr.sv.
// docs/blocks/stratified_sampler.md
#pragma once

#include <cstdint>

namespace strobe::profiling {

/// Marsaglia's xorshift with the shifts (9, 37, 31) ("Xorshift RNGs", J. Statistical Software 8,
/// 2003). Its period is 2^64 - 1.
class Lfsr {
 public:
  /// @param seed  any number; the one that gives the state 0 acts as 0
  explicit Lfsr(uint64_t seed = 0) : state_(seed == kStart ? kStart : seed ^ kStart) {}

  /// The upper 32 bits of the state. Does not step.
  uint32_t number() const { return static_cast<uint32_t>(state_ >> 32); }
  uint64_t state() const { return state_; }
  void step() { state_ = stepped(state_); }

  /// The state after `state`.
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
