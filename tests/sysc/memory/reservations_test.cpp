// Do requests that are presented out of order get the times of their arrival?
#include "sc_models/memory/reservations.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "sc_models/memory/miss_registers.h"

namespace strobe::memory {
namespace {

TEST(Reservations, InOrderEachWaitsForTheOneBefore) {
  Reservations server(8);
  EXPECT_EQ(server.take(10), 10u);
  EXPECT_EQ(server.take(10), 18u);
  EXPECT_EQ(server.take(20), 26u);
  EXPECT_EQ(server.take(100), 100u);
  EXPECT_EQ(server.until(), 108u);
}

TEST(Reservations, WhoArrivedEarlierGoesFirstAndTheNextWaitsForBoth) {
  Reservations server(8);
  EXPECT_EQ(server.take(20), 20u);
  EXPECT_EQ(server.take(17), 17u) << "presented later, arrived earlier";
  EXPECT_EQ(server.take(21), 33u) << "behind 17 to 25 and 25 to 33";
}

// A queue served from the beginning, in the order of arrival.
uint64_t served_at(std::vector<uint64_t> arrivals, uint64_t newest, uint64_t length) {
  std::sort(arrivals.begin(), arrivals.end());
  uint64_t free_at = 0;
  for (const uint64_t arrival : arrivals) {
    if (arrival > newest) break;
    free_at = std::max(free_at, arrival) + length;
  }
  return free_at - length;
}

TEST(Reservations, AreThoseOfAQueueInTheOrderOfArrival) {
  std::mt19937 random(1);
  for (const uint64_t length : {1u, 3u, 8u}) {
    Reservations server(length);
    std::vector<uint64_t> arrivals;
    uint64_t now = 1000;
    for (unsigned i = 0; i < 2000; ++i) {
      now += random() % (2 * length + 1);
      arrivals.push_back(now - random() % (8 * length));
      EXPECT_EQ(server.take(arrivals.back()), served_at(arrivals, arrivals.back(), length)) << i;
    }
  }
}

TEST(MissRegisters, AreTakenFromCycleToCycle) {
  MissRegisters registers(2);
  registers.take({100, 200, 1, false});
  registers.take({150, 250, 2, false});
  EXPECT_FALSE(registers.full(149));
  EXPECT_TRUE(registers.full(150));
  EXPECT_TRUE(registers.full(199));
  EXPECT_FALSE(registers.full(200));
  EXPECT_EQ(registers.next_free(160), 200u);
  registers.take({50, 90, 3, false});  // presented later, over before the others
  EXPECT_FALSE(registers.full(60));
  EXPECT_TRUE(registers.full(150)) << "it took nobody's place";
}

}  // namespace
}  // namespace strobe::memory
