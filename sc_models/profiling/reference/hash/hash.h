// The hashes that split the tuple stream into strata. docs/blocks/hash.md
//
// Every hash but multiply_shift is an xor of one word for each of the 16 input bytes; the word
// depends on the byte's position and value. The words are tabulated once. An index takes 16
// look-ups, 4 fewer for each upper half that is zero.
#pragma once

#include <array>
#include <cstdint>

#include "sc_models/port/path_params.h"

namespace strobe::profiling {

/// The byte permutation of `randomize` (ISCA 2001, section 3.5); docs/blocks/hash.md says how it is
/// made.
const std::array<uint8_t, 256>& hash_byte_table();

/// CRC-32C (Castagnoli) of `size` bytes, as in RFC 3720.
uint32_t crc32c(const uint8_t* bytes, unsigned size);

/// One hash at one width of index.
class Hash {
 public:
  /// @param index_bits  b, 0 to 32
  /// @param seed  draws the constants of the hash: the byte table of `paper`, the columns of `h3`,
  ///              the factors of `multiply_shift`. 0 gives those of the RTL. `xor_fold` and
  ///              `crc32c` have none, so that every seed gives the same hash.
  /// Throws std::invalid_argument for a parameter out of range.
  Hash(HashKind kind, unsigned index_bits, uint64_t seed = 0);

  /// The stratum of a tuple, 0 to 2^b - 1. The tag does not enter.
  uint32_t index(uint64_t pc, uint64_t value) const {
    if (multiply_shift_) return multiply_shift(pc, value);
    return offset_ ^ pc_.sum(pc) ^ value_.sum(value);
  }

 private:
  /// What the bytes of one word contribute to the index.
  struct Contributions {
    std::array<std::array<uint32_t, 256>, 8> of{};  // by a byte's position and value
    uint32_t of_upper_zeros = 0;                    // bytes 4 to 7 all 0: most addresses and values

    uint32_t sum(uint64_t word) const {
      uint32_t result = of_upper_zeros;
      if (word >> 32 != 0) {
        result = of[4][word >> 32 & 0xff] ^ of[5][word >> 40 & 0xff] ^ of[6][word >> 48 & 0xff] ^
                 of[7][word >> 56];
      }
      return result ^ of[0][word & 0xff] ^ of[1][word >> 8 & 0xff] ^ of[2][word >> 16 & 0xff] ^
             of[3][word >> 24 & 0xff];
    }
  };
  uint32_t multiply_shift(uint64_t pc, uint64_t value) const;

  bool multiply_shift_;
  unsigned index_bits_;
  uint32_t offset_ = 0;
  uint64_t pc_factor_ = 0, value_factor_ = 0;  // of multiply_shift
  Contributions pc_, value_;
};

}  // namespace strobe::profiling
