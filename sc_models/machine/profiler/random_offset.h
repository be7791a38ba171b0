// The random start of what samples at a fixed period.
#pragma once

#include <cstdint>

namespace strobe::platform {

/// From 0 to `period` - 1, uniformly over the seeds: splitmix64 of `seed`, neighboring ones of
/// which give unrelated offsets.
inline uint64_t random_offset(uint64_t seed, uint64_t period) {
  uint64_t z = seed + 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return (z ^ (z >> 31)) % period;
}

}  // namespace strobe::platform
