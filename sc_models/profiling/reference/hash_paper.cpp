#include "sc_models/profiling/reference/hash_paper.h"

#include <utility>

#include "sc_models/profiling/reference/check.h"
#include "sc_models/profiling/reference/xorshift.h"

namespace strobe::profiling {
namespace {

std::array<uint8_t, 256> make_byte_table() {
  std::array<uint8_t, 256> table;
  for (unsigned i = 0; i < 256; ++i) table[i] = static_cast<uint8_t>(i);
  Xorshift64Star random(1);
  for (unsigned i = 255; i > 0; --i) std::swap(table[i], table[(random.next() >> 33) % (i + 1)]);
  return table;
}

/// Where the fold to `bits` bits puts a word.
uint16_t fold(uint64_t word, unsigned bits) {
  uint64_t result = 0;
  if (bits == 0) return 0;
  for (; word != 0; word >>= bits) result ^= word & ((uint64_t{1} << bits) - 1);
  return static_cast<uint16_t>(result);
}

}  // namespace

const std::array<uint8_t, 256>& hash_byte_table() {
  static const std::array<uint8_t, 256> table = make_byte_table();
  return table;
}

HashPaper::HashPaper(unsigned index_bits) {
  check_range("HashPaper: index_bits", index_bits, 0, 12);
  const std::array<uint8_t, 256>& table = hash_byte_table();
  for (unsigned byte = 0; byte < 8; ++byte) {
    for (unsigned i = 0; i < 256; ++i) {
      const uint64_t random = table[i];
      pc_[byte][i] = fold(random << (8 * (7 - byte)), index_bits);  // flipped
      value_[byte][i] = fold(random << (8 * byte), index_bits);
    }
  }
}

}  // namespace strobe::profiling
