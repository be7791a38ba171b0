// Finds the windows of a trace that occur often by counting on its grammar.
#pragma once

#include <cstdint>
#include <unordered_set>

#include "sw/profile/streams/grammar.h"

namespace strobe::profile {

/// Polynomial hash of a window. The hash of the next window follows from it.
class WindowHash {
 public:
  explicit WindowHash(uint32_t length) {
    for (uint32_t i = 0; i < length; ++i) leaving_ *= kBase;
  }
  static uint64_t append(uint64_t hash, uint32_t terminal) {
    return hash * kBase + digit(terminal);
  }
  /// The hash of the window one place further: `last` comes in, `first` drops out.
  uint64_t slide(uint64_t hash, uint32_t first, uint32_t last) const {
    return append(hash, last) - leaving_ * digit(first);
  }

 private:
  static constexpr uint64_t kBase = 0x9e3779b97f4a7c15u;
  static uint64_t digit(uint32_t terminal) {
    return (terminal + uint64_t{1}) * 0xd6e8feb86659fd93u;
  }
  uint64_t leaving_ = 1;  // base^length
};

/// The hashes of the windows of this length (at least 2) that occur at least `frequency` times in
/// the trace, overlapping themselves or not. Two windows that share a hash count as one.
std::unordered_set<uint64_t> frequent_windows(const Grammar& grammar, uint32_t length,
                                              uint64_t frequency);

}  // namespace strobe::profile
