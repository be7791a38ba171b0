// splitmix64, which makes the random numbers that a program sees and those of the scheduler.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace strobe::isa {

/// The next number of the sequence that `state` stands for.
inline uint64_t next_random(uint64_t& state) {
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

class SeededBytes {
 public:
  explicit SeededBytes(uint64_t seed) : state_(seed) {}

  void fill(uint8_t* to, size_t size) {
    while (size > 0) {
      const uint64_t word = next_random(state_);
      const size_t n = std::min(size, sizeof word);
      std::memcpy(to, &word, n);
      to += n;
      size -= n;
    }
  }

 private:
  uint64_t state_;
};

}  // namespace strobe::isa
