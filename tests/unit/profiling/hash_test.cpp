#include "sc_models/profiling/reference/hash/hash.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

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
  for (unsigned bits = 0; bits <= 32; ++bits) {
    const Hash hash(HashKind::kPaper, bits);
    EXPECT_EQ(hash.index(0, 0), literal.index(0, 0, bits));
    for (int i = 0; i < 20000; ++i) {
      const uint64_t pc = random.word(), value = random.word();
      ASSERT_EQ(hash.index(pc, value), literal.index(pc, value, bits)) << "bits " << bits;
    }
  }
}

TEST(HashPaper, FlipKeepsAPcAndTheSameValueFromCancelling) {
  const Hash hash(HashKind::kPaper, 11);
  unsigned zeros = 0;
  for (uint64_t word = 0; word < 1000; ++word) zeros += hash.index(word, word) == 0 ? 1 : 0;
  EXPECT_LT(zeros, 100u);
}

TEST(Crc32c, OfTheDigitsIsThePublishedCheckValue) {
  const uint8_t digits[] = {'1', '2', '3', '4', '5', '6', '7', '8', '9'};
  EXPECT_EQ(crc32c(digits, 9), 0xE3069283u);
}

// Worked out from docs/blocks/hash.md in another language, on whole words.
TEST(Hash, IndicesAreThoseOfAnIndependentComputation) {
  struct Golden {
    uint64_t pc, value;
    std::array<uint32_t, 5> index;  // 32 bits, in the order of HashKind
  };
  constexpr Golden kGolden[] = {
      {0, 0, {0, 0, 0x42709aea, 0, 0}},
      {0x10428, 0x7fff0010, {0x8b2784ca, 0x7ffe0438, 0xd30eaf77, 0x6d50bb3d, 0x6b799009}},
      {0x123456789abcdef0, 0x0fedcba987654321, {0xa05aad36, 0, 0xbc39c976, 0xad7487fd, 0x46e62343}},
      {UINT64_MAX, UINT64_MAX, {0, 0, 0xef2f4c10, 0xae3ac67c, 0x24e2a122}},
  };
  for (const Golden& golden : kGolden) {
    for (unsigned kind = 0; kind < kHashNames.size(); ++kind) {
      const auto index = [&](unsigned bits) {
        return Hash(static_cast<HashKind>(kind), bits).index(golden.pc, golden.value);
      };
      const uint32_t all = golden.index[kind];
      EXPECT_EQ(index(32), all) << kHashNames[kind];
      EXPECT_EQ(index(0), 0u) << kHashNames[kind];
      // A fold to 16 bits folds the fold to 32; the linear hashes keep the low bits, multiply_shift
      // the high ones.
      const uint32_t folded = (all >> 16) ^ (all & 0xffff);
      const uint32_t narrow[] = {folded, folded, all & 0xffff, all & 0xffff, all >> 16};
      EXPECT_EQ(index(16), narrow[kind]) << kHashNames[kind];
    }
  }
}

TEST(Hash, ASeedDrawsConstantsForThoseThatHaveThem) {
  for (unsigned kind = 0; kind < kHashNames.size(); ++kind) {
    const Hash rtl(static_cast<HashKind>(kind), 11), same(static_cast<HashKind>(kind), 11, 0),
        drawn(static_cast<HashKind>(kind), 11, 1), another(static_cast<HashKind>(kind), 11, 2);
    unsigned moved = 0, apart = 0;
    for (uint64_t tuple = 1; tuple <= 1000; ++tuple) {
      const uint64_t pc = 0x10000 + 4 * tuple, value = 8 * tuple;
      EXPECT_EQ(rtl.index(pc, value), same.index(pc, value)) << kHashNames[kind];
      moved += rtl.index(pc, value) != drawn.index(pc, value) ? 1 : 0;
      apart += another.index(pc, value) != drawn.index(pc, value) ? 1 : 0;
    }
    const auto fixed = static_cast<HashKind>(kind);
    if (fixed == HashKind::kXorFold || fixed == HashKind::kCrc32c) {
      EXPECT_EQ(moved + apart, 0u) << kHashNames[kind];
    } else {
      EXPECT_GT(moved, 900u) << kHashNames[kind];
      EXPECT_GT(apart, 900u) << kHashNames[kind];
    }
  }
}

TEST(Hash, SpreadsAProgramsTuplesOverTheStrataButXorFoldDoesNotHaveTo) {
  for (const HashKind kind :
       {HashKind::kPaper, HashKind::kCrc32c, HashKind::kH3, HashKind::kMultiplyShift}) {
    const Hash hash(kind, 8);
    std::vector<unsigned> seen(256);
    for (uint64_t pc = 0; pc < 128; ++pc) {
      for (uint64_t value = 0; value < 128; ++value)
        ++seen[hash.index(0x10000 + 4 * pc, 8 * value)];
    }
    // 64 tuples a stratum on average.
    EXPECT_LT(*std::max_element(seen.begin(), seen.end()), 256u)
        << kHashNames[static_cast<size_t>(kind)];
  }
}

TEST(Hash, IndexWidthOver32IsRefused) {
  try {
    Hash hash(HashKind::kH3, 33);
    FAIL() << "no exception";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "Hash: index_bits: expected 0 to 32, got 33");
  }
}

}  // namespace
}  // namespace strobe::profiling
