// Does the table of issue slots give what counting them one by one gives?
#include "sc_models/core/back_end/issue_slots.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace strobe::core {
namespace {

const UnitParams kUnits[kUnitCount] = {{2, 1, 1}, {1, 3, 1},   {1, 20, 20},
                                       {2, 4, 1}, {1, 12, 12}, {1, 1, 1}};

TEST(IssueSlots, GiveTheFirstCycleWithRoomForTheUnit) {
  IssueSlots slots(3, kUnits);
  EXPECT_EQ(slots.take(kAluUnit, 5), 5u);
  EXPECT_EQ(slots.take(kAluUnit, 5), 5u);
  EXPECT_EQ(slots.take(kAluUnit, 5), 6u) << "two units";
  EXPECT_EQ(slots.take(kMulUnit, 5), 5u);
  EXPECT_EQ(slots.take(kMemUnit, 5), 6u) << "three a cycle";
  EXPECT_EQ(slots.take(kDivUnit, 5), 6u);
  EXPECT_EQ(slots.take(kDivUnit, 5), 26u) << "one in twenty cycles";
  EXPECT_EQ(slots.waiting(), 7u);
  slots.advance(5);
  EXPECT_EQ(slots.waiting(), 4u);
  slots.advance(26);
  EXPECT_EQ(slots.waiting(), 0u);
}

TEST(IssueSlots, AYoungerOperationGoesFirstWhereItEndsBeforeTheOlderOneBegins) {
  IssueSlots slots(4, kUnits);
  EXPECT_EQ(slots.take(kDivUnit, 100), 100u) << "it waits for a load";
  EXPECT_EQ(slots.take(kDivUnit, 10), 10u);
  EXPECT_EQ(slots.take(kDivUnit, 20), 30u);
  EXPECT_EQ(slots.take(kDivUnit, 70), 70u);
  EXPECT_EQ(slots.take(kDivUnit, 60), 120u) << "50 to 70 is too early, 90 to 100 too short";
}

TEST(IssueSlots, AgreeWithCountingOneByOne) {
  constexpr unsigned kWidth = 4;
  IssueSlots slots(kWidth, kUnits);
  std::map<uint64_t, unsigned> issued, used[kUnitCount];
  std::mt19937 random(3);
  uint64_t now = 0;
  for (unsigned i = 0; i < 20000; ++i) {
    const Unit units[] = {kAluUnit, kMulUnit, kFpUnit, kMemUnit};
    const Unit unit = units[random() % 4];
    const uint64_t from = now + 1 + (random() % 50 == 0 ? random() % 1500 : random() % 6);
    uint64_t expected = from;
    while (issued[expected] == kWidth || used[unit][expected] == kUnits[unit].count) ++expected;
    ++issued[expected];
    ++used[unit][expected];
    ASSERT_EQ(slots.take(unit, from), expected) << i;
    now += random() % 3 == 0 ? 1 : 0;
    if (random() % 2000 == 0) now += random() % 5000;
    slots.advance(now);
    uint64_t waiting = 0;
    for (auto cycle = issued.upper_bound(now); cycle != issued.end(); ++cycle) {
      waiting += cycle->second;
    }
    ASSERT_EQ(slots.waiting(), waiting) << i;
  }
}

TEST(IssueSlots, BeyondTheTableEverybodyIsIssuedWhenHisValuesAreThere) {
  IssueSlots slots(1, kUnits);
  EXPECT_EQ(slots.take(kAluUnit, 100000), 100000u);
  EXPECT_EQ(slots.take(kAluUnit, 100000), 100000u);
  slots.advance(50000);
  EXPECT_EQ(slots.waiting(), 2u);
  slots.advance(99000);
  EXPECT_EQ(slots.waiting(), 2u);
  slots.advance(100002);
  EXPECT_EQ(slots.waiting(), 0u);
}

}  // namespace
}  // namespace strobe::core
