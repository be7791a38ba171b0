// Random register accesses: every register of the map, unused addresses, and data at the limits.
#pragma once

#include "tb/common/compare.h"

namespace strobe::tb {

/// Draws an address: mostly a register below the slots, a slot's or the ring's, sometimes an unused
/// one.
inline uint16_t random_register(Random& random) {
  const uint64_t word = chance(random, 60) ? below(random, 0x1a) : 0x20 + below(random, 0x29);
  return static_cast<uint16_t>(8 * (chance(random, 95) ? word : below(random, 0x200)));
}

/// Draws data in which low bits, flags and limits are all likely.
inline uint64_t random_data(Random& random) {
  switch (below(random, 5)) {
    case 0:
      return below(random, 4);
    case 1:
      return below(random, 600);
    case 2:
      return uint64_t{1} << below(random, 64);
    case 3:
      return ~uint64_t{0};
    default:
      return random();
  }
}

}  // namespace strobe::tb
