// The hash that splits the tuple stream into strata (ISCA 2001, section 3.5):
//   index = xor_fold(flip(randomize(pc)) ^ randomize(value), b)
//
// randomize and flip act on single bytes and xor_fold is linear over xor, so each of the 16 input
// bytes contributes one b-bit word that depends on its position and its value alone. The words are
// tabulated once; an index is 16 look-ups xored.
#pragma once

#include <array>
#include <cstdint>

namespace strobe::profiling {

/// The byte permutation of `randomize`: docs/blocks/stratified_sampler.md gives its recipe.
const std::array<uint8_t, 256>& hash_byte_table();

class HashPaper {
 public:
  /// @param index_bits  b, 0 to 12. Throws std::invalid_argument outside.
  explicit HashPaper(unsigned index_bits);

  /// The stratum of a tuple, 0 to 2^b - 1. The tag does not enter.
  uint32_t index(uint64_t pc, uint64_t value) const {
    uint32_t result = 0;
    for (unsigned byte = 0; byte < 8; ++byte) {
      result ^= pc_[byte][(pc >> (8 * byte)) & 0xff];
      result ^= value_[byte][(value >> (8 * byte)) & 0xff];
    }
    return result;
  }

 private:
  std::array<std::array<uint16_t, 256>, 8> pc_;
  std::array<std::array<uint16_t, 256>, 8> value_;
};

}  // namespace strobe::profiling
