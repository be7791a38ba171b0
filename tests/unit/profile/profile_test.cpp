#include "sw/profile/counts/profile.h"

#include <gmock/gmock.h>

namespace strobe::profile {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

Tuple tuple(uint8_t tag, uint64_t pc, uint64_t value) { return Tuple{pc, value, tag}; }

TEST(Profile, SortsByTagThenPcThenValue) {
  const Profile profile(
      Entries{{tuple(1, 1, 1), 4}, {tuple(0, 2, 1), 3}, {tuple(0, 1, 9), 2}, {tuple(0, 1, 2), 1}});
  EXPECT_THAT(profile.entries(), ElementsAre(Pair(tuple(0, 1, 2), 1), Pair(tuple(0, 1, 9), 2),
                                             Pair(tuple(0, 2, 1), 3), Pair(tuple(1, 1, 1), 4)));
  EXPECT_EQ(profile.total(), 10u);
}

TEST(Profile, AddsUpATupleThatAppearsTwiceAndLeavesOutZeroes) {
  const Profile profile(
      Entries{{tuple(0, 1, 1), 4}, {tuple(0, 1, 2), 0}, {tuple(0, 1, 1), 5}, {tuple(0, 1, 1), 0}});
  EXPECT_THAT(profile.entries(), ElementsAre(Pair(tuple(0, 1, 1), 9)));
  EXPECT_EQ(profile.total(), 9u);
}

TEST(Profile, CountIsZeroForATupleThatIsNotThere) {
  const Profile profile(Entries{{tuple(0, 1, 1), 4}, {tuple(0, 3, 1), 2}});
  EXPECT_EQ(profile.count(tuple(0, 1, 1)), 4u);
  EXPECT_EQ(profile.count(tuple(0, 3, 1)), 2u);
  EXPECT_EQ(profile.count(tuple(0, 2, 1)), 0u);
  EXPECT_EQ(profile.count(tuple(1, 3, 1)), 0u);
}

TEST(Profile, IsSplitByTagIncludingTheLargest) {
  const Profile profile(Entries{{tuple(0, 1, 1), 4}, {tuple(3, 1, 1), 2}, {tuple(255, 7, 1), 5}});
  EXPECT_THAT(profile.tags(), ElementsAre(0, 3, 255));
  EXPECT_THAT(profile.with_tag(3).entries(), ElementsAre(Pair(tuple(3, 1, 1), 2)));
  EXPECT_THAT(profile.with_tag(255).entries(), ElementsAre(Pair(tuple(255, 7, 1), 5)));
  EXPECT_THAT(profile.with_tag(2).entries(), IsEmpty());
}

TEST(Profile, EqualCountsAreListedInProfileOrder) {
  const Profile profile(
      Entries{{tuple(0, 9, 1), 5}, {tuple(1, 1, 1), 5}, {tuple(0, 2, 1), 7}, {tuple(0, 3, 1), 5}});
  EXPECT_THAT(profile.by_count(), ElementsAre(Pair(tuple(0, 2, 1), 7), Pair(tuple(0, 3, 1), 5),
                                              Pair(tuple(0, 9, 1), 5), Pair(tuple(1, 1, 1), 5)));
  EXPECT_THAT(profile.by_count(2), ElementsAre(Pair(tuple(0, 2, 1), 7), Pair(tuple(0, 3, 1), 5)));
}

TEST(Profile, IsTruncatedToTheShortestHeadThatReachesThePercentage) {
  // 60 + 30 is exactly 90 % of 100: the third is not needed.
  const Profile exact(Entries{{tuple(0, 1, 1), 60}, {tuple(0, 2, 1), 30}, {tuple(0, 3, 1), 10}});
  EXPECT_EQ(exact.truncated(90).total(), 90u);
  // 60 + 29 is not enough.
  const Profile below(Entries{{tuple(0, 1, 1), 60}, {tuple(0, 2, 1), 29}, {tuple(0, 3, 1), 11}});
  EXPECT_EQ(below.truncated(90).total(), 100u);
  EXPECT_EQ(exact.truncated(100).size(), 3u);
  EXPECT_EQ(Profile().truncated(90).size(), 0u);
}

TEST(Profile, TruncationCutsATieInProfileOrder) {
  Entries entries;
  for (uint64_t pc = 20; pc > 0; --pc) entries.push_back({tuple(0, pc, 0), 1});
  const Profile kept = Profile(entries).truncated(90);
  EXPECT_EQ(kept.size(), 18u);
  EXPECT_EQ(kept.count(tuple(0, 18, 0)), 1u);
  EXPECT_EQ(kept.count(tuple(0, 19, 0)), 0u);
}

TEST(TopEntries, CarryShareAndSymbol) {
  const Profile profile(Entries{{tuple(0, 0x10, 1), 30}, {tuple(0, 0x20, 1), 10}});
  const auto top = top_entries(profile, 1, [](uint64_t pc) {
    return pc == 0x10 ? std::string("main") : std::string("other");
  });
  ASSERT_EQ(top.size(), 1u);
  EXPECT_EQ(top[0].tuple, tuple(0, 0x10, 1));
  EXPECT_EQ(top[0].count, 30u);
  EXPECT_DOUBLE_EQ(top[0].share, 0.75);
  EXPECT_EQ(top[0].symbol, "main");
  EXPECT_EQ(top_entries(profile, 9, nullptr).at(1).symbol, "");
}

}  // namespace
}  // namespace strobe::profile
