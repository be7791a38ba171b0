// The firmware with a ring in memory: its accesses to the device, and its service thread.
#include <gmock/gmock.h>

#include <cstddef>

#include "tests/unit/guest/firmware_fixture.h"

namespace strobe::guest {
namespace {

using ::testing::UnorderedElementsAre;

class FirmwareRingTest : public FirmwareTest {
 protected:
  /// From now on the messages come through a ring of four records.
  void use_ring(bool overwrite = false) {
    device_.registers[STROBE_REG_CAP1] |= STROBE_CAP1_RING_MASK;
    const strobe_ring_block_t ring = {4, STROBE_RING_BASE, overwrite ? 1u : 0u, 0, 0, 0};
    memory_.write(elf_.symbol(STROBE_RING_BLOCK_SYMBOL)->address, &ring, sizeof ring);
    memory_.protect(STROBE_RING_BASE, 4 * sizeof(strobe_record_t), 0,
                    isa::GuestMemory::kRead | isa::GuestMemory::kWrite);
  }

  /// Does what the ring writer does with message `number` of `count` events, after messages of
  /// `total` events.
  void put_record(uint32_t number, uint32_t total, uint64_t value, uint32_t count) {
    const strobe_record_t record = {
        number, total, 0x10000,
        value,  count, uint32_t{STROBE_RECORD_VERSION} << 28 | 1u << 24 | (number & 0xffffff)};
    memory_.write(STROBE_RING_BASE + number % 4 * sizeof record, &record, sizeof record);
  }

  /// Lets the service thread run.
  void serve(uint64_t instructions = 2000) {
    if (hart_.state().pc < STROBE_FIRMWARE_BASE) {
      hart_.state().pc = elf_.symbol(STROBE_SERVICE_SYMBOL)->address;
      hart_.state().mode = PrivilegeMode::kMachine;
    }
    ASSERT_EQ(hart_.run(instructions), StopReason::kBudget);
  }

  strobe_ring_block_t ring_block() {
    strobe_ring_block_t block;
    memory_.read(elf_.symbol(STROBE_RING_BLOCK_SYMBOL)->address, &block, sizeof block);
    return block;
  }
};

TEST_F(FirmwareRingTest, ProgramsTheRingAndLeavesTheInterruptOff) {
  use_ring(/*overwrite=*/true);
  ASSERT_EQ(start(), StopReason::kBudget);
  EXPECT_EQ(device_.registers[STROBE_REG_RING_CONFIG], 2u | STROBE_RING_CONFIG_OVERWRITE_MASK);
  EXPECT_EQ(device_.registers[STROBE_REG_RING_BASE], uint64_t{STROBE_RING_BASE});
  EXPECT_EQ(device_.registers[STROBE_REG_RING_CTRL], STROBE_RING_CTRL_ENABLE_MASK);
  EXPECT_EQ(device_.registers[STROBE_REG_INTR_ENABLE], 0u);
}

TEST_F(FirmwareRingTest, DoesNotAskForARingOfADeviceWithoutOne) {
  use_ring();
  device_.registers[STROBE_REG_CAP1] &= ~STROBE_CAP1_RING_MASK;
  ASSERT_EQ(start(), StopReason::kHalted);
  EXPECT_EQ(boot_block().status, uint64_t{STROBE_STATUS_BAD_CAPABILITY});
  EXPECT_TRUE(device_.writes.empty());
}

TEST_F(FirmwareRingTest, TheEndWaitsForTheServiceThread) {
  use_ring();
  ASSERT_EQ(start(), StopReason::kBudget);
  device_.registers[STROBE_REG_RING_PROD] = 3;
  device_.registers[STROBE_REG_RING_CONS] = 2;
  ASSERT_EQ(finish(), StopReason::kBudget) << "it waits";
  device_.registers[STROBE_REG_RING_CONS] = 3;
  ASSERT_EQ(hart_.run(1000000), StopReason::kHalted);
  EXPECT_EQ(boot_block().residue, 10u + 11 + 12 + 13);
}

TEST_F(FirmwareRingTest, TheServiceThreadFoldsRecordsAndSaysHowFarItIs) {
  use_ring();
  ASSERT_EQ(start(), StopReason::kBudget);
  serve();
  EXPECT_EQ(device_.registers.count(STROBE_REG_RING_CONS), 0u) << "nothing to say yet";
  uint32_t total = 0;
  for (uint32_t number = 0; number < 10; ++number) {
    put_record(number, total, number % 2, 256 + number);
    total += 256 + number;
    serve();
    EXPECT_EQ(device_.registers[STROBE_REG_RING_CONS], number + 1);
  }
  EXPECT_THAT(profile(), UnorderedElementsAre(Entry{0x10000, 0, 1, 5 * 256 + 20},
                                              Entry{0x10000, 1, 1, 5 * 256 + 25}));
  EXPECT_EQ(ring_block().messages, 10u);
  EXPECT_EQ(ring_block().lost_messages, 0u);
}

TEST_F(FirmwareRingTest, TheServiceThreadTakesNoRecordBeforeItIsWhole) {
  use_ring();
  ASSERT_EQ(start(), StopReason::kBudget);
  put_record(0, 0, 7, 256);
  const uint64_t stamp = STROBE_RING_BASE + offsetof(strobe_record_t, stamp);
  const uint32_t not_yet = 0;
  memory_.write(stamp, &not_yet, sizeof not_yet);
  serve();
  EXPECT_TRUE(profile().empty());
  // Being written over: the first word is of the next round already.
  put_record(0, 0, 7, 256);
  const uint32_t next_round = 4;
  memory_.write(STROBE_RING_BASE, &next_round, sizeof next_round);
  serve();
  EXPECT_TRUE(profile().empty());
}

TEST_F(FirmwareRingTest, TheServiceThreadCountsWhatWasWrittenOver) {
  use_ring(/*overwrite=*/true);
  ASSERT_EQ(start(), StopReason::kBudget);
  put_record(0, 0, 0, 100);
  serve();
  // 1 to 5 of 100 events each come and go; of 6 to 9, which are there, it leaves the oldest.
  for (uint32_t number = 6; number < 10; ++number) put_record(number, 100 * number, 1, 100);
  serve();
  EXPECT_THAT(profile(),
              UnorderedElementsAre(Entry{0x10000, 0, 1, 100}, Entry{0x10000, 1, 1, 300}));
  EXPECT_EQ(ring_block().messages, 4u);
  EXPECT_EQ(ring_block().lost_messages, 6u);
  EXPECT_EQ(ring_block().lost_count, 600u);
  EXPECT_EQ(device_.registers[STROBE_REG_RING_CONS], 10u);
}

}  // namespace
}  // namespace strobe::guest
