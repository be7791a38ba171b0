// Which stretches of a trace may be hot, counted on its grammar.
#pragma once

#include <cstdint>
#include <vector>

#include "sw/profile/grammar.h"
#include "sw/profile/hot_streams.h"

namespace strobe::profile {

/// Polynomial hash of a window, so that a longer or a shifted one's follows from it.
class WindowHash {
 public:
  static constexpr uint64_t kBase = 0x9e3779b97f4a7c15u;
  static uint64_t digit(uint32_t terminal) {
    return (terminal + uint64_t{1}) * 0xd6e8feb86659fd93u;
  }
  static uint64_t extend(uint64_t hash, uint32_t terminal) {
    return hash * kBase + digit(terminal);
  }
};

/// For each length from lengths.min on, the hashes of the windows that occur at least twice and, if
/// occurrences may overlap, often enough for the heat. All windows that are hot are among them.
std::vector<std::vector<uint64_t>> candidate_windows(const Grammar& grammar, StreamLengths lengths,
                                                     uint64_t heat);

}  // namespace strobe::profile
