// Range checks of block parameters. An error is one sentence: what, expected, got.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace strobe::profiling {

/// Throws std::invalid_argument unless `minimum <= got <= maximum`.
inline void check_range(const std::string& what, uint64_t got, uint64_t minimum, uint64_t maximum) {
  if (got < minimum || got > maximum) {
    throw std::invalid_argument(what + ": expected " + std::to_string(minimum) + " to " +
                                std::to_string(maximum) + ", got " + std::to_string(got));
  }
}

/// Throws std::invalid_argument unless `got` is a power of two in `minimum` to `maximum`.
inline void check_power_of_two(const std::string& what, uint64_t got, uint64_t minimum,
                               uint64_t maximum) {
  if (got < minimum || got > maximum || (got & (got - 1)) != 0) {
    throw std::invalid_argument(what + ": expected a power of two from " + std::to_string(minimum) +
                                " to " + std::to_string(maximum) + ", got " + std::to_string(got));
  }
}

}  // namespace strobe::profiling
