// The length of an attack, short in the test command and full in scripts/nightly, and its seed.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace strobe::security {

/// Number of attempts of an attack: `whole` when scripts/nightly runs it, which sets
/// STROBE_NIGHTLY, otherwise `brief`.
inline uint64_t rounds(uint64_t brief, uint64_t whole) {
  return std::getenv("STROBE_NIGHTLY") != nullptr ? whole : brief;
}

/// The seed of a random attack: STROBE_SEED, which a failure tells, otherwise `usual`.
inline uint64_t seed(uint64_t usual) {
  const char* given = std::getenv("STROBE_SEED");
  return given != nullptr ? std::strtoull(given, nullptr, 0) : usual;
}

}  // namespace strobe::security
