// The length of an attack: short in the test command, full in scripts/nightly.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace strobe::security {

/// Number of attempts of an attack: `whole` when scripts/nightly runs it, which sets
/// STROBE_NIGHTLY, otherwise `brief`.
inline uint64_t rounds(uint64_t brief, uint64_t whole) {
  return std::getenv("STROBE_NIGHTLY") != nullptr ? whole : brief;
}

}  // namespace strobe::security
