// The firmware at boot, on the interrupt, at the end, and after an error.
#include <gmock/gmock.h>

#include <algorithm>
#include <iostream>

#include "tests/unit/guest/firmware_fixture.h"

namespace strobe::guest {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

// In CAP1 and CAP2: a stratified first level whose sampler is a countdown.
constexpr uint64_t kStratified = uint64_t{1} << STROBE_CAP1_KIND_SHIFT;
constexpr uint64_t kCountdown = uint64_t{2} << STROBE_CAP2_SAMPLER_SHIFT;

TEST_F(FirmwareTest, StartsTheProgramInUserModeWithItsStackAndClearRegisters) {
  ASSERT_EQ(start(), StopReason::kBudget);
  EXPECT_EQ(hart_.state().mode, PrivilegeMode::kUser);
  EXPECT_EQ(hart_.state().x[2], kStack);
  for (int r : {1, 3, 4, 6, 8, 10, 17, 31}) EXPECT_EQ(hart_.state().x[r], 0u) << "x" << r;
  EXPECT_GT(hart_.state().x[5], 100u);
  EXPECT_EQ(hart_.state().mcounteren, 7u);
  EXPECT_NE(hart_.state().mstatus & 3u << 13, 0u);
  EXPECT_EQ(boot_block().status, uint64_t{STROBE_STATUS_RUNNING});
}

TEST_F(FirmwareTest, ProgramsTheDeviceClearsItAndEnablesItOnlyWhenItIsReady) {
  ASSERT_EQ(start(), StopReason::kBudget);
  EXPECT_EQ(device_.registers[STROBE_REG_PERIOD], 256u);
  EXPECT_EQ(device_.registers[STROBE_REG_THRESHOLD], 0x123456u);
  EXPECT_EQ(device_.registers[STROBE_REG_SEED], 0xfedcba9876543210u);
  EXPECT_EQ(device_.registers[STROBE_REG_EVICTION], 0x80080u);
  EXPECT_EQ(device_.registers[STROBE_REG_WATERMARK], 2u);
  EXPECT_EQ(device_.registers[STROBE_REG_INTR_ENABLE], STROBE_INTR_ENABLE_WATERMARK_MASK);
  EXPECT_EQ(device_.registers[STROBE_REG_SEL_CTRL], 0x401u);
  EXPECT_EQ(device_.registers[STROBE_REG_SEL_CTRL + STROBE_REG_SEL_CTRL_STRIDE], 0x813u);
  EXPECT_EQ(device_.registers[STROBE_REG_SEL_PC_LO + STROBE_REG_SEL_PC_LO_STRIDE], 0x1000u);
  EXPECT_EQ(device_.registers[STROBE_REG_SEL_PC_HI + STROBE_REG_SEL_PC_HI_STRIDE], 0x2000u);
  EXPECT_EQ(device_.registers[STROBE_REG_CTRL], STROBE_CTRL_ENABLE_MASK);
  EXPECT_TRUE(device_.cleared);
  EXPECT_FALSE(device_.enabled_while_init);
}

TEST_F(FirmwareTest, TheClearComesAfterTheSeedItLoads) {
  ASSERT_EQ(start(), StopReason::kBudget);
  const auto first = [this](uint64_t offset) {
    return std::find(device_.writes.begin(), device_.writes.end(), offset);
  };
  EXPECT_LT(first(STROBE_REG_SEED), first(STROBE_REG_CTRL));
  EXPECT_LT(first(STROBE_REG_CTRL), device_.writes.end());
}

TEST_F(FirmwareTest, LeavesTheDeviceAloneInTheBaselineRun) {
  boot_.profiler_active = 0;
  ASSERT_EQ(start(), StopReason::kBudget);
  ASSERT_EQ(finish(), StopReason::kHalted);
  EXPECT_EQ(device_.reads, 0u);
  EXPECT_TRUE(device_.writes.empty());
  EXPECT_EQ(boot_block().status, uint64_t{STROBE_STATUS_DONE});
}

TEST_F(FirmwareTest, TheInterruptFoldsTheBufferAndLeavesTheProgramAsItWas) {
  ASSERT_EQ(start(), StopReason::kBudget);
  for (unsigned r = 6; r < 32; ++r) hart_.state().x[r] = r * 0x0101010101010101;
  isa::HartState before = hart_.state();
  device_.buffer = {{0x10000, 7, 1, 256}, {0x10004, 8, 0, 200}, {0x10000, 7, 1, 256}};
  hart_.set_interrupt(Interrupt::kProfiler, true);
  ASSERT_EQ(hart_.run(1000), StopReason::kBudget);
  EXPECT_TRUE(device_.buffer.empty());
  EXPECT_THAT(profile(),
              UnorderedElementsAre(Entry{0x10000, 7, 1, 512}, Entry{0x10004, 8, 0, 200}));
  EXPECT_EQ(boot_block().interrupts, 1u);
  EXPECT_EQ(boot_block().messages, 3u);
  EXPECT_EQ(hart_.state().mode, PrivilegeMode::kUser);
  for (int r = 1; r < 32; ++r) {
    if (r == 5) continue;  // the program counts in t0
    EXPECT_EQ(hart_.state().x[r], before.x[r]) << "x" << r;
  }
  EXPECT_GT(hart_.state().x[5], before.x[5]);
}

TEST_F(FirmwareTest, AMessageCostsThreeRegisterReads) {
  ASSERT_EQ(start(), StopReason::kBudget);
  device_.buffer.assign(100, {0x10000, 7, 1, 256});
  uint64_t before = device_.reads;
  hart_.set_interrupt(Interrupt::kProfiler, true);
  hart_.run(10000);
  EXPECT_EQ(device_.reads - before, 1 + 3 * 100u);
}

TEST_F(FirmwareTest, AMessageCostsAtMost30InstructionsAndAnInterrupt110) {
  ASSERT_EQ(start(), StopReason::kBudget);
  auto cost_of = [this](size_t messages) {
    device_.buffer.assign(messages, {0x10000, 7, 1, 256});
    uint64_t machine = hart_.instructions() - hart_.user_instructions();
    hart_.set_interrupt(Interrupt::kProfiler, true);
    hart_.run(20000);
    return hart_.instructions() - hart_.user_instructions() - machine;
  };
  cost_of(2);  // makes the entry
  uint64_t few = cost_of(2), many = cost_of(102);
  uint64_t message = (many - few) / 100, interrupt = few - 2 * message;
  std::cout << message << " instructions a message, " << interrupt << " an interrupt\n";
  EXPECT_LE(message, 30u);
  EXPECT_LE(interrupt, 110u);
}

TEST_F(FirmwareTest, TheEndDrainsWhatIsStillOnItsWayAndAddsUpTheTable) {
  ASSERT_EQ(start(), StopReason::kBudget);
  device_.buffer = {{0x10000, 1, 0, 256}};
  device_.late = {{0x10000, 1, 0, 1}, {0x10000, 2, 0, 2}, {0x10000, 3, 0, 3}};
  ASSERT_EQ(finish(), StopReason::kHalted);
  EXPECT_THAT(profile(), UnorderedElementsAre(Entry{0x10000, 1, 0, 257}, Entry{0x10000, 2, 0, 2},
                                              Entry{0x10000, 3, 0, 3}));
  strobe_boot_block_t boot = boot_block();
  EXPECT_EQ(boot.status, uint64_t{STROBE_STATUS_DONE});
  EXPECT_EQ(boot.messages, 4u);
  EXPECT_EQ(boot.final_messages, 4u);
  EXPECT_EQ(boot.residue, 10u + 11 + 12 + 13);
  EXPECT_EQ(device_.registers[STROBE_REG_CTRL], 0u);
  EXPECT_THAT(device_.host_stores, ElementsAre(std::make_pair(uint64_t{STROBE_HOST_HALT},
                                                              uint64_t{STROBE_STATUS_DONE})));
}

TEST_F(FirmwareTest, EntriesThatKnowTheirTuplesAreTheLastMessages) {
  device_.registers[STROBE_REG_CAP2] = uint64_t{4} << STROBE_CAP2_SECOND_ENTRIES_SHIFT;
  ASSERT_EQ(start(), StopReason::kBudget);
  device_.buffer = {{0x10004, 7, 1, 256}};
  ASSERT_EQ(finish(), StopReason::kHalted);
  // The entry of count 0 is none.
  EXPECT_THAT(profile(), UnorderedElementsAre(Entry{0x10004, 7, 1, 257}, Entry{0x10008, 7, 2, 2},
                                              Entry{0x1000c, 7, 3, 3}));
  EXPECT_EQ(boot_block().messages, 4u);
  EXPECT_EQ(boot_block().final_messages, 4u);
  EXPECT_EQ(boot_block().residue, 10u + 11 + 12 + 13);
}

TEST_F(FirmwareTest, AFirstLevelWithTuplesLeavesNoResidue) {
  device_.tuples_from = 0;
  ASSERT_EQ(start(), StopReason::kBudget);
  ASSERT_EQ(finish(), StopReason::kHalted);
  EXPECT_THAT(profile(), UnorderedElementsAre(Entry{0x10000, 7, 0, 10}, Entry{0x10004, 7, 0, 11},
                                              Entry{0x10008, 7, 0, 12}, Entry{0x1000c, 7, 0, 13}));
  EXPECT_EQ(boot_block().messages, 4u);
  EXPECT_EQ(boot_block().residue, 0u);
}

TEST_F(FirmwareTest, ACountdownHoldsNoResidue) {
  device_.registers[STROBE_REG_CAP1] |= kStratified;
  device_.registers[STROBE_REG_CAP2] = kCountdown;
  boot_.period = 128;
  ASSERT_EQ(start(), StopReason::kBudget);
  ASSERT_EQ(finish(), StopReason::kHalted);
  EXPECT_EQ(boot_block().residue, 0u);
}

struct Refusal {
  const char* name;
  void (*change)(strobe_boot_block_t& boot, Device& device);
  strobe_firmware_status_t status;
};

class FirmwareRefusalTest : public FirmwareTest, public ::testing::WithParamInterface<Refusal> {};

TEST_P(FirmwareRefusalTest, HaltsWithItsStatusAndDoesNotStartTheProgram) {
  GetParam().change(boot_, device_);
  ASSERT_EQ(start(), StopReason::kHalted);
  EXPECT_EQ(boot_block().status, uint64_t{GetParam().status});
  EXPECT_EQ(hart_.user_instructions(), 0u);
  EXPECT_TRUE(device_.writes.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Each, FirmwareRefusalTest,
    ::testing::Values(
        Refusal{"AnotherDevice",
                [](strobe_boot_block_t&, Device& d) { d.registers[STROBE_REG_ID] ^= 1; },
                STROBE_STATUS_NO_DEVICE},
        Refusal{"AnotherMajorVersion",
                [](strobe_boot_block_t&, Device& d) {
                  d.registers[STROBE_REG_ID] += uint64_t{1} << STROBE_ID_MAJOR_SHIFT;
                },
                STROBE_STATUS_NO_DEVICE},
        Refusal{"MoreSelectorsThanThereAre",
                [](strobe_boot_block_t& b, Device&) { b.selector_count = 5; },
                STROBE_STATUS_BAD_CAPABILITY},
        Refusal{"APeriodBeyondTheCounters", [](strobe_boot_block_t& b, Device&) { b.period = 257; },
                STROBE_STATUS_BAD_CAPABILITY},
        Refusal{"APeriodOfZero", [](strobe_boot_block_t& b, Device&) { b.period = 0; },
                STROBE_STATUS_BAD_CAPABILITY},
        Refusal{"ACountdownFromBeyondTheCounters",
                [](strobe_boot_block_t& b, Device& d) {
                  d.registers[STROBE_REG_CAP1] |= kStratified;
                  d.registers[STROBE_REG_CAP2] = kCountdown;
                  b.period = 129;
                },
                STROBE_STATUS_BAD_CAPABILITY},
        Refusal{"AWatermarkTheBufferNeverReaches",
                [](strobe_boot_block_t& b, Device&) { b.watermark = 257; },
                STROBE_STATUS_BAD_CAPABILITY},
        Refusal{"AnotherBootBlock", [](strobe_boot_block_t& b, Device&) { b.magic += 1; },
                STROBE_STATUS_BAD_BOOT_BLOCK}),
    [](const auto& refusal) { return refusal.param.name; });

TEST_F(FirmwareTest, AnExceptionOfTheProgramIsReportedWithCausePcAndAddress) {
  const uint32_t load = 0x0002b303;  // ld t1, 0(t0), t0 = 0
  memory_.write(kProgram, &load, sizeof load);
  ASSERT_EQ(start(), StopReason::kHalted);
  strobe_boot_block_t boot = boot_block();
  EXPECT_EQ(boot.status, uint64_t{STROBE_STATUS_FATAL});
  EXPECT_EQ(boot.fatal_cause, static_cast<uint64_t>(isa::Cause::kLoadFault));
  EXPECT_EQ(boot.fatal_epc, kProgram);
  EXPECT_EQ(boot.fatal_tval, 0u);
  EXPECT_THAT(device_.host_stores,
              ElementsAre(std::make_pair(uint64_t{STROBE_HOST_FATAL},
                                         static_cast<uint64_t>(isa::Cause::kLoadFault))));
}

}  // namespace
}  // namespace strobe::guest
