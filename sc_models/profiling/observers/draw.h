// Seeds of the random draws.
#pragma once

#include <cstdint>

namespace strobe::profiling {

/// One round of splitmix64: neighbouring seeds give unrelated streams.
inline uint64_t splitmix64(uint64_t seed) {
  uint64_t z = seed + 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

}  // namespace strobe::profiling
