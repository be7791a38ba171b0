// The programmable counters of a hart: events, inhibition, mode filters, overflow interrupt.
#include <gtest/gtest.h>

#include <map>

#include "tests/unit/isa/machine.h"

namespace strobe::isa {
namespace {

constexpr uint32_t kCounter = kCsrMhpmcounter3, kEvent = kCsrMhpmevent3;
constexpr uint64_t kCycles = static_cast<uint64_t>(HpmEvent::kCycles);
constexpr uint64_t kInstructions = static_cast<uint64_t>(HpmEvent::kInstructions);
constexpr uint64_t kMispredictions = static_cast<uint64_t>(HpmEvent::kBranchMispredictions);

class World : public TestEnvironment {
 public:
  uint64_t event_count(HpmEvent event) override { return counts[event]; }
  std::map<HpmEvent, uint64_t> counts;
};

/// A hart in M-mode; write() and read() each execute one instruction at kCode.
class CountingHart {
 public:
  CountingHart() : hart(memory, world) {
    memory.protect(kCode, 0x2000, 5, 7);
    memory.protect(kHandler, 0x1000, 5, 7);
    hart.state().mtvec = kHandler;
    const uint32_t forever = 0x0000006f;  // j .
    memory.write(kHandler, &forever, 4);
  }
  StepStatus execute(uint32_t insn) {
    hart.state().pc = kCode;
    memory.write(kCode, &insn, 4);
    return hart.step(record, true);
  }
  void write(uint32_t number, uint64_t value) {
    hart.state().x[5] = value;
    EXPECT_EQ(execute(csr_insn(Op::kCsrrw, 0, number, 5)), StepStatus::kRetired);
  }
  uint64_t read(uint32_t number) {
    EXPECT_EQ(execute(csr_insn(Op::kCsrrs, 6, number, 0)), StepStatus::kRetired);
    return hart.state().x[6];
  }
  /// Plain instructions at kCode, and a jump back; pc is at the first.
  void place_loop() {
    hart.state().pc = kCode;
    for (uint64_t at = kCode; at < kCode + 28; at += 4) {
      const uint32_t add = encode(Op::kAddi, Fields{7, 7, 0, 0, 1, 0});
      memory.write(at, &add, 4);
    }
    const uint32_t back = encode(Op::kJal, Fields{0, 0, 0, 0, -28, 0});
    memory.write(kCode + 28, &back, 4);
  }

