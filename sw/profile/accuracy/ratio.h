// The ratio of a part to a whole that may be empty.
#pragma once

#include <cstdint>

namespace strobe::profile {

/// @return part / whole, or 0 when the whole is empty
inline double ratio(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace strobe::profile
