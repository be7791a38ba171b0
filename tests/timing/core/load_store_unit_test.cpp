// The load/store unit by itself: the test gives the instructions' numbers and their cycles of
// commit.
#include "sc_models/core/back_end/load_store_unit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/timing/core/machine.h"

namespace strobe::test {
namespace {

using core::CpiClass;
using core::LoadStoreUnit;
using testing::ElementsAre;
using testing::Field;

class LoadStore : public testing::Test {
 protected:
  LoadStore() {
    unit.bind(cache);
    cache.latency = 3;
  }

  /// A store whose instruction commits in cycle `commit_at`.
  void store(uint64_t address, unsigned size, uint64_t commit_at) {
    const uint64_t number = rob.place();
    rob.committed_at(number) = commit_at;
    unit.add_store(address, size, number, commit_at - 1);
  }

  /// A load renamed in cycle 0 whose address is there in cycle `address_at`.
  core::Placing load(uint64_t address, uint8_t size, uint64_t address_at) {
    core::Operation op;
    op.memory = core::Memory::kLoad;
    op.mem_size = size;
    core::Placing at{};
    at.address_at = address_at;
    unit.access(op, address, unit.overlapping_store(address, size, 0), at);
    return at;
  }

  static core::CoreParams two_places() {
    core::CoreParams params;
    params.load_queue = 2;
    params.store_queue = 2;
    return params;
  }

  const core::CoreParams params = two_places();
  core::ReorderBuffer rob{64};
  core::PipelineStats stats;
  LoadStoreUnit unit{params, rob, stats};
  ScriptedPort cache;
};

TEST_F(LoadStore, StoresAreWrittenInOrderOneACycleFromTheCycleAfterTheirCommit) {
  store(0x1000, 8, 10);
  store(0x2000, 8, 10);
  unit.write_stores(10);
  EXPECT_EQ(unit.unwritten(), 2u);
  unit.write_stores(20);
  EXPECT_EQ(unit.unwritten(), 0u);
  EXPECT_THAT(cache.log, ElementsAre(Field(&ScriptedPort::Access::cycle, 11u),
                                     Field(&ScriptedPort::Access::cycle, 12u)));
}

TEST_F(LoadStore, ARefusedStoreIsPresentedAgainInEachCycle) {
  cache.answer = [](const ScriptedPort::Access& access) {
    return access.cycle < 14 ? uint64_t{0} : access.cycle + 1;
  };
  store(0x1000, 8, 10);
  unit.write_stores(12);
  EXPECT_TRUE(unit.refused());
  EXPECT_EQ(unit.all_written_at(13), 13u) << "not before that cycle";
  EXPECT_EQ(unit.all_written_at(100), 14u);
  EXPECT_EQ(stats.store_retries, 3u);
}

TEST_F(LoadStore, AFullQueueHasRoomWhenItsOldestEntryLeaves) {
  EXPECT_EQ(unit.store_room_at(), 0u);
  store(0x1000, 8, 10);
  store(0x2000, 8, 20);
  EXPECT_EQ(unit.store_room_at(), 11u);
  EXPECT_EQ(unit.load_room_at(), 0u);
  unit.add_load(30);
  unit.add_load(40);
  EXPECT_EQ(unit.load_room_at(), 30u);
}

TEST_F(LoadStore, AStoreThatHasAllBytesOfALoadForwardsThem) {
  store(0x1000, 8, 50);
  const core::Placing at = load(0x1004, 4, 20);
  EXPECT_EQ(at.done, 20 + params.forward_latency);
  EXPECT_EQ(at.level, CpiClass::kDependency);
  EXPECT_EQ(stats.forwards, 1u);
  EXPECT_TRUE(cache.log.empty());
}

TEST_F(LoadStore, ALoadWithSomeBytesOfAStoreWaitsUntilItIsWritten) {
  store(0x1000, 4, 50);
  const core::Placing at = load(0x1000, 8, 20);
  EXPECT_EQ(at.accepted, 51u);
  EXPECT_EQ(at.done, 51u + cache.latency);
  EXPECT_EQ(stats.partial_overlaps, 1u);
}

TEST_F(LoadStore, ALoadOfOtherBytesPassesTheStores) {
  store(0x1000, 4, 50);
  EXPECT_EQ(load(0x1004, 4, 20).done, 20u + cache.latency);
}

TEST_F(LoadStore, AnAccessOverTwoLinesIsTwo) {
  const uint64_t line = params.memory.l1d.line;
  EXPECT_EQ(load(line - 4, 8, 20).done, 20u + cache.latency);
  EXPECT_THAT(cache.log, ElementsAre(Field(&ScriptedPort::Access::address, line - 4),
                                     Field(&ScriptedPort::Access::address, line + 3)));
}

TEST_F(LoadStore, ALoadThatTheCacheTurnsAwayIsChargedToDram) {
  cache.answer = [](const ScriptedPort::Access& access) {
    return access.cycle < 23 ? uint64_t{0} : access.cycle + 1;
  };
  const core::Placing at = load(0x3000, 8, 20);
  EXPECT_EQ(at.accepted, 23u);
  EXPECT_EQ(at.waiting_class, CpiClass::kDram);
  EXPECT_EQ(stats.load_retries, 3u);
}

TEST_F(LoadStore, ForgetsEverythingInFlight) {
  store(0x1000, 8, 1000);
  unit.clear();
  EXPECT_EQ(unit.unwritten(), 0u);
  EXPECT_TRUE(unit.all_written_by(0));
  EXPECT_EQ(load(0x1000, 8, 20).done, 20u + cache.latency);
}

}  // namespace
}  // namespace strobe::test
