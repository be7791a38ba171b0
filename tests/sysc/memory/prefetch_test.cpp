// Prefetchers: their requests, the cycles that these save and cost, and the counters.
#include <gtest/gtest.h>

#include "sc_models/memory/cache.h"
#include "sc_models/memory/dram.h"

namespace strobe::memory {
namespace {

constexpr unsigned kLatency = 3, kDramCycles = 100, kInterval = 8,
                   kMissCycles = kLatency + kDramCycles;

// cache -> DRAM; one a test, because one process elaborates once.
struct Level {
  isa::GuestMemory memory;
  Clock clock{1.0};
  Cache cache;
  Dram dram;

  explicit Level(Prefetch prefetch, unsigned degree = 1, unsigned mshrs = 8)
      : cache("cache", CacheParams{4096, 2, 64, kLatency, mshrs, prefetch, degree}, clock),
        dram("dram", memory, kDramCycles, kInterval, clock) {
    cache.initiator_socket.bind(dram.target_socket);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  /// Cycles a load of line `number` at cycle `now` takes.
  uint64_t load(uint64_t number, uint64_t now) {
    return cache.access(64 * number, AccessKind::kLoad, now) - now;
  }
  uint64_t count(const char* name) { return cache.statistics().at(name); }
};

TEST(NoPrefetch, EveryNewLineIsAMiss) {
  Level level(Prefetch::kNone);
  for (uint64_t i = 0; i < 8; ++i) EXPECT_EQ(level.load(i, 1000 * (i + 1)), kMissCycles);
  EXPECT_EQ(level.count("prefetches"), 0u);
}

TEST(NextLine, TurnsAStreamOfLinesIntoHitsAfterTheFirst) {
  Level level(Prefetch::kNextLine);
  EXPECT_EQ(level.load(0, 1000), kMissCycles);
  for (uint64_t i = 1; i < 8; ++i) EXPECT_EQ(level.load(i, 1000 * (i + 1)), kLatency) << i;
  EXPECT_EQ(level.count("misses"), 1u);
  EXPECT_EQ(level.count("prefetches"), 8u) << "the one after the last was asked for too";
  EXPECT_EQ(level.count("prefetches_used"), 7u);
  EXPECT_EQ(level.count("prefetches_late"), 0u);
}

TEST(NextLine, AskedForInTheCycleOfTheMissComesAnIntervalLater) {
  Level level(Prefetch::kNextLine);
  EXPECT_EQ(level.load(0, 1000), kMissCycles);
  EXPECT_EQ(level.load(1, 1001), kMissCycles + kInterval - 1) << "in flight: late, and merged with";
  EXPECT_EQ(level.count("prefetches_used"), 1u);
  EXPECT_EQ(level.count("prefetches_late"), 1u);
  EXPECT_EQ(level.count("merged"), 1u);
}

class Degree : public testing::TestWithParam<unsigned> {};

TEST_P(Degree, IsTheNumberOfLinesAskedForAtOnce) {
  Level level(Prefetch::kNextLine, GetParam());
  level.load(0, 1000);
  EXPECT_EQ(level.count("prefetches"), GetParam());
  EXPECT_EQ(level.dram.statistics().at("reads"), 1u + GetParam()) << "it is traffic";
  EXPECT_EQ(level.load(GetParam(), 5000), kLatency);
  EXPECT_EQ(level.load(2 * GetParam() + 2, 9000), kMissCycles);
}

INSTANTIATE_TEST_SUITE_P(Lines, Degree, testing::Values(1, 2, 4));

TEST(NextLine, DoesNothingWithoutAFreeMissRegister) {
  Level level(Prefetch::kNextLine, 1, 1);
  level.load(0, 1000);
  EXPECT_EQ(level.count("prefetches"), 0u);
  EXPECT_EQ(level.load(1, 2000), kMissCycles);
}

TEST(NextLine, ForgetsALineNobodyServes) {
  Level level(Prefetch::kNextLine);
  const uint64_t last = Dram::kSize / 64 - 1;
  EXPECT_EQ(level.load(last, 1000), kMissCycles);
  EXPECT_EQ(level.count("prefetches"), 0u);
}

TEST(Stride, IsFollowedOnceItWasSeenTwice) {
  Level level(Prefetch::kStride);
  EXPECT_EQ(level.load(1, 1000), kMissCycles);
  EXPECT_EQ(level.load(6, 2000), kMissCycles) << "a distance";
  EXPECT_EQ(level.load(11, 3000), kMissCycles) << "the same again: followed from here";
  for (uint64_t i = 16; i < 62; i += 5) EXPECT_EQ(level.load(i, 1000 * i), kLatency) << i;
  EXPECT_EQ(level.count("misses"), 3u);
}

TEST(Stride, GoesDownToo) {
  Level level(Prefetch::kStride);
  level.load(60, 1000);
  level.load(57, 2000);
  level.load(54, 3000);
  EXPECT_EQ(level.load(51, 4000), kLatency);
}

TEST(Stride, AsksForNothingWithoutAPattern) {
  Level level(Prefetch::kStride);
  uint64_t now = 1000;
  for (const uint64_t number : {3u, 17u, 5u, 40u, 22u, 1u, 60u, 9u}) {
    EXPECT_EQ(level.load(number, now += 1000), kMissCycles);
  }
  EXPECT_EQ(level.count("prefetches"), 0u);
}

TEST(Stride, KeepsTwoStreamsInDifferentZonesApart) {
  Level level(Prefetch::kStride);
  uint64_t now = 1000;
  for (uint64_t i = 0; i < 3; ++i) {
    level.load(1 + 2 * i, now += 1000);
    level.load(64 + 3 * i, now += 1000);
  }
  EXPECT_EQ(level.load(7, now += 1000), kLatency);
  EXPECT_EQ(level.load(73, now += 1000), kLatency);
}

TEST(Prefetching, WritesBackTheDirtyLineItReplaces) {
  Level level(Prefetch::kNextLine);
  level.cache.access(64 * 1, AccessKind::kStore, 1000);         // set 1, with its next line
  level.cache.access(64 * (1 + 32), AccessKind::kStore, 2000);  // set 1, the other way
  level.cache.access(64 * (0 + 64), AccessKind::kLoad, 3000);   // asks for 65, in set 1
  EXPECT_EQ(level.count("writebacks"), 1u);
  EXPECT_EQ(level.load(65, 4000), kLatency);
  EXPECT_EQ(level.load(1, 5000), kMissCycles) << "it was the least recently used";
}

}  // namespace
}  // namespace strobe::memory
