// Exceptions, interrupts and returns: causes, mepc, mtval, mstatus, modes, priorities.
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/isa/machine.h"

namespace strobe::isa {
namespace {

struct Trapping {
  const char* name;
  std::vector<uint32_t> code;
  bool user;
  Cause cause;
  uint64_t tval;
};

class EachException : public testing::TestWithParam<Trapping> {};

TEST_P(EachException, IsPreciseAndEntersTheHandler) {
  const Trapping& t = GetParam();
  Machine m;
  m.x(5) = kData;
  m.x(6) = kUnmapped;
  m.x(7) = STROBE_PROFILER_BASE;
  m.x(8) = kHandler;
  m.environment.ecall_result = EcallResult::kTrap;
  m.environment.device_answers = false;
  m.user();
  if (!t.user) m.hart.state().mode = PrivilegeMode::kMachine;
  m.hart.state().mstatus |= kMstatusMie;
  for (size_t i = 0; i < t.code.size(); ++i) m.place(kCode + 4 * i, {t.code[i]});
  const HartState before = m.hart.state();

  ASSERT_EQ(m.step(), StepStatus::kTrapped);
  const HartState& s = m.hart.state();
  EXPECT_EQ(m.hart.cause(), t.cause) << cause_name(m.hart.cause());
  EXPECT_EQ(s.mcause, static_cast<uint64_t>(t.cause));
  EXPECT_EQ(s.mtval, t.tval);
  EXPECT_EQ(s.mepc, kCode);
  EXPECT_EQ(s.pc, kHandler);
  EXPECT_EQ(s.mode, PrivilegeMode::kMachine);
  EXPECT_EQ(s.mstatus & kMstatusMpp, t.user ? 0 : kMstatusMpp);
  EXPECT_EQ(s.mstatus & kMstatusMie, 0u);
  EXPECT_NE(s.mstatus & kMstatusMpie, 0u);
  EXPECT_EQ(std::memcmp(s.x, before.x, sizeof s.x), 0);
  EXPECT_EQ(m.hart.instructions(), 0u);
  EXPECT_EQ(m.record.trap, 1);
  EXPECT_EQ(m.record.itype, IType::kException);
  EXPECT_EQ(m.record.pc_wdata, kHandler);
  EXPECT_EQ(m.record.mem_rmask | m.record.mem_wmask | m.record.rd_addr, 0);

  // The same with run(): nothing else may happen before the trap.
  m.hart.state() = before;
  EXPECT_EQ(m.hart.run(1), StopReason::kBudget);
  EXPECT_EQ(m.hart.state().mcause, static_cast<uint64_t>(t.cause));
  EXPECT_EQ(m.hart.state().mtval, t.tval);

  // Without a handler the state stays as it was.
  m.hart.state() = before;
  m.hart.state().mtvec = 0;
  EXPECT_EQ(m.hart.run(10), StopReason::kUnhandledTrap);
  EXPECT_EQ(m.hart.state().pc, kCode);
  EXPECT_EQ(m.hart.cause(), t.cause);
  EXPECT_EQ(m.hart.tval(), t.tval);
}

const Trapping kExceptions[] = {
    {"IllegalWord", {0xffffffff}, true, Cause::kIllegalInstruction, 0xffffffff},
    {"IllegalHalfword", {0x00000000}, true, Cause::kIllegalInstruction, 0},
    {"ReservedRoundingMode",
     {encode(Op::kFaddD, Fields{1, 2, 3, 0, 0, 5})},
     true,
     Cause::kIllegalInstruction,
     encode(Op::kFaddD, Fields{1, 2, 3, 0, 0, 5})},
    {"Ebreak", {encode(Op::kEbreak)}, true, Cause::kBreakpoint, kCode},
    {"EcallFromUser", {encode(Op::kEcall)}, true, Cause::kEcallFromUser, 0},
    {"EcallFromMachine", {encode(Op::kEcall)}, false, Cause::kEcallFromMachine, 0},
    {"LoadUnmapped",
     {encode(Op::kLw, Fields{1, 6, 0, 0, 4, 0})},
     true,
     Cause::kLoadFault,
     kUnmapped + 4},
    {"LoadBeyondTheWindow",
     {encode(Op::kLd, Fields{1, 0, 0, 0, -8, 0})},
     true,
     Cause::kLoadFault,
     ~uint64_t{7}},
    {"UserLoadOfMachineMemory",
     {encode(Op::kLb, Fields{1, 8, 0, 0, 0, 0})},
     true,
     Cause::kLoadFault,
     kHandler},
    {"StoreUnmapped",
     {encode(Op::kSd, Fields{0, 6, 5, 0, 0, 0})},
     true,
     Cause::kStoreFault,
     kUnmapped},
    {"StoreToReadOnly",
     {encode(Op::kSb, Fields{0, 8, 5, 0, 1, 0})},
     false,
     Cause::kStoreFault,
     kHandler + 1},
    {"UserStoreToDevice",
     {encode(Op::kSw, Fields{0, 7, 5, 0, 0, 0})},
     true,
     Cause::kStoreFault,
     STROBE_PROFILER_BASE},
    {"UserLoadFromDevice",
     {encode(Op::kLw, Fields{1, 7, 0, 0, 0, 0})},
     true,
     Cause::kLoadFault,
     STROBE_PROFILER_BASE},
    {"DeviceThatRefusesALoad",
     {encode(Op::kLw, Fields{1, 7, 0, 0, 0, 0})},
     false,
     Cause::kLoadFault,
     STROBE_PROFILER_BASE},
    {"DeviceThatRefusesAStore",
     {encode(Op::kSw, Fields{0, 7, 1, 0, 0, 0})},
     false,
     Cause::kStoreFault,
     STROBE_PROFILER_BASE},
    {"MisalignedDeviceStore",
     {encode(Op::kSw, Fields{0, 7, 1, 0, 2, 0})},
     false,
     Cause::kStoreFault,
     STROBE_PROFILER_BASE + 2},
    {"UserMret", {encode(Op::kMret)}, true, Cause::kIllegalInstruction, 0x30200073},
};

INSTANTIATE_TEST_SUITE_P(Traps, EachException, testing::ValuesIn(kExceptions),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(Traps, FetchOfAPageWithoutPermissionFaultsAtTheTarget) {
  Machine m;
  m.user();
  m.x(6) = kUnmapped;
  m.code({encode(Op::kJalr, Fields{1, 6, 0, 0, 2, 0})});
  EXPECT_EQ(m.step(), StepStatus::kRetired);
  EXPECT_EQ(m.step(), StepStatus::kTrapped);
  EXPECT_EQ(m.hart.cause(), Cause::kFetchFault);
  EXPECT_EQ(m.hart.state().mepc, kUnmapped + 2);
  EXPECT_EQ(m.hart.state().mtval, kUnmapped + 2);
}

TEST(Traps, AnInstructionAcrossAPageEndFaultsAtItsSecondHalf) {
  Machine m;
  m.user();
  m.hart.state().pc = kCode + 0x1ffe;
  m.place(kCode + 0x1ffe, {encode(Op::kAddi, Fields{1, 0, 0, 0, 1, 0})});
  EXPECT_EQ(m.hart.peek(kCode + 0x1ffe), nullptr);
  EXPECT_EQ(m.hart.run(1), StopReason::kBudget);
  EXPECT_EQ(m.hart.cause(), Cause::kFetchFault);
  EXPECT_EQ(m.hart.state().mepc, kCode + 0x1ffe);
  EXPECT_EQ(m.hart.state().mtval, kCode + 0x2000);
}

TEST(Traps, FloatingPointIsIllegalWhileFsIsOff) {
  for (uint32_t insn :
       {encode(Op::kFaddS), encode(Op::kFld, Fields{1, 5, 0, 0, 0, 0}),
        encode(Op::kFsw, Fields{0, 5, 1, 0, 0, 0}), csr_insn(Op::kCsrrs, 1, kCsrFcsr, 0)}) {
    Machine m;
    m.user();
    m.x(5) = kData;
    m.hart.state().mstatus &= ~kMstatusFs;
    m.code({insn});
    EXPECT_EQ(m.step(), StepStatus::kTrapped) << std::hex << insn;
    EXPECT_EQ(m.hart.cause(), Cause::kIllegalInstruction);
  }
}

TEST(Traps, AReservedDynamicRoundingModeIsIllegal) {
  Machine m;
  m.user();
  m.hart.state().fcsr = 5 << 5;
  m.code({encode(Op::kFaddS, Fields{1, 2, 3, 0, 0, 7})});
  EXPECT_EQ(m.step(), StepStatus::kTrapped);
  EXPECT_EQ(m.hart.cause(), Cause::kIllegalInstruction);
}

TEST(Traps, MretRestoresModeAndInterruptEnable) {
  Machine m;
  m.hart.state().mepc = kCode + 64;
  m.hart.state().mstatus = kMstatusMpie | kMstatusMprv;  // MPP = U
  m.code({encode(Op::kMret)});
  EXPECT_EQ(m.step(), StepStatus::kRetired);
  EXPECT_EQ(m.record.itype, IType::kTrapReturn);
  EXPECT_EQ(m.hart.state().pc, kCode + 64);
  EXPECT_EQ(m.hart.state().mode, PrivilegeMode::kUser);
  EXPECT_EQ(m.hart.state().mstatus, kMstatusMie | kMstatusMpie);
}

TEST(Traps, AHandledEcallResumesBehindItAndCounts) {
  Machine m;
  m.user();
  m.environment.ecall_result = EcallResult::kResume;
  m.code({encode(Op::kEcall), encode(Op::kAddi, Fields{11, 10, 0, 0, 1, 0})});
  EXPECT_EQ(m.hart.run(2), StopReason::kBudget);
  EXPECT_EQ(m.x(11), 78u);
  EXPECT_EQ(m.hart.user_instructions(), 2u);
}

TEST(Traps, AStoppingEcallKeepsThePcAndIsNotCounted) {
  Machine m;
  m.user();
  m.code({encode(Op::kEcall)});
  EXPECT_EQ(m.hart.run(5), StopReason::kEcallStop);
  EXPECT_EQ(m.hart.state().pc, kCode);
  EXPECT_EQ(m.hart.instructions(), 0u);
}

TEST(Interrupts, ArePendingOnlyWhenEnabledForTheMode) {
  Machine m;
  m.hart.set_interrupt(Interrupt::kProfiler, true);
  EXPECT_TRUE(m.hart.interrupt_level(Interrupt::kProfiler));
  EXPECT_FALSE(m.hart.interrupt_pending());
  m.hart.state().mie = 1u << 16;
  EXPECT_FALSE(m.hart.interrupt_pending()) << "M-mode with MIE clear";
  m.hart.state().mode = PrivilegeMode::kUser;
  EXPECT_TRUE(m.hart.interrupt_pending()) << "U-mode does not look at MIE";
  m.hart.state().mode = PrivilegeMode::kMachine;
  m.hart.state().mstatus |= kMstatusMie;
  EXPECT_TRUE(m.hart.interrupt_pending());
  m.hart.set_interrupt(Interrupt::kProfiler, false);
  EXPECT_FALSE(m.hart.interrupt_pending());
}

TEST(Interrupts, AreTakenInPriorityOrderProfilerExternalSoftwareTimer) {
  Machine m;
  m.user();
  m.hart.state().mie = kInterruptLines;
  for (Interrupt line : {Interrupt::kMachineTimer, Interrupt::kMachineSoftware,
                         Interrupt::kMachineExternal, Interrupt::kProfiler}) {
    m.hart.set_interrupt(line, true);
  }
  for (unsigned expected : {16u, 11u, 3u, 7u}) {
    m.hart.state().mode = PrivilegeMode::kUser;
    m.hart.state().pc = kCode;
    m.hart.take_interrupt();
    EXPECT_EQ(m.hart.state().mcause, uint64_t{1} << 63 | expected);
    EXPECT_EQ(m.hart.state().mepc, kCode);
    EXPECT_EQ(m.hart.state().mtval, 0u);
    EXPECT_EQ(m.hart.state().pc, kHandler);
    m.hart.set_interrupt(static_cast<Interrupt>(expected), false);
  }
}

TEST(Interrupts, VectoredModeJumpsByNumberAndExceptionsDoNot) {
  Machine m;
  m.user();
  m.hart.state().mtvec = kHandler | 1;
  m.hart.state().mie = 1u << 7;
  m.hart.set_interrupt(Interrupt::kMachineTimer, true);
  m.hart.take_interrupt();
  EXPECT_EQ(m.hart.state().pc, kHandler + 4 * 7);
  m.hart.state().pc = kCode;
  m.code({encode(Op::kEbreak)});
  EXPECT_EQ(m.step(), StepStatus::kTrapped);
  EXPECT_EQ(m.hart.state().pc, kHandler);
}

TEST(Interrupts, RunTakesThemAtOnceAndTheRecordSaysSo) {
  Machine m;
  m.user();
  m.code({encode(Op::kAddi, Fields{1, 1, 0, 0, 1, 0})});
  m.place(kHandler, {encode(Op::kAddi, Fields{2, 0, 0, 0, 9, 0}),
                     encode(Op::kAddi, Fields{3, 0, 0, 0, 9, 0})});
  m.hart.state().mie = 1u << 16;
  m.hart.set_interrupt(Interrupt::kProfiler, true);
  EXPECT_TRUE(m.hart.interrupt_pending());
  m.hart.take_interrupt();
  EXPECT_EQ(m.step(), StepStatus::kRetired);
  EXPECT_EQ(m.record.intr, 1);
  EXPECT_EQ(m.step(), StepStatus::kRetired);
  EXPECT_EQ(m.record.intr, 0);

  m.hart.state().mode = PrivilegeMode::kUser;
  m.hart.state().pc = kCode;
  m.x(2) = 0;
  EXPECT_EQ(m.hart.run(1), StopReason::kBudget);
  EXPECT_EQ(m.x(2), 9u);
  EXPECT_EQ(m.hart.state().mepc, kCode);
}

TEST(Wfi, WaitsOnlyWhenNoEnabledInterruptIsPending) {
  Machine m;
  m.code({encode(Op::kWfi), encode(Op::kWfi)});
  EXPECT_EQ(m.hart.run(10), StopReason::kWfi);
  EXPECT_EQ(m.hart.state().pc, kCode + 4) << "it has retired";
  EXPECT_EQ(m.hart.instructions(), 1u);
  m.hart.state().mie = 1u << 7;  // MIE stays clear: wfi resumes without taking it
  m.hart.set_interrupt(Interrupt::kMachineTimer, true);
  EXPECT_EQ(m.hart.run(1), StopReason::kBudget);
  EXPECT_EQ(m.hart.state().pc, kCode + 8);
}

TEST(Wfi, IsIllegalInUserModeWithTw) {
  Machine m;
  m.user();
  m.hart.state().mstatus |= kMstatusTw;
  m.code({encode(Op::kWfi)});
  EXPECT_EQ(m.step(), StepStatus::kTrapped);
  EXPECT_EQ(m.hart.cause(), Cause::kIllegalInstruction);
}

}  // namespace
}  // namespace strobe::isa
