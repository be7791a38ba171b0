#include "sw/profile/counts/exhaustive_profile.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <iostream>
#include <random>
#include <unordered_map>

#include "sw/profile/counts/numbered_counts.h"

namespace strobe::profile {
namespace {

uint64_t seed() {
  const char* given = std::getenv("STROBE_TEST_SEED");
  const uint64_t value = given != nullptr ? std::strtoull(given, nullptr, 0) : 20260101;
  std::cout << "STROBE_TEST_SEED=" << value << "\n";
  return value;
}

TEST(ExhaustiveProfile, CountsWhatWasAdded) {
  ExhaustiveProfile profile;
  profile.add({0x1000, 5, 1});
  profile.add({0x1000, 5, 1}, 41);
  profile.add({0x1000, 6, 1}, 3);
  profile.add({0x1000, 5, 2}, 7);
  EXPECT_EQ(profile.count({0x1000, 5, 1}), 42u);
  EXPECT_EQ(profile.count({0x1000, 6, 1}), 3u);
  EXPECT_EQ(profile.count({0x1000, 5, 2}), 7u);
  EXPECT_EQ(profile.count({0x1000, 5, 0}), 0u);
  EXPECT_EQ(profile.size(), 3u);
  EXPECT_EQ(profile.total(), 52u);
}

TEST(ExhaustiveProfile, TheTupleOfAllZeroesIsATupleLikeAnyOther) {
  ExhaustiveProfile profile;
  EXPECT_EQ(profile.count({}), 0u);
  profile.add({}, 2);
  profile.add({});
  EXPECT_EQ(profile.count({}), 3u);
  EXPECT_EQ(profile.size(), 1u);
}

TEST(ExhaustiveProfile, AddingNothingLeavesNoTrace) {
  ExhaustiveProfile profile;
  profile.add({1, 2, 3}, 0);
  EXPECT_EQ(profile.size(), 0u);
  EXPECT_EQ(profile.total(), 0u);
  EXPECT_TRUE(profile.entries().empty());
}

TEST(ExhaustiveProfile, CountsUpTo56BitsBesideTheLargestTag) {
  ExhaustiveProfile profile;
  const Tuple tuple{~uint64_t{0}, ~uint64_t{0}, 255};
  profile.add(tuple, (uint64_t{1} << 56) - 2);
  profile.add(tuple);
  EXPECT_EQ(profile.count(tuple), (uint64_t{1} << 56) - 1);
  EXPECT_EQ(profile.entries().front().first, tuple);
}

// Addresses, values and repetitions as programs have them, checked against the standard container
// through many growths of the table.
TEST(ExhaustiveProfile, AgreesWithAStandardMapOnRandomStreams) {
  std::mt19937_64 random(seed());
  ExhaustiveProfile profile;
  std::unordered_map<uint64_t, std::unordered_map<uint64_t, uint64_t>> expected[3];
  uint64_t total = 0;
  for (int i = 0; i < 300000; ++i) {
    Tuple tuple;
    tuple.tag = static_cast<uint8_t>(random() % 3);
    tuple.pc = 0x10000 + 2 * (random() % 500);
    tuple.value = random() % 4 == 0 ? random() % 100000 : random() % 4;
    const uint64_t n = 1 + random() % 3;
    profile.add(tuple, n);
    expected[tuple.tag][tuple.pc][tuple.value] += n;
    total += n;
  }
  size_t distinct = 0;
  for (unsigned tag = 0; tag < 3; ++tag) {
    for (const auto& [pc, values] : expected[tag]) {
      for (const auto& [value, count] : values) {
        ++distinct;
        ASSERT_EQ(profile.count({pc, value, static_cast<uint8_t>(tag)}), count);
      }
    }
  }
  EXPECT_GT(distinct, 50000u);
  EXPECT_EQ(profile.size(), distinct);
  EXPECT_EQ(profile.total(), total);
  EXPECT_EQ(Profile(profile.entries()).total(), total);
  EXPECT_EQ(profile.entries().size(), distinct);
}

TEST(ExhaustiveProfile, EntriesDoNotDependOnTheOrderOfEvents) {
  ExhaustiveProfile rising, falling;
  for (uint64_t i = 0; i < 20000; ++i) {
    rising.add({i / 7 * 4, i, 0});
    const uint64_t j = 19999 - i;
    falling.add({j / 7 * 4, j, 0});
  }
  EXPECT_EQ(rising.entries(), falling.entries());
}

TEST(ExhaustiveProfile, NumbersTuplesInTheOrderTheyCome) {
  ExhaustiveProfile profile;
  for (uint64_t i = 0; i < 20000; ++i) ASSERT_EQ(profile.add({7 * i, i % 9, 1}), i);
  for (uint64_t i = 0; i < 20000; i += 17) {
    const Tuple tuple{7 * i, i % 9, 1};
    ASSERT_EQ(profile.add(tuple, 2), i);
    ASSERT_EQ(profile.number(tuple), i);
    ASSERT_EQ(profile.tuple(static_cast<uint32_t>(i)), tuple);
    ASSERT_EQ(profile.count_of(static_cast<uint32_t>(i)), 3u);
  }
  EXPECT_EQ(profile.number({1, 1, 1}), ExhaustiveProfile::kNoNumber);
}

TEST(NumberedCounts, HaveMoreThan32Bits) {
  ExhaustiveProfile profile;
  NumberedCounts counts;
  for (uint64_t pc = 0; pc < 3; ++pc) profile.add({pc, 0, 0});
  counts.fit(profile.size());
  for (int i = 0; i < 3; ++i) counts.add(1, 0xffffffff);
  counts.add(2, 6);
  EXPECT_EQ(counts.count(0), 0u);
  EXPECT_EQ(counts.count(1), 3 * uint64_t{0xffffffff});
  EXPECT_EQ(counts.count(99), 0u);
  EXPECT_EQ(counts.total(), 3 * uint64_t{0xffffffff} + 6);
  const Entries expected = {{{1, 0, 0}, 3 * uint64_t{0xffffffff}}, {{2, 0, 0}, 6}};
  EXPECT_EQ(counts.entries(profile.entries(), profile.order()), expected);
}

TEST(ExhaustiveProfile, OccupiesWhatBytesForSays) {
  ExhaustiveProfile profile;
  for (uint64_t i = 0; i < 50000; ++i) {
    ASSERT_EQ(profile.bytes(), ExhaustiveProfile::bytes_for(profile.size()));
    profile.add({0x1000 + 4 * (i % 1000), i, 0});
  }
  EXPECT_LE(profile.bytes(), 72 * profile.size());
}

}  // namespace
}  // namespace strobe::profile