  GuestMemory memory;
  World world;
  Hart hart;
  RetireRecord record;
};

TEST(HpmCounters, CountTheEventThatMhpmeventNames) {
  CountingHart h;
  h.world.counts[HpmEvent::kBranchMispredictions] = 100;
  h.write(kEvent, kMispredictions);
  h.write(kEvent + 1, static_cast<uint64_t>(HpmEvent::kL1dMisses));
  EXPECT_EQ(h.read(kCounter), 0u) << "what happened before is not counted";
  h.world.counts[HpmEvent::kBranchMispredictions] += 7;
  h.world.counts[HpmEvent::kL1dMisses] += 3;
  EXPECT_EQ(h.read(kCounter), 7u);
  EXPECT_EQ(h.read(kCounter + 1), 3u);
  EXPECT_EQ(h.read(kEvent), kMispredictions);
  h.write(kCounter, 50);
  h.world.counts[HpmEvent::kBranchMispredictions] += 2;
  EXPECT_EQ(h.read(kCounter), 52u);
}

TEST(HpmCounters, CountInstructionsAndCyclesAsMinstretAndMcycleDo) {
  CountingHart h;
  h.write(kEvent, kInstructions);
  h.write(kEvent + 1, kCycles);
  h.write(kCounter, 0);
  h.write(kCsrMinstret, 1);
  EXPECT_EQ(h.read(kCounter), 1u) << "the writing instruction does not count";
  EXPECT_EQ(h.read(kCsrMinstret), 2u);
  EXPECT_EQ(h.read(kCounter), 3u);
  EXPECT_EQ(h.read(kCounter + 1), 0u);
  h.world.cycles += 40;
  EXPECT_EQ(h.read(kCounter + 1), 40u);
}

TEST(HpmCounters, OfAnotherHartCountWhatHasCommitted) {
  CountingHart h;
  h.hart.set_event_of(3, kInstructions, 100);
  EXPECT_EQ(h.hart.event_of(3), kInstructions);
  EXPECT_EQ(h.hart.counter_of(3, 100), 0u);
  EXPECT_EQ(h.hart.counter_of(3, 140), 40u);
  h.hart.set_event_of(3, kCycles, 140);
  h.world.cycles += 9;
  EXPECT_EQ(h.hart.counter_of(3, 1000), 49u) << "it keeps its value when the event changes";
}

TEST(HpmCounters, KeepTheirValueWhenTheEventChangesAndStandStillWithoutOne) {
  CountingHart h;
  h.write(kEvent, kCycles);
  h.world.cycles += 9;
  h.write(kEvent, 0);
  h.world.cycles += 9;
  EXPECT_EQ(h.read(kCounter), 9u);
  h.write(kEvent, kMispredictions);
  h.world.counts[HpmEvent::kBranchMispredictions] += 1;
  EXPECT_EQ(h.read(kCounter), 10u);
}

TEST(HpmCounters, ANumberThatIsNoEventReadsAsNone) {
  CountingHart h;
  for (const uint64_t number : {8u, 15u, 30u, 0xffffu}) {
    h.write(kEvent, number);
    EXPECT_EQ(h.read(kEvent), 0u) << number;
  }
  h.write(kEvent, 29);
  EXPECT_EQ(h.read(kEvent), 29u);
  h.write(kEvent, ~uint64_t{0});
  EXPECT_EQ(h.read(kEvent), kHpmEventOverflow | kHpmEventMinh | kHpmEventUinh);
}

TEST(HpmCounters, ThereAreEightAndTheOthersReadAsZero) {
  CountingHart h;
  for (unsigned i = 0; i < 29; ++i) {
    h.write(kEvent + i, kCycles);
    h.write(kCounter + i, 5);
    EXPECT_EQ(h.read(kEvent + i), i < 8 ? kCycles : 0u) << i;
    EXPECT_EQ(h.read(kCounter + i), i < 8 ? 5u : 0u) << i;
    EXPECT_EQ(h.read(kCsrHpmcounter3 + i), i < 8 ? 5u : 0u) << i;
  }
  h.write(kCsrMcounteren, ~uint64_t{0});
  h.write(kCsrMcountinhibit, ~uint64_t{0});
  EXPECT_EQ(h.read(kCsrMcounteren), 0x7ffu);
  EXPECT_EQ(h.read(kCsrMcountinhibit), 0x7fdu);
}

TEST(HpmCounters, StandStillWhileInhibited) {
  CountingHart h;
  h.write(kEvent, kCycles);
  h.write(kEvent + 1, kCycles);
  h.write(kCsrMcountinhibit, 1u << 3);
  h.world.cycles += 10;
  EXPECT_EQ(h.read(kCounter), 0u);
  EXPECT_EQ(h.read(kCounter + 1), 10u);
  h.write(kCsrMcountinhibit, 0);
  h.world.cycles += 5;
  EXPECT_EQ(h.read(kCounter), 5u);
}

TEST(HpmCounters, UserModeReadsThoseThatMcounterenGrants) {
  for (unsigned granted = 3; granted <= 10; ++granted) {
    CountingHart h;
    h.write(kCsrMcounteren, uint64_t{1} << granted);
    for (unsigned number = 3; number <= 31; ++number) {
      h.hart.state().mode = PrivilegeMode::kUser;
      EXPECT_EQ(h.execute(csr_insn(Op::kCsrrs, 6, kCsrCycle + number, 0)),
                number == granted ? StepStatus::kRetired : StepStatus::kTrapped);
    }
    for (const uint32_t machine : {kCounter, kEvent, uint32_t{kCsrScountovf}}) {
      h.hart.state().mode = PrivilegeMode::kUser;
      EXPECT_EQ(h.execute(csr_insn(Op::kCsrrs, 6, machine, 0)), StepStatus::kTrapped);
    }
  }
}

// An instruction that changes the mode belongs to the mode it is executed in.
TEST(HpmCounters, FiltersCountOneModeOnly) {
  CountingHart h;
  h.write(kEvent, kInstructions | kHpmEventMinh);
  h.write(kEvent + 1, kInstructions | kHpmEventUinh);
  h.write(kEvent + 2, kInstructions);
  h.hart.state().mepc = kCode;
  h.hart.state().mstatus = 0;  // MPP: U-mode
  h.write(kCounter, 0);
  h.write(kCounter + 1, 0);  // from here on 2 writes and mret in M-mode
  h.write(kCounter + 2, 0);
  h.hart.state().pc = kCode + 64;
  const uint32_t mret = 0x30200073;
  h.memory.write(kCode + 64, &mret, 4);
  ASSERT_EQ(h.hart.step(h.record, true), StepStatus::kRetired);
  ASSERT_EQ(h.hart.state().mode, PrivilegeMode::kUser);
  h.place_loop();
  ASSERT_EQ(h.hart.run(20), StopReason::kBudget);
  h.hart.state().mode = PrivilegeMode::kUser;
  h.world.ecall_result = EcallResult::kTrap;
  ASSERT_EQ(h.execute(0x00000073), StepStatus::kTrapped);  // ecall, which does not retire
  EXPECT_EQ(h.read(kCounter), 20u);
  EXPECT_EQ(h.read(kCounter + 1), 2u + 1u) << "write, mret, and the read before";
  EXPECT_EQ(h.read(kCounter + 2), 1u + 20u + 2u);
}

struct Overflow : testing::TestWithParam<uint64_t> {};

TEST_P(Overflow, InterruptsAfterExactlySoManyInstructions) {
  CountingHart h;
  h.write(kEvent, kInstructions);
  h.write(kCsrMie, kCounterOverflowPending);
  h.write(kCsrMstatus, kMstatusMie);
  h.write(kCounter, -GetParam());
  h.place_loop();
  const uint64_t before = h.hart.instructions();
  EXPECT_EQ(h.hart.run(GetParam()), StopReason::kBudget);
  EXPECT_NE(h.hart.state().pc, kHandler) << "the budget ends before the interrupt is taken";
  EXPECT_EQ(h.hart.run(1), StopReason::kBudget);
  EXPECT_EQ(h.hart.instructions(), before + GetParam() + 1);
  EXPECT_EQ(h.hart.state().pc, kHandler);
  EXPECT_EQ(h.hart.state().mcause, uint64_t{1} << 63 | 13);
  EXPECT_EQ(h.hart.state().mepc, kCode + GetParam() % 8 * 4);
}
INSTANTIATE_TEST_SUITE_P(Of, Overflow, testing::Values(1, 2, 7, 8, 9, 1000, 12345));

TEST(HpmCounters, AnOverflowSetsOfOnceAndTheInterruptUntilSoftwareClearsIt) {
  CountingHart h;
  h.write(kEvent, kMispredictions);
  h.write(kCounter, ~uint64_t{0});
  EXPECT_EQ(h.read(kCsrMip), 0u);
  h.world.counts[HpmEvent::kBranchMispredictions] += 3;
  EXPECT_EQ(h.read(kCounter), 2u) << "it goes on from zero";
  EXPECT_EQ(h.read(kEvent), kMispredictions | kHpmEventOverflow);
  EXPECT_EQ(h.read(kCsrScountovf), 1u << 3);
  EXPECT_EQ(h.read(kCsrMip), kCounterOverflowPending);
  h.write(kCsrMip, 0);
  EXPECT_EQ(h.read(kCsrMip), 0u);

  h.write(kCounter, ~uint64_t{0});  // OF is still set: no interrupt
  h.world.counts[HpmEvent::kBranchMispredictions] += 1;
  EXPECT_EQ(h.read(kCounter), 0u);
  EXPECT_EQ(h.read(kCsrMip), 0u);

  h.write(kEvent, kMispredictions);  // OF cleared
  h.write(kCounter, ~uint64_t{0});
  h.world.counts[HpmEvent::kBranchMispredictions] += 1;
  h.hart.poll_counters();
  EXPECT_EQ(h.hart.state().mip, kCounterOverflowPending);
}

TEST(HpmCounters, ACounterIsNoLongerDueWhenItIsWrittenOrInhibited) {
  CountingHart h;
  h.write(kEvent, kCycles);
  h.write(kCounter, ~uint64_t{0});
  h.write(kCounter, 0);
  h.world.cycles += 100;
  h.hart.poll_counters();
  EXPECT_EQ(h.hart.state().mip, 0u);
  h.write(kCounter, ~uint64_t{0});
  h.write(kCsrMcountinhibit, 1u << 3);
  h.world.cycles += 100;
  h.hart.poll_counters();
  EXPECT_EQ(h.hart.state().mip, 0u);
  EXPECT_EQ(h.read(kCounter), ~uint64_t{0});
}

}  // namespace
}  // namespace strobe::isa
