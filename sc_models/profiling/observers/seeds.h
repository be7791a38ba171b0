// What starts the random choices of an observer.
#pragma once

#include <cstdint>

namespace strobe::profiling {

struct Seeds {
  // A seed alone is a whole one: most observers have the hash of the RTL.
  // NOLINTNEXTLINE(google-explicit-constructor)
  Seeds(uint64_t numbers, uint64_t constants = 0) : draws(numbers), hash(constants) {}
  uint64_t draws;      ///< starts the random numbers of a sampler
  uint64_t hash;       ///< draws the constants of the hash (Hash); 0 gives those of the RTL
  bool phase = false;  ///< a periodic sampler's counters begin where `draws` says, and not at 0
};

}  // namespace strobe::profiling
