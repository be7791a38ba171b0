// The jitter of the decode engine: a random number that is added to what a set reads from one dise
// register, so that the distances between two bursts differ. docs/blocks/dise.md, "Jitter"
#pragma once

#include <cstdint>

namespace strobe::profiling {

inline constexpr unsigned kMaxJitterBits = 8;

/// The linear-feedback shift register, 12 bits: a step is Marsaglia's xorshift with the shifts
/// (5, 7, 11), and the state runs through all 2^12 - 1 values but 0.
inline constexpr uint16_t kJitterStates = 0xfff;
constexpr uint16_t jitter_step(uint16_t state) {
  unsigned bits = state;
  bits ^= bits << 5 & kJitterStates;
  bits ^= bits >> 7;
  bits ^= bits << 11 & kJitterStates;
  return static_cast<uint16_t>(bits);
}

/// DISE_JITTER, but for the state, which is part of a checkpoint.
struct DiseJitter {
  unsigned reg = 0;   // the dise register
  unsigned bits = 0;  // 0: no jitter

  bool jitters(unsigned read) const { return bits != 0 && read == reg; }
  uint32_t added(uint16_t state) const {
    const unsigned used = bits < kMaxJitterBits ? bits : kMaxJitterBits;
    return state & ((1u << used) - 1);
  }
};

}  // namespace strobe::profiling
