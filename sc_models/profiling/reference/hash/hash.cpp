#include "sc_models/profiling/reference/hash/hash.h"

#include <utility>

#include "sc_models/profiling/reference/common/check.h"
#include "sc_models/profiling/reference/common/xorshift.h"

namespace strobe::profiling {
namespace {

/// The random numbers from which a hash draws its constants: with seed 0 those of the RTL, which
/// start at `start`.
Xorshift64Star constants(uint64_t start, uint64_t seed) {
  return Xorshift64Star(start ^ (seed * 0x9E3779B97F4A7C15));
}

std::array<uint8_t, 256> make_byte_table(uint64_t seed) {
  std::array<uint8_t, 256> table;
  for (unsigned i = 0; i < 256; ++i) table[i] = static_cast<uint8_t>(i);
  Xorshift64Star random = constants(1, seed);
  for (unsigned i = 255; i > 0; --i) std::swap(table[i], table[(random.next() >> 33) % (i + 1)]);
  return table;
}

/// The low `bits` bits of a word.
uint32_t low(uint64_t word, unsigned bits) {
  return static_cast<uint32_t>(word & ((uint64_t{1} << bits) - 1));
}

/// The xor of a word's chunks of `bits` bits.
uint32_t fold(uint64_t word, unsigned bits) {
  uint32_t result = 0;
  if (bits == 0) return 0;
  for (; word != 0; word >>= bits) result ^= low(word, bits);
  return result;
}

/// What byte `b` at position `at` of the 16 bytes of {pc, value} adds to the index.
class Contribution {
 public:
  Contribution(HashKind kind, unsigned bits, uint64_t seed)
      : kind_(kind), bits_(bits), bytes_(make_byte_table(seed)) {
    Xorshift64Star random = constants(2, seed);
    for (uint32_t& column : h3_) column = static_cast<uint32_t>(random.next() >> 32);
  }

  uint32_t operator()(unsigned at, unsigned b) const {
    const unsigned in_word = at % 8;
    switch (kind_) {
      case HashKind::kPaper: {
        const unsigned to = at < 8 ? 7 - in_word : in_word;  // the pc is flipped
        return fold(uint64_t{bytes_[b]} << (8 * to), bits_);
      }
      case HashKind::kXorFold:
        return fold(uint64_t{b} << (8 * in_word), bits_);
      case HashKind::kCrc32c: {
        std::array<uint8_t, 16> message{};
        const uint32_t of_zeros = crc32c(message.data(), 16);
        message[at] = static_cast<uint8_t>(b);
        return low(crc32c(message.data(), 16) ^ of_zeros, bits_);
      }
      case HashKind::kH3: {
        uint32_t sum = 0;
        for (unsigned bit = 0; bit < 8; ++bit) {
          if (((b >> bit) & 1) != 0) sum ^= h3_[8 * at + bit];
        }
        return low(sum, bits_);
      }
      case HashKind::kMultiplyShift:
        break;
    }
    return 0;
  }

 private:
  HashKind kind_;
  unsigned bits_;
  std::array<uint8_t, 256> bytes_;
  std::array<uint32_t, 128> h3_{};
};

}  // namespace

const std::array<uint8_t, 256>& hash_byte_table() {
  static const std::array<uint8_t, 256> table = make_byte_table(0);
  return table;
}

uint32_t crc32c(const uint8_t* bytes, unsigned size) {
  uint32_t crc = ~0u;
  for (unsigned i = 0; i < size; ++i) {
    crc ^= bytes[i];
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82F63B78u : 0u);
  }
  return ~crc;
}

Hash::Hash(HashKind kind, unsigned index_bits, uint64_t seed)
    : multiply_shift_(kind == HashKind::kMultiplyShift), index_bits_(index_bits) {
  check_range("Hash: index_bits", index_bits, 0, 32);
  if (index_bits == 0) return;  // the tables are zero, as they should be
  Xorshift64Star random = constants(3, seed);
  pc_factor_ = random.next() | 1;
  value_factor_ = random.next() | 1;
  const Contribution contribution(kind, index_bits, seed);
  for (unsigned byte = 0; byte < 8; ++byte) {
    for (unsigned b = 0; b < 256; ++b) {
      pc_.of[byte][b] = contribution(byte, b);
      value_.of[byte][b] = contribution(8 + byte, b);
    }
  }
  for (Contributions* word : {&pc_, &value_}) {
    for (unsigned byte = 4; byte < 8; ++byte) word->of_upper_zeros ^= word->of[byte][0];
  }
  if (kind == HashKind::kCrc32c) {
    const std::array<uint8_t, 16> zeros{};
    offset_ = low(crc32c(zeros.data(), 16), index_bits);
  }
}

uint32_t Hash::multiply_shift(uint64_t pc, uint64_t value) const {
  if (index_bits_ == 0) return 0;
  return static_cast<uint32_t>((pc * pc_factor_ + value * value_factor_) >> (64 - index_bits_));
}

}  // namespace strobe::profiling
