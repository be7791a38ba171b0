#include "sc_models/profiling/reference/common/lfsr.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bitset>
#include <vector>

namespace strobe::profiling {
namespace {

// docs/blocks/stratified_sampler.md: x^64 + ... + 1, the coefficients of x^63 to x^0.
constexpr uint64_t kPolynomial = 0x2544526283279CE1;

/// Polynomials over GF(2) modulo the documented one.
uint64_t multiply(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  for (int bit = 63; bit >= 0; --bit) {
    product = (product << 1) ^ ((product >> 63) != 0 ? kPolynomial : 0);
    if (((b >> bit) & 1) != 0) product ^= a;
  }
  return product;
}

uint64_t power_of_x(uint64_t exponent) {
  uint64_t result = 1, base = 2;
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result = multiply(result, base);
    base = multiply(base, base);
  }
  return result;
}

std::vector<uint32_t> numbers(uint64_t seed, int count) {
  std::vector<uint32_t> result;
  Lfsr lfsr(seed);
  for (int i = 0; i < count; ++i, lfsr.step()) result.push_back(lfsr.number());
  return result;
}

TEST(Lfsr, TheDocumentedPolynomialIsTheOneOfItsStep) {
  for (int bit = 0; bit < 64; ++bit) {
    uint64_t state = uint64_t{1} << bit, sum = 0;
    for (int power = 0; power < 64; ++power, state = Lfsr::stepped(state)) {
      if (((kPolynomial >> power) & 1) != 0) sum ^= state;
    }
    EXPECT_EQ(sum ^ state, 0u) << "bit " << bit;
  }
}

TEST(Lfsr, ThePolynomialIsPrimitive) {
  EXPECT_EQ(power_of_x(UINT64_MAX), 1u);
  // The prime factors of 2^64 - 1.
  for (const uint64_t prime : {3u, 5u, 17u, 257u, 641u, 65537u, 6700417u}) {
    EXPECT_NE(power_of_x(UINT64_MAX / prime), 1u) << prime;
  }
}

/// Independent vectors among the leading `bits` bits of `count` successive numbers, each a linear
/// function of the first state.
size_t rank(unsigned bits, unsigned count) {
  std::vector<uint64_t> rows;
  for (unsigned n = 0; n < count; ++n) {
    for (unsigned bit = 0; bit < bits; ++bit) {
      uint64_t row = 0;
      for (unsigned of = 0; of < 64; ++of) {
        uint64_t state = uint64_t{1} << of;
        for (unsigned i = 0; i < n; ++i) state = Lfsr::stepped(state);
        row |= ((state >> (63 - bit)) & 1) << of;
      }
      rows.push_back(row);
    }
  }
  size_t result = 0;
  for (int column = 0; column < 64; ++column) {
    size_t pivot = result;
    while (pivot < rows.size() && ((rows[pivot] >> column) & 1) == 0) ++pivot;
    if (pivot == rows.size()) continue;
    std::swap(rows[pivot], rows[result]);
    for (size_t other = 0; other < rows.size(); ++other) {
      if (other != result && ((rows[other] >> column) & 1) != 0) rows[other] ^= rows[result];
    }
    ++result;
  }
  return result;
}

TEST(Lfsr, TheLeadingBitsOfSuccessiveNumbersAreIndependent) {
  EXPECT_EQ(rank(8, 8), 64u);
  EXPECT_EQ(rank(12, 5), 60u);
  EXPECT_EQ(rank(32, 2), 64u);
}

TEST(Lfsr, NumbersAreThoseOfAnIndependentComputation) {
  EXPECT_THAT(numbers(0, 4), testing::ElementsAre(0x9e3779b9, 0x06de3060, 0xba387f5d, 0x44749baf));
}

TEST(Lfsr, EverySeedGivesAStateThatIsNotZero) {
  constexpr uint64_t kStart = 0x9E3779B97F4A7C15;
  EXPECT_EQ(Lfsr(kStart).state(), Lfsr(0).state());
  for (const uint64_t seed : {uint64_t{0}, uint64_t{1}, kStart, UINT64_MAX}) {
    EXPECT_NE(Lfsr(seed).state(), 0u);
  }
  EXPECT_NE(numbers(1, 4), numbers(2, 4));
}

}  // namespace
}  // namespace strobe::profiling
