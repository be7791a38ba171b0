// The firmware whose handler prefetches leaves what the other one leaves.
#include <gmock/gmock.h>

#include <iostream>
#include <map>
#include <random>

#include "tests/unit/guest/firmware_fixture.h"

namespace strobe::guest {
namespace {

using ::testing::IsEmpty;
using ::testing::UnorderedElementsAreArray;

class PrefetchingFirmwareTest : public FirmwareTest {
 protected:
  PrefetchingFirmwareTest() : FirmwareTest("guest/prefetching/firmware.elf") {}

  /// Instructions in machine mode until the buffer is empty and the program goes on.
  uint64_t interrupt() {
    const uint64_t machine = hart_.instructions() - hart_.user_instructions();
    hart_.set_interrupt(Interrupt::kProfiler, true);
    hart_.run(20000);
    return hart_.instructions() - hart_.user_instructions() - machine;
  }
};

TEST_F(PrefetchingFirmwareTest, EveryMessageIsFoldedOnceWhateverTheirNumber) {
  ASSERT_EQ(start(), StopReason::kBudget);
  std::mt19937_64 random(30);
  std::map<std::vector<uint64_t>, uint64_t> counts;
  for (const size_t messages : {0, 1, 2, 3, 100}) {
    for (size_t i = 0; i < messages; ++i) {
      const Message message{0x10000 + 4 * (random() % 8), random() % 4, random() % 2,
                            1 + random() % 256};
      device_.buffer.push_back(message);
      counts[{message.pc, message.value, message.tag}] += message.count;
    }
    interrupt();
    EXPECT_THAT(device_.buffer, IsEmpty());
  }
  std::vector<Entry> expected;
  for (const auto& [tuple, count] : counts) {
    expected.push_back(tuple);
    expected.back().push_back(count);
  }
  EXPECT_THAT(profile(), UnorderedElementsAreArray(expected));
  EXPECT_EQ(boot_block().messages, 106u);
}

TEST_F(PrefetchingFirmwareTest, TheInterruptLeavesTheProgramAsItWas) {
  ASSERT_EQ(start(), StopReason::kBudget);
  for (unsigned r = 6; r < 32; ++r) hart_.state().x[r] = r * 0x0101010101010101;
  const isa::HartState before = hart_.state();
  device_.buffer = {{0x10000, 7, 1, 256}, {0x10004, 8, 0, 200}, {0x10000, 7, 1, 256}};
  interrupt();
  EXPECT_EQ(hart_.state().mode, PrivilegeMode::kUser);
  for (int r = 1; r < 32; ++r) {
    if (r == 5) continue;  // the program counts in t0
    EXPECT_EQ(hart_.state().x[r], before.x[r]) << "x" << r;
  }
}

TEST_F(PrefetchingFirmwareTest, AMessageCostsThreeRegisterReadsAndAtMost40Instructions) {
  ASSERT_EQ(start(), StopReason::kBudget);
  const auto cost_of = [this](size_t messages) {
    device_.buffer.assign(messages, {0x10000, 7, 1, 256});
    return interrupt();
  };
  cost_of(2);  // makes the entry
  const uint64_t few = cost_of(2), reads = device_.reads, many = cost_of(102);
  EXPECT_EQ(device_.reads - reads, 1 + 3 * 102u);
  std::cout << (many - few) / 100 << " instructions a message\n";
  EXPECT_LE((many - few) / 100, 40u);
}

}  // namespace
}  // namespace strobe::guest
