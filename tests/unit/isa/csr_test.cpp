// CSR access rules and fields.
#include <gtest/gtest.h>

#include "tests/unit/isa/machine.h"

namespace strobe::isa {
namespace {

// Runs one CSR instruction with x5 as source and x6 as destination.
StepStatus access(Machine& m, Op op, uint32_t number, unsigned source = 5) {
  m.hart.state().pc = kCode;
  m.code({csr_insn(op, 6, number, source)});
  return m.step();
}

TEST(Csr, UnknownNumbersAreIllegal) {
  for (uint32_t number : {0x7c9u, 0x3a0u, 0x180u, 0x5a8u, 0xb01u, 0xc20u}) {
    Machine m;
    m.hart.state().mtvec = kHandler;
    EXPECT_EQ(access(m, Op::kCsrrs, number, 0), StepStatus::kTrapped) << std::hex << number;
    EXPECT_EQ(m.hart.cause(), Cause::kIllegalInstruction);
  }
}

TEST(Csr, ReadOnlyOnesAllowReadsAndRefuseWrites) {
  for (uint32_t number : {kCsrMvendorid, kCsrMhartid, kCsrCycle, kCsrTime, kCsrInstret}) {
    Machine m;
    m.hart.state().mtvec = kHandler;
    EXPECT_EQ(access(m, Op::kCsrrs, number, 0), StepStatus::kRetired);
    EXPECT_EQ(access(m, Op::kCsrrsi, number, 0), StepStatus::kRetired);
    EXPECT_EQ(access(m, Op::kCsrrs, number, 5), StepStatus::kTrapped);
    EXPECT_EQ(access(m, Op::kCsrrwi, number, 0), StepStatus::kTrapped);
    EXPECT_EQ(m.hart.cause(), Cause::kIllegalInstruction);
  }
}

TEST(Csr, UserModeMayNotTouchMachineRegisters) {
  for (uint32_t number : {kCsrMstatus, kCsrMie, kCsrMepc, kCsrMcycle, kCsrMhartid}) {
    Machine m;
    m.user();
    EXPECT_EQ(access(m, Op::kCsrrs, number, 0), StepStatus::kTrapped) << std::hex << number;
    EXPECT_EQ(m.hart.cause(), Cause::kIllegalInstruction);
  }
}

TEST(Csr, CounterenGatesTheCountersOfUserMode) {
  const uint32_t numbers[] = {kCsrCycle, kCsrTime, kCsrInstret};
  for (unsigned bit = 0; bit < 3; ++bit) {
    Machine m;
    m.user();
    m.hart.state().mcounteren = 7u & ~(1u << bit);
    for (unsigned i = 0; i < 3; ++i) {
      m.hart.state().mode = PrivilegeMode::kUser;
      EXPECT_EQ(access(m, Op::kCsrrs, numbers[i], 0),
                i == bit ? StepStatus::kTrapped : StepStatus::kRetired);
    }
  }
}

TEST(Csr, WriteSetAndClearReturnTheOldValue) {
  Machine m;
  m.x(5) = 0xf0;
  EXPECT_EQ(access(m, Op::kCsrrw, kCsrMscratch), StepStatus::kRetired);
  m.x(5) = 0x0f;
  access(m, Op::kCsrrs, kCsrMscratch);
  EXPECT_EQ(m.x(6), 0xf0u);
  m.x(5) = 0x11;
  access(m, Op::kCsrrc, kCsrMscratch);
  EXPECT_EQ(m.x(6), 0xffu);
  EXPECT_EQ(m.record.rd_wdata, 0xffu);
  EXPECT_EQ(m.hart.state().mscratch, 0xeeu);
  access(m, Op::kCsrrwi, kCsrMscratch, 31);
  EXPECT_EQ(m.hart.state().mscratch, 31u);
  access(m, Op::kCsrrci, kCsrMscratch, 1);
  access(m, Op::kCsrrsi, kCsrMscratch, 0);
  EXPECT_EQ(m.x(6), 30u);
}

TEST(Csr, FieldsKeepOnlyLegalValues) {
  Machine m;
  m.x(5) = ~uint64_t{0};
  access(m, Op::kCsrrw, kCsrMie);
  EXPECT_EQ(m.hart.state().mie, 1u << 3 | 1u << 7 | 1u << 11 | 1u << 13 | 1u << 16);
  access(m, Op::kCsrrw, kCsrMip);
  EXPECT_EQ(m.hart.state().mip, 1u << 13) << "the others are levels of inputs";
  access(m, Op::kCsrrw, kCsrMepc);
  EXPECT_EQ(m.hart.state().mepc, ~uint64_t{1});
  access(m, Op::kCsrrw, kCsrMtvec);
  EXPECT_EQ(m.hart.state().mtvec, ~uint64_t{2});
  access(m, Op::kCsrrw, kCsrMcounteren);
  EXPECT_EQ(m.hart.state().mcounteren, 0x7ffu);
  access(m, Op::kCsrrw, kCsrMisa);
  access(m, Op::kCsrrs, kCsrMisa, 0);
  EXPECT_EQ(m.x(6), 0x800000000010112du) << "RV64 with A C D F I M U";
}

TEST(Csr, MstatusHoldsItsFieldsAndDerivesSd) {
  Machine m;
  m.hart.state().mstatus = 0;
  m.x(5) = kMstatusMie | kMstatusMpp | (uint64_t{1} << 13) | (uint64_t{1} << 1) | kMstatusSd;
  access(m, Op::kCsrrw, kCsrMstatus);
  access(m, Op::kCsrrs, kCsrMstatus, 0);
  EXPECT_EQ(m.x(6), kMstatusMie | kMstatusMpp | uint64_t{1} << 13 | kMstatusUxl64);
  m.x(5) = uint64_t{1} << 11;  // MPP = S does not exist: the old value stays
  access(m, Op::kCsrrw, kCsrMstatus);
  EXPECT_EQ(m.hart.state().mstatus, kMstatusMpp);
  m.x(5) = kMstatusFs;
  access(m, Op::kCsrrw, kCsrMstatus);
  access(m, Op::kCsrrs, kCsrMstatus, 0);
  EXPECT_EQ(m.x(6), kMstatusFs | kMstatusUxl64 | kMstatusSd);
}

TEST(Csr, FloatingPointWritesMakeFsDirty) {
  for (uint32_t insn :
       {encode(Op::kFmvDX, Fields{1, 0, 0, 0, 0, 0}), csr_insn(Op::kCsrrwi, 0, kCsrFrm, 1)}) {
    Machine m;
    m.hart.state().mstatus = uint64_t{1} << 13;
    m.code({insn});
    EXPECT_EQ(m.step(), StepStatus::kRetired);
    EXPECT_EQ(m.hart.state().mstatus & kMstatusFs, kMstatusFs);
  }
}

TEST(Csr, FcsrIsFrmAndFflags) {
  Machine m;
  m.x(5) = 0xabcd;
  access(m, Op::kCsrrw, kCsrFcsr);
  EXPECT_EQ(m.hart.state().fcsr, 0xcdu);
  access(m, Op::kCsrrs, kCsrFrm, 0);
  EXPECT_EQ(m.x(6), 6u);
  access(m, Op::kCsrrs, kCsrFflags, 0);
  EXPECT_EQ(m.x(6), 0xdu);
  access(m, Op::kCsrrwi, kCsrFrm, 3);
  EXPECT_EQ(m.hart.state().fcsr, 0x6du);
}

TEST(Counters, MinstretReadsBackWhatWasWritten) {
  Machine m;
  m.x(5) = 500;
  m.code({csr_insn(Op::kCsrrw, 0, kCsrMinstret, 5), csr_insn(Op::kCsrrs, 6, kCsrMinstret, 0),
          csr_insn(Op::kCsrrs, 7, kCsrInstret, 0)});
  EXPECT_EQ(m.hart.run(3), StopReason::kBudget);
  EXPECT_EQ(m.x(6), 500u);
  EXPECT_EQ(m.x(7), 501u);
  EXPECT_EQ(m.hart.instructions(), 3u) << "the run's own count is not a CSR";
}

TEST(Counters, CycleAndTimeComeFromTheEnvironment) {
  Machine m;
  m.x(5) = 10;
  access(m, Op::kCsrrs, kCsrCycle, 0);
  EXPECT_EQ(m.x(6), 1000u);
  access(m, Op::kCsrrs, kCsrTime, 0);
  EXPECT_EQ(m.x(6), 4242u);
  access(m, Op::kCsrrw, kCsrMcycle);
  m.environment.cycles = 1007;
  access(m, Op::kCsrrs, kCsrMcycle, 0);
  EXPECT_EQ(m.x(6), 17u);
}

TEST(Counters, InhibitedOnesStandStill) {
  Machine m;
  m.x(5) = 5;
  access(m, Op::kCsrrw, kCsrMcountinhibit);
  m.environment.cycles = 5000;
  access(m, Op::kCsrrs, kCsrMcycle, 0);
  EXPECT_EQ(m.x(6), 1000u);
  access(m, Op::kCsrrs, kCsrMinstret, 0);
  const uint64_t frozen = m.x(6);
  access(m, Op::kCsrrs, kCsrMinstret, 0);
  EXPECT_EQ(m.x(6), frozen);
  access(m, Op::kCsrrwi, kCsrMcountinhibit, 0);
  m.environment.cycles = 5010;
  access(m, Op::kCsrrs, kCsrMcycle, 0);
  EXPECT_EQ(m.x(6), 1010u);
}

TEST(Counters, AbsentPerformanceCountersReadZero) {
  Machine m;
  m.x(6) = 1;
  EXPECT_EQ(access(m, Op::kCsrrw, 0xb03), StepStatus::kRetired);
  EXPECT_EQ(m.x(6), 0u);
  EXPECT_EQ(access(m, Op::kCsrrs, 0x33f, 0), StepStatus::kRetired);
  EXPECT_EQ(m.x(6), 0u);
}

}  // namespace
}  // namespace strobe::isa
