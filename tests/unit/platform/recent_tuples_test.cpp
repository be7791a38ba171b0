// Are the counts and numbers of an exhaustive profile the same with a store of recent tuples before
// it?
#include "sc_models/watch/recent_tuples.h"

#include <gtest/gtest.h>

#include "tests/unit/profiling/random_stream.h"

namespace strobe::platform {
namespace {

using profile::ExhaustiveProfile;

struct Stream {
  explicit Stream(uint64_t seed) : random(seed) {}
  /// Some often, some seldom; also equal but for the tag.
  Tuple next() {
    const uint64_t of = random.one_in(3) ? 5000 : 20;
    return {0x1000 + 4 * random.below(of), random.below(3), static_cast<uint8_t>(random.below(2))};
  }
  profiling::RandomSource random;
};

TEST(RecentTuples, ChangeNoNumberAndNoCountOfTheProfileBehindThem) {
  Stream stream(profiling::test_seed());
  ExhaustiveProfile alone, behind;
  RecentTuples recent;
  unsigned found = 0;
  for (int i = 0; i < 100000; ++i) {
    const Tuple tuple = stream.next();
    uint32_t number = 0;
    if (recent.count(tuple, number)) {
      ++found;
    } else {
      number = behind.add(tuple);
      recent.put(tuple, number, behind);
    }
    ASSERT_EQ(number, alone.add(tuple));
  }
  EXPECT_GT(found, 30000u);
  EXPECT_LT(behind.total(), alone.total());
  recent.flush(behind);
  EXPECT_EQ(behind.total(), alone.total());
  EXPECT_EQ(behind.entries(), alone.entries());
}

TEST(RecentTuples, AreAllGoneBehindAFlush) {
  ExhaustiveProfile profile;
  RecentTuples recent;
  const Tuple tuple{0x1000, 1, 0};
  uint32_t number = 0;
  EXPECT_FALSE(recent.count({}, number));
  recent.put(tuple, profile.add(tuple), profile);
  EXPECT_TRUE(recent.count(tuple, number));
  recent.flush(profile);
  EXPECT_FALSE(recent.count(tuple, number));
  EXPECT_EQ(profile.count(tuple), 2u);
}

}  // namespace
}  // namespace strobe::platform
