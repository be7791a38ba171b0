// Shared parts of the random tests of the profiling blocks: a seed that can be set from outside and
// is printed, and a small random source.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <iostream>

#include "sc_models/port/tuple.h"
#include "sc_models/profiling/reference/common/xorshift.h"

namespace strobe::profiling {

/// The seed of a random test: STROBE_TEST_SEED or 1.
inline uint64_t test_seed() {
  const char* text = std::getenv("STROBE_TEST_SEED");
  const uint64_t seed = text == nullptr ? 1 : std::strtoull(text, nullptr, 0);
  std::cout << "seed " << seed << " (set STROBE_TEST_SEED for another)\n";
  return seed;
}

class RandomSource {
 public:
  explicit RandomSource(uint64_t seed) : random_(seed) {
    for (int i = 0; i < 16; ++i) random_.next();  // small seeds start with small numbers
  }
  uint64_t word() { return random_.next(); }
  uint64_t below(uint64_t bound) { return (random_.next() >> 16) % bound; }
  /// True once in `n` times.
  bool one_in(uint64_t n) { return below(n) == 0; }
  /// A tuple of a small population, so that strata are hit again and again.
  Tuple tuple(uint64_t population) {
    const uint64_t id = below(population);
    return Tuple{0x10000 + 4 * (id / 4), 0x1234567 * (id % 4), static_cast<uint8_t>(id % 16)};
  }

 private:
  Xorshift64Star random_;
};

}  // namespace strobe::profiling
