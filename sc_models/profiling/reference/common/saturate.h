// Counters that stop at their maximum.
#pragma once

#include <cstdint>

namespace strobe::profiling {

/// value + amount, or 2^32 - 1 when that is smaller.
constexpr uint32_t saturating_add(uint32_t value, uint32_t amount) {
  return amount > UINT32_MAX - value ? UINT32_MAX : value + amount;
}

}  // namespace strobe::profiling
