// What two harts ask for a cycle: bandwidth, places of a structure, the fetch stage.
#include <gtest/gtest.h>

#include <random>

#include "sc_models/core/back_end/issue_slots.h"
#include "sc_models/core/threads/bandwidth.h"
#include "sc_models/core/threads/fetch_port.h"
#include "sc_models/core/threads/occupancy.h"

namespace strobe::core {
namespace {

TEST(Bandwidth, GivesSoManyInstructionsACycle) {
  Bandwidth bandwidth(2);
  for (const uint64_t expected : {7u, 7u, 8u, 8u, 9u}) {
    const uint64_t cycle = bandwidth.first_free(7);
    EXPECT_EQ(cycle, expected);
    bandwidth.take(cycle);
  }
  EXPECT_EQ(bandwidth.first_free(6), 6u) << "an earlier cycle is free still";
}

TEST(Bandwidth, ForgetsCyclesLongOver) {
  Bandwidth bandwidth(1);
  bandwidth.take(5);
  EXPECT_EQ(bandwidth.first_free(5), 6u);
  bandwidth.take(5 + 4096);
  EXPECT_EQ(bandwidth.first_free(5 + 4096), 6u + 4096);
  bandwidth.take(5);
  EXPECT_EQ(bandwidth.first_free(5 + 4096), 6u + 4096) << "the later cycle is kept";
}

TEST(FetchPort, ACycleThatOneHartHasIsNotTheOthers) {
  FetchPort port;
  EXPECT_EQ(port.first_free(1, 0), 0u);
  port.take(0, 3);
  port.take(0, 4);
  EXPECT_EQ(port.first_free(0, 3), 3u);
  EXPECT_EQ(port.first_free(1, 3), 5u);
  EXPECT_EQ(port.first_free(1, 2), 2u);
  EXPECT_EQ(port.last_before(4), 0u);
  EXPECT_EQ(port.last_before(3), 1u) << "none did";
  port.take(1, 7);
  EXPECT_EQ(port.last_before(7), 0u);
  EXPECT_EQ(port.last_before(9), 1u);
}

// Against the plain count, with harts that are in different cycles.
TEST(Occupancy, CountsWhoIsInAStructureInACycle) {
  std::mt19937 random(3);
  Occupancy occupancy;
  std::vector<std::pair<uint64_t, uint64_t>> stays;
  uint64_t now[2] = {};
  for (unsigned i = 0; i < 20000; ++i) {
    const unsigned hart = random() % 2;
    const uint64_t ahead = random() % 50 == 0 ? random() % 400 : random() % 3;
    if (now[hart] > now[hart ^ 1] + 500) continue;
    now[hart] += ahead;
    unsigned expected = 0;
    for (const auto& [from, to] : stays) expected += from <= now[hart] && now[hart] < to ? 1 : 0;
    ASSERT_EQ(occupancy.at(hart, now[hart]), expected) << "step " << i;
    const uint64_t from = now[hart] + random() % 2, to = from + 1 + random() % 300;
    occupancy.enter(from);
    occupancy.leave(to);
    stays.push_back({from, to});
    if (stays.size() > 2000) stays.erase(stays.begin(), stays.begin() + 1000);
  }
}

TEST(Occupancy, AStayWithoutEndEndsWhereTheRingDoes) {
  Occupancy occupancy;
  occupancy.enter(1);
  occupancy.leave(kNever);
  EXPECT_EQ(occupancy.at(0, 4000), 1u);
  EXPECT_EQ(occupancy.at(0, kNever), 0u);
}

TEST(LeftOverSlots, AreOneACycleAndOnlyWhereThereIsRoom) {
  const UnitParams units[kUnitCount] = {{4, 1, 1}, {1, 3, 1},   {1, 20, 20},
                                        {2, 4, 1}, {1, 12, 12}, {2, 1, 1}};
  IssueSlots slots(4, units);
  slots.advance(10);
  for (unsigned i = 0; i < 7; ++i) slots.take(kAluUnit, 11);  // four in cycle 11, three in 12
  EXPECT_EQ(slots.take_left_over(kAluUnit, 11), 12u);
  EXPECT_EQ(slots.take_left_over(kAluUnit, 11), 13u);
  EXPECT_EQ(slots.take_left_over(kMulUnit, 11), 14u);
  EXPECT_EQ(slots.take(kAluUnit, 12), 12u) << "a slot left over is not lost to the other hart";
  EXPECT_EQ(slots.take_left_over(kDivUnit, 11), 15u);
  EXPECT_EQ(slots.take(kDivUnit, 11), 35u) << "a unit in use is";
  EXPECT_EQ(slots.take_left_over(kAluUnit, 15), 16u);
}

}  // namespace
}  // namespace strobe::core
