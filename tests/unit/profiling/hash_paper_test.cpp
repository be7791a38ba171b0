#include "sc_models/profiling/reference/hash_paper.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <stdexcept>

#include "tests/unit/profiling/random_stream.h"

namespace strobe::profiling {
namespace {

// The paper's words, one function each, on bytes: nothing precomputed, nothing shared.
struct Literal {
  std::array<uint8_t, 256> table;

  Literal() {
    for (int i = 0; i < 256; ++i) table[static_cast<size_t>(i)] = static_cast<uint8_t>(i);
    uint64_t s = 1;
    for (uint64_t i = 255; i >= 1; --i) {
      s ^= s >> 12;
      s ^= s << 25;
      s ^= s >> 27;
      const uint64_t j = ((s * 0x2545F4914F6CDD1D) >> 33) % (i + 1);
      const uint8_t kept = table[i];
      table[i] = table[j];
      table[j] = kept;
    }
  }
  uint64_t randomize(uint64_t w) const {
    uint64_t result = 0;
    for (int byte = 7; byte >= 0; --byte) result = result << 8 | table[(w >> (8 * byte)) & 0xff];
    return result;
  }
  static uint64_t flip(uint64_t w) {
    uint64_t result = 0;
    for (int byte = 0; byte < 8; ++byte) result = result << 8 | ((w >> (8 * byte)) & 0xff);
    return result;
  }
  static uint64_t xor_fold(uint64_t w, unsigned b) {
    uint64_t result = 0;
    for (unsigned bit = 0; b != 0 && bit < 64; ++bit) {
      result ^= ((w >> bit) & 1) << (bit % b);
    }
    return result;
  }
  uint64_t index(uint64_t pc, uint64_t value, unsigned b) const {
    return xor_fold(flip(randomize(pc)) ^ randomize(value), b);
  }
};

TEST(HashPaper, ByteTableIsAPermutationOf0To255) {
  std::array<bool, 256> seen = {};
  for (const uint8_t byte : hash_byte_table()) seen[byte] = true;
  EXPECT_THAT(seen, testing::Each(true));
}

TEST(HashPaper, ByteTableIsTheDocumentedShuffle) { EXPECT_EQ(hash_byte_table(), Literal().table); }

TEST(HashPaper, IndexIsThePapersFormulaForEveryIndexWidth) {
  const Literal literal;
  RandomSource random(test_seed());
  for (unsigned bits = 0; bits <= 12; ++bits) {
    const HashPaper hash(bits);
    EXPECT_EQ(hash.index(0, 0), literal.index(0, 0, bits));
    for (int i = 0; i < 20000; ++i) {
      const uint64_t pc = random.word(), value = random.word();
      ASSERT_EQ(hash.index(pc, value), literal.index(pc, value, bits)) << "bits " << bits;
    }
  }
}

TEST(HashPaper, FlipKeepsAPcAndTheSameValueFromCancelling) {
  const HashPaper hash(11);
  unsigned zeros = 0;
  for (uint64_t word = 0; word < 1000; ++word) zeros += hash.index(word, word) == 0 ? 1 : 0;
  EXPECT_LT(zeros, 100u);
}

TEST(HashPaper, IndexWidthOver12IsRefused) {
  try {
    HashPaper hash(13);
    FAIL() << "no exception";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "HashPaper: index_bits: expected 0 to 12, got 13");
  }
}

}  // namespace
}  // namespace strobe::profiling
