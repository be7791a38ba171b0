// The random bits of branch-on-random: what the page says of their distribution.
#include "sc_models/port/branch_on_random.h"

#include <gtest/gtest.h>

#include <vector>

namespace strobe {
namespace {

constexpr uint32_t kStates = 1u << 20;

// Whether each draw of a whole period is taken.
std::vector<uint8_t> period(unsigned code) {
  BranchOnRandom random;
  std::vector<uint8_t> taken(kStates - 1);
  for (uint8_t& one : taken) one = random.draw(code) ? 1 : 0;
  EXPECT_EQ(random.state(), BranchOnRandom::kStart);
  return taken;
}

// In how many places of the period both the draw and the one `lag` later are taken.
uint32_t both(const std::vector<uint8_t>& taken, size_t lag) {
  uint32_t count = 0;
  for (size_t i = 0; i + lag < taken.size(); ++i) count += taken[i] & taken[i + lag];
  for (size_t i = taken.size() - lag; i < taken.size(); ++i) {
    count += taken[i] & taken[i + lag - taken.size()];
  }
  return count;
}

// The bits of a code are among those of each later one, so what holds for it holds for the earlier
// ones.
void expect_independent(unsigned code, size_t lags) {
  const std::vector<uint8_t> taken = period(code);
  for (size_t lag = 1; lag <= lags; ++lag) {
    EXPECT_EQ(both(taken, lag), kStates >> (2 * (code + 1))) << code << ", lag " << lag;
  }
}

TEST(BranchOnRandom, TwoDrawsUpTo64ApartAreIndependentToOneIn128) { expect_independent(6, 64); }

TEST(BranchOnRandom, TwoDrawsUpTo31ApartAreIndependentToOneIn512) { expect_independent(8, 31); }

TEST(BranchOnRandom, AStateThatIsLoadedGivesTheSameDrawsAgain) {
  BranchOnRandom random;
  random.load(12345);
  const uint32_t saved = random.state();
  std::vector<bool> first;
  for (int i = 0; i < 100; ++i) first.push_back(random.draw(1));
  random.load(saved);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(random.draw(1), first[static_cast<size_t>(i)]) << i;
}

TEST(BranchOnRandom, NeverHasTheStateZero) {
  BranchOnRandom random;
  random.load(uint64_t{1} << 20);
  EXPECT_EQ(random.state(), BranchOnRandom::kStart);
}

TEST(BranchOnRandom, ItsWordNamesItsCode) {
  for (unsigned code = 0; code < kRandomFrequencies; ++code) {
    const uint32_t word = branch_on_random(code);
    EXPECT_TRUE(is_branch_on_random(word));
    EXPECT_EQ(random_frequency(word), code);
    for (unsigned bit = 0; bit < 32; ++bit) {
      const bool of_code = bit >= 15 && bit <= 18;
      EXPECT_EQ(is_branch_on_random(word ^ 1u << bit), of_code) << bit;
    }
  }
}

}  // namespace
}  // namespace strobe
