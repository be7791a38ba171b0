// The end of an epoch: the firmware hooks the branches of the program's list again, sets the timer
// for the next epoch, and stops a run that cannot go on.
#include <gmock/gmock.h>

#include <set>

#include "sw/guest/include/strobe/ephemeral_abi.h"
#include "sw/guest/include/strobe/handlers_abi.h"
#include "tests/unit/guest/firmware_fixture.h"

namespace strobe::guest {
namespace {

class FirmwareEpochTest : public FirmwareTest {
 protected:
  static constexpr uint64_t kData = 0x20000, kList = kData, kStubs = kData + 0x100,
                            kCode = kData + 0x800, kLength = 1000;
  static constexpr uint64_t kTimer = STROBE_TIMER_BASE - STROBE_PROFILER_BASE;

  FirmwareEpochTest() {
    memory_.protect(kData, 4096, 0, isa::GuestMemory::kRead | isa::GuestMemory::kWrite);
    boot_.profiler_active = 0;
    block_.list = kList;
    block_.stubs = 2;
    block_.cycles = kLength;
    // Two stubs.
    for (uint64_t i = 0; i < 2; ++i) {
      strobe_stub_t stub = {};
      stub.next = i == 0 ? kStubs + sizeof stub : 0;
      stub.jump_word = 0x1234006f + (static_cast<uint32_t>(i) << 20);
      stub.branch = static_cast<int32_t>(branch(i) - (kStubs + i * sizeof stub));
      memory_.write(kStubs + i * sizeof stub, &stub, sizeof stub);
    }
    set_list(kStubs);
  }

  static uint64_t branch(uint64_t i) { return kCode + 8 * i; }
  void set_list(uint64_t first) { memory_.write(kList, &first, sizeof first); }
  uint64_t block_address() const { return elf_.symbol(STROBE_EPOCH_BLOCK_SYMBOL)->address; }
  void boot_at(uint64_t cycle) {
    memory_.write(block_address(), &block_, sizeof block_);
    set_now(cycle);
    start();
  }
  void set_now(uint64_t cycle) { device_.registers[kTimer + STROBE_TIMER_NOW] = cycle; }
  uint64_t due() { return device_.registers[kTimer + STROBE_TIMER_COMPARE]; }
  /// The timer interrupts in cycle `cycle`.
  void interrupt_at(uint64_t cycle) {
    set_now(cycle);
    hart_.set_interrupt(Interrupt::kMachineTimer, true);
    hart_.run(2000);
  }
  strobe_epoch_block_t block() {
    strobe_epoch_block_t block;
    memory_.read(block_address(), &block, sizeof block);
    return block;
  }
  template <class T>
  T at(uint64_t address) {
    T value{};
    memory_.read(address, &value, sizeof value);
    return value;
  }

  strobe_epoch_block_t block_ = {};
};

TEST_F(FirmwareEpochTest, HooksTheWholeListAndSetsTheTimerForTheNextEpoch) {
  boot_at(300);
  EXPECT_EQ(due(), 300 + kLength);
  interrupt_at(1350);
  EXPECT_EQ(at<uint32_t>(branch(0)), 0x1234006fu);
  EXPECT_EQ(at<uint32_t>(branch(1)), 0x1244006fu) << "at an even address";
  EXPECT_EQ(at<uint64_t>(kList), 0u);
  EXPECT_EQ(due(), 300 + 2 * kLength) << "whatever the handler took";
  EXPECT_EQ(block().epochs, 1u);
  EXPECT_EQ(block().hooked, 2u);
  EXPECT_EQ(block().longest_handler, 50u);
  EXPECT_EQ(hart_.state().mode, PrivilegeMode::kUser);
  interrupt_at(2310);  // nothing is in the list
  EXPECT_EQ(block().epochs, 2u);
  EXPECT_EQ(block().hooked, 2u);
  EXPECT_TRUE(device_.host_stores.empty());
}

TEST_F(FirmwareEpochTest, JitterIsUniformWithinItsBoundsAndFromTheSeed) {
  block_.jitter = 100;
  block_.random = 7;
  boot_at(0);
  std::set<uint64_t> lengths;
  uint64_t last = 0, sum = 0;
  constexpr uint64_t kEpochs = 400;
  for (uint64_t i = 0; i < kEpochs; ++i) {
    const uint64_t length = due() - last;
    EXPECT_GE(length, kLength - 100);
    EXPECT_LE(length, kLength + 100);
    lengths.insert(length);
    sum += length;
    last = due();
    interrupt_at(last);
  }
  EXPECT_GT(lengths.size(), 150u);
  EXPECT_LE(*lengths.begin(), kLength - 95);
  EXPECT_GE(*lengths.rbegin(), kLength + 95);
  EXPECT_NEAR(static_cast<double>(sum) / kEpochs, kLength, 12);
}

TEST_F(FirmwareEpochTest, ThatSamplesCountsTheInstructionThatItInterrupts) {
  block_.list = block_address() + offsetof(strobe_epoch_block_t, stubs);
  block_.stubs = 0;
  boot_at(300);
  EXPECT_EQ(due(), 300 + kLength);
  const uint64_t pc = hart_.state().pc;
  interrupt_at(1300);
  EXPECT_EQ(due(), 300 + 2 * kLength);
  EXPECT_EQ(hart_.state().mode, PrivilegeMode::kUser);
  interrupt_at(2300);
  EXPECT_EQ(block().epochs, 2u);
  uint64_t samples = 0;
  for (const Entry& entry : profile()) {
    EXPECT_TRUE(entry[0] == pc || entry[0] == kProgram || entry[0] == kProgram + 4) << entry[0];
    EXPECT_EQ(entry[2], uint64_t{STROBE_TAG_TIMER});
    samples += entry[3];
  }
  EXPECT_EQ(samples, 2u);
  EXPECT_EQ(at<uint32_t>(branch(0)), 0u) << "nothing is hooked";
}

TEST_F(FirmwareEpochTest, OneThatItsHandlerOutlastsStopsTheRun) {
  boot_at(0);
  interrupt_at(2 * kLength);
  EXPECT_THAT(device_.host_stores,
              testing::ElementsAre(std::make_pair(uint64_t{STROBE_HOST_HALT},
                                                  uint64_t{STROBE_STATUS_EPOCH_TOO_SHORT})));
  EXPECT_EQ(block().longest_handler, kLength);
}

TEST_F(FirmwareEpochTest, AListWithoutAnEndStopsTheRun) {
  strobe_stub_t stub = {};
  stub.next = kStubs;  // itself
  stub.branch = static_cast<int32_t>(kCode - kStubs);
  memory_.write(kStubs, &stub, sizeof stub);
  boot_at(0);
  interrupt_at(kLength);
  EXPECT_THAT(device_.host_stores,
              testing::ElementsAre(std::make_pair(uint64_t{STROBE_HOST_HALT},
                                                  uint64_t{STROBE_STATUS_BAD_STUB_LIST})));
}

TEST_F(FirmwareEpochTest, WithoutAListTheTimerIsLeftAlone) {
  block_.list = 0;
  boot_at(300);
  EXPECT_EQ(device_.registers.count(kTimer + STROBE_TIMER_COMPARE), 0u);
}

}  // namespace
}  // namespace strobe::guest
