// The hashes that split the tuple stream into strata, by name. docs/blocks/hash.md
//
// All but multiply_shift are linear over xor up to a constant, or act on single bytes and fold:
// each of the 16 input bytes contributes one word that depends on its position and its value alone.
// The words are tabulated once; an index is 16 look-ups xored.
#pragma once

#include <array>
#include <cstdint>

namespace strobe::profiling {

/// In the order of strobe_pkg::Hash*.
enum class HashKind : uint8_t { kPaper, kXorFold, kCrc32c, kH3, kMultiplyShift };

/// Names of the kinds, in their order.
inline constexpr std::array<const char*, 5> kHashNames{"paper", "xor_fold", "crc32c", "h3",
                                                       "multiply_shift"};

/// The byte permutation of the paper's `randomize`: docs/blocks/hash.md gives its recipe.
const std::array<uint8_t, 256>& hash_byte_table();

/// CRC-32C (Castagnoli) of `size` bytes, as in RFC 3720.
uint32_t crc32c(const uint8_t* bytes, unsigned size);

class Hash {
 public:
  /// @param index_bits  b, 0 to 32. Throws std::invalid_argument outside.
  Hash(HashKind kind, unsigned index_bits);

  /// The stratum of a tuple, 0 to 2^b - 1. The tag does not enter.
  uint32_t index(uint64_t pc, uint64_t value) const {
    if (multiply_shift_) return multiply_shift(pc, value);
    uint32_t result = offset_;
    for (unsigned byte = 0; byte < 8; ++byte) {
      result ^= pc_[byte][(pc >> (8 * byte)) & 0xff];
      result ^= value_[byte][(value >> (8 * byte)) & 0xff];
    }
    return result;
  }

 private:
  uint32_t multiply_shift(uint64_t pc, uint64_t value) const;

  bool multiply_shift_;
  unsigned index_bits_;
  uint32_t offset_ = 0;
  std::array<std::array<uint32_t, 256>, 8> pc_{};
  std::array<std::array<uint32_t, 256>, 8> value_{};
};

}  // namespace strobe::profiling
