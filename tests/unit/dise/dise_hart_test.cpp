// A hart executes the decode engine's replacement sequences. One file of more than 400 lines,
// because every test is a sentence of the same page (docs/blocks/dise.md) on the same small
// machine.
#include <gtest/gtest.h>

#include <sstream>

#include "sc_models/isa/hart/dise.h"
#include "sc_models/isa/hart/hart_run.h"
#include "tests/unit/dise/edited_machine.h"

namespace strobe::isa {
namespace {

using profiling::dcall;
using profiling::dise_branch;
using profiling::kBranches;
using profiling::kCalls;
using profiling::kMemory;
using profiling::plain;
using profiling::random_branch;
using profiling::the_trigger;
using profiling::value_load;

constexpr uint16_t kLoads = class_bit(OpClass::kLoad);
constexpr uint16_t kStores = class_bit(OpClass::kStore);

uint32_t addi(unsigned rd, unsigned rs1, int imm) {
  return encode(Op::kAddi, {rd, rs1, 0, 0, imm, 0});
}
uint32_t ld(unsigned rd, unsigned rs1, int imm = 0) {
  return encode(Op::kLd, {rd, rs1, 0, 0, imm, 0});
}
uint32_t sd(unsigned rs2, unsigned rs1, int imm = 0) {
  return encode(Op::kSd, {0, rs1, rs2, 0, imm, 0});
}
// d<number> = d<number> + 1
uint64_t count(unsigned number) { return plain(addi(number, number, 1), From::kDise, From::kDise); }

// Loads, of which those that a branch-on-random takes are counted in d2.
void count_at_random(EditedMachine& m, unsigned code) {
  m.replace(kLoads, {random_branch(code, 2), the_trigger() | profiling::kLastEntry, count(2),
                     the_trigger()});
}

TEST(EditedHart, TakesARandomBranchWhereItsBitsSaySo) {
  for (const unsigned code : {0u, 2u, 6u}) {
    EditedMachine m;
    m.code(
        {ld(6, 10), ld(6, 10), ld(6, 10), ld(6, 10), ld(6, 10), ld(6, 10), ld(6, 10), ld(6, 10)});
    m.x(10) = kData;
    count_at_random(m, code);
    m.hart.write_engine(kDiseRandom, 0x2d318);  // 1/128 is taken at once
    BranchOnRandom expected;
    expected.load(0x2d318);
    unsigned taken = 0;
    for (int load = 0; load < 8; ++load) taken += expected.draw(code) ? 1 : 0;
    m.run_to(kCode + 32);
    EXPECT_EQ(m.d(2), taken) << code;
    EXPECT_GE(taken, 1u) << code;
    EXPECT_EQ(m.hart.state().random.state(), expected.state());
    EXPECT_EQ(m.hart.instructions(), 8u);
  }
}

TEST(EditedHart, ATrapWithinARandomBranchsSequenceDrawsNoMore) {
  EditedMachine m;
  m.code({ld(6, 10)});
  m.x(10) = kData | uint64_t{1} << 40;  // the load faults
  m.hart.state().mtvec = kHandler;
  count_at_random(m, 0);
  BranchOnRandom expected;
  expected.draw(0);
  for (int i = 0; i < 10 && m.hart.state().mode == PrivilegeMode::kUser; ++i) m.step();
  EXPECT_EQ(m.hart.state().mode, PrivilegeMode::kMachine);
  EXPECT_NE(m.hart.state().dise.mdisepc, 0u);
  EXPECT_EQ(m.hart.state().random.state(), expected.state());
}

TEST(EditedHart, ExecutesTheSequenceInPlaceOfTheTrigger) {
  EditedMachine m;
  m.code({addi(5, 0, 1), ld(6, 10), addi(7, 0, 3)});
  const uint64_t value = 0x55;
  m.memory.write(kData, &value, sizeof value);
  m.x(10) = kData;
  m.replace(kLoads, {count(2), value_load(3, 0), the_trigger(), count(2)});
  const auto records = m.run_to(kCode + 12);
  EXPECT_EQ(m.x(6), 0x55u);
  EXPECT_EQ(m.x(7), 3u);
  EXPECT_EQ(m.d(2), 2u);
  EXPECT_EQ(m.d(3), kCode + 4);
  ASSERT_EQ(records.size(), 6u);
  const unsigned injected[] = {0, 1, 1, 0, 1, 0};
  for (unsigned i = 0; i < 6; ++i) {
    EXPECT_EQ(records[i].injected, injected[i]) << i;
    EXPECT_EQ(records[i].pc_rdata, kCode + (i == 0 ? 0 : i == 5 ? 8 : 4)) << i;
  }
  EXPECT_EQ(records[3].insn, ld(6, 10));
  EXPECT_EQ(records[1].rd_addr, 0);
  EXPECT_EQ(records[4].pc_wdata, kCode + 8);
  EXPECT_EQ(m.hart.instructions(), 3u);
  EXPECT_EQ(m.hart.user_instructions(), 3u);
}

TEST(EditedHart, NullProductionsInjectNothing) {
  EditedMachine m;
  m.code({ld(6, 10), ld(7, 10), addi(5, 0, 1)});
  m.x(10) = kData;
  write_pattern(m.engine, 0,
                profiling::production(kLoads, profiling::kAlways,
                                      profiling::on_counter(1, profiling::CounterOp::kIncrement)));
  m.enable();
  const auto records = m.run_to(kCode + 12);
  EXPECT_EQ(records.size(), 3u);
  EXPECT_EQ(m.engine.state().counter[0], 2u);
}

TEST(EditedHart, SeesItsOwnModeOnly) {
  EditedMachine m;
  m.code({ld(6, 10), addi(5, 0, 1)});
  m.x(10) = kData;
  m.replace(kLoads, {count(0), the_trigger()});
  m.hart.state().mode = PrivilegeMode::kMachine;
  m.step();
  m.step();
  EXPECT_EQ(m.hart.state().pc, kCode + 8);
  EXPECT_EQ(m.d(0), 0u);
}

TEST(EditedHart, TheFastPathDoesTheSame) {
  EditedMachine m;
  m.code({addi(5, 5, 1), ld(6, 10), encode(Op::kBne, {0, 5, 11, 0, -8, 0}), addi(7, 0, 3),
          encode(Op::kEcall)});
  m.x(10) = kData;
  m.x(11) = 100;
  m.replace(kLoads, {count(2), the_trigger()});
  EXPECT_EQ(m.hart.run(100000), StopReason::kEcallStop);
  EXPECT_EQ(m.x(5), 100u);
  EXPECT_EQ(m.d(2), 100u);
  EXPECT_EQ(m.hart.instructions(), 301u);
}

TEST(EditedHart, ACompressedTriggerKeepsItsLength) {
  EditedMachine m;
  constexpr uint32_t kCompressedLoad = 0x6110;  // c.ld a2, 0(a0)
  m.code({kCompressedLoad, 0x0001, addi(5, 0, 1)});
  m.x(10) = kData;
  m.replace(kLoads, {value_load(0, 1), the_trigger(), count(1)});
  const auto records = m.run_to(kCode + 2);
  EXPECT_EQ(m.d(0), kCode + 2);
  EXPECT_EQ(m.d(1), 1u);
  for (const RetireRecord& record : records) EXPECT_EQ(record.length, 2);
}

TEST(EditedHart, ATakenTriggerEndsItsSequence) {
  EditedMachine m;
  m.code({encode(Op::kBeq, {0, 5, 0, 0, 8, 0}), addi(6, 6, 1), addi(7, 7, 1)});
  m.replace(kBranches, {count(0), the_trigger(), count(1)});
  m.run_to(kCode + 8);
  EXPECT_EQ(m.d(0), 1u);
  EXPECT_EQ(m.d(1), 0u);
  m.hart.state().pc = kCode;
  m.x(5) = 1;
  m.run_to(kCode + 4);
  EXPECT_EQ(m.d(0), 2u);
  EXPECT_EQ(m.d(1), 1u);
}

TEST(EditedHart, ACallLinksToWhatIsBehindTheTrigger) {
  EditedMachine m;
  m.code({encode(Op::kJal, {1, 0, 0, 0, 0x40, 0})});
  m.replace(kCalls, {count(0), the_trigger()});
  m.run_to(kCode + 0x40);
  EXPECT_EQ(m.x(1), kCode + 4);
}

TEST(EditedHart, TheTriggersRegistersCanBeReplaced) {
  EditedMachine m;
  m.code({sd(6, 10, 8)});
  m.x(6) = 77;
  m.x(10) = kUnmapped;
  m.d(4) = kData;
  const uint64_t with_d4 =
      profiling::entry(ReplacementKind::kTrigger, 4u << 15, From::kTemplate, From::kDise);
  m.replace(kStores, {with_d4});
  const auto records = m.run_to(kCode + 4);
  EXPECT_EQ(m.read<uint64_t>(kData + 8), 77u);
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].injected, 0);
  EXPECT_EQ(m.hart.instructions(), 1u);
}

TEST(EditedHart, DiseBranchesStayInTheSequence) {
  // d0 counts; only when it differs from d1 does the second count happen.
  for (const uint64_t other : {uint64_t{1}, uint64_t{5}}) {
    EditedMachine m;
    m.code({ld(6, 10)});
    m.x(10) = kData;
    m.d(1) = other;
    const uint32_t bne = encode(Op::kBne, {0, 0, 1, 0, 0, 0});
    m.replace(kLoads, {count(0), dise_branch(bne, 3), the_trigger() | profiling::kLastEntry,
                       count(2), the_trigger()});
    m.run_to(kCode + 4);
    EXPECT_EQ(m.d(2), other == 1 ? 0u : 1u);
    EXPECT_EQ(m.hart.instructions(), 1u);
  }
}

TEST(EditedHart, AHandlerRunsInMachineModeAndReturnsIntoTheSequence) {
  EditedMachine m;
  m.code({ld(6, 10), addi(5, 0, 1)});
  // t0 through d7; d1 += 5 by CSR; a load that is not looked up.
  m.place(kHandler + 0x100, {csr_insn(Op::kCsrrw, 5, kCsrDise0 + 7, 5), read_dise(5, 1),
                             addi(5, 5, 5), csr_insn(Op::kCsrrw, 0, kCsrDise0 + 1, 5), ld(5, 10),
                             csr_insn(Op::kCsrrw, 5, kCsrDise0 + 7, 5), kDret});
  m.x(10) = kData;
  m.x(5) = 99;
  m.replace(kLoads, {count(0), dcall(kHandler + 0x100), count(2), the_trigger()});
  const auto records = m.run_to(kCode + 4);
  EXPECT_EQ(m.x(5), 99u);
  EXPECT_EQ(m.d(0), 1u);
  EXPECT_EQ(m.d(1), 5u);
  EXPECT_EQ(m.d(2), 1u);
  EXPECT_EQ(m.hart.user_instructions(), 1u);
  EXPECT_EQ(m.hart.instructions(), 8u);
  ASSERT_EQ(records.size(), 11u);
  EXPECT_EQ(records[1].injected, 1);
  EXPECT_EQ(records[1].pc_wdata, kHandler + 0x100);
  EXPECT_EQ(records[2].mode, PrivilegeMode::kMachine);
  EXPECT_EQ(records[2].injected, 0);
  EXPECT_EQ(records[8].pc_wdata, kCode);
  EXPECT_FALSE(m.hart.state().dise.in_handler);
}

TEST(EditedHart, ADcallAtTheEndReturnsBehindTheTrigger) {
  EditedMachine m;
  m.code({ld(6, 10)});
  m.place(kHandler, {kDret});
  m.x(10) = kData;
  m.replace(kLoads, {the_trigger(), dcall(kHandler)});
  m.run_to(kCode + 4);
  EXPECT_EQ(m.hart.user_instructions(), 1u);
}

// The error of a run whose handler has these instructions before its dret.
std::string error_of_handler(const std::vector<uint32_t>& body) {
  EditedMachine m;
  m.code({ld(6, 10)});
  uint64_t at = kHandler;
  for (const uint32_t insn : body) {
    m.place(at, {insn});
    at += 4;
  }
  m.place(at, {kDret});
  m.x(10) = kData;
  m.x(5) = 99;
  m.replace(kLoads, {dcall(kHandler), the_trigger()});
  try {
    m.run_to(kCode + 4);
  } catch (const HandlerError& error) {
    return error.what();
  }
  return "";
}

TEST(EditedHart, AHandlerThatChangesARegisterIsNamedWithItsCaller) {
  std::ostringstream expected;
  expected << std::hex << "the handler at 0x" << kHandler << ", called at pc 0x" << kCode
           << ", changed x5: expected 0x63, got 0x64; a handler must leave the program's registers "
              "as they were";
  EXPECT_EQ(error_of_handler({addi(5, 5, 1)}), expected.str());
  EXPECT_EQ(error_of_handler({addi(5, 5, 1), addi(5, 5, -1)}), "");
  const uint32_t set_rounding_mode = csr_insn(Op::kCsrrwi, 0, 0x002, 1);
  EXPECT_NE(error_of_handler({set_rounding_mode}).find("changed fcsr: expected 0x0, got 0x20"),
            std::string::npos);
}

TEST(EditedHart, DretOutsideAHandlerIsIllegal) {
  EditedMachine m;
  m.place(kHandler, {kDret});
  m.hart.state().pc = kHandler;
  m.hart.state().mode = PrivilegeMode::kMachine;
  EXPECT_EQ(m.step(), StepStatus::kTrapped);
  EXPECT_EQ(m.hart.cause(), Cause::kIllegalInstruction);
}

TEST(EditedHart, DretInUserModeIsIllegal) {
  EditedMachine m;
  m.code({kDret});
  EXPECT_EQ(m.step(), StepStatus::kTrapped);
  EXPECT_EQ(m.hart.cause(), Cause::kIllegalInstruction);
}

TEST(EditedHart, DiseRegistersAreMachineModeOnly) {
  EditedMachine m;
  m.code({read_dise(5, 0)});
  EXPECT_EQ(m.step(), StepStatus::kTrapped);
  EXPECT_EQ(m.hart.cause(), Cause::kIllegalInstruction);
}

TEST(EditedHart, AnInterruptWaitsForTheHandler) {
  EditedMachine m;
  m.code({ld(6, 10)});
  m.place(kHandler + 0x100, {addi(0, 0, 0), kDret});
  m.x(10) = kData;
  m.replace(kLoads, {dcall(kHandler + 0x100), the_trigger()});
  m.hart.state().mie = 1u << 16;
  m.hart.state().mstatus |= kMstatusMie;
  m.step();
  m.hart.set_interrupt(Interrupt::kProfiler, true);
  EXPECT_FALSE(m.hart.interrupt_pending());
  m.step();
  m.step();  // dret
  EXPECT_TRUE(m.hart.interrupt_pending());
}

// Precise at {pc, mdisepc}: nothing is executed twice, nothing is left out.
TEST(EditedHart, AnInterruptBetweenTwoInstructionsOfASequenceResumesThere) {
  for (unsigned before = 1; before < 4; ++before) {
    SCOPED_TRACE(before);
    EditedMachine m;
    m.code({ld(6, 10), addi(5, 0, 1)});
    m.place(kHandler, {csr_insn(Op::kCsrrs, 28, kCsrMdisepc, 0), encode(Op::kMret)});
    m.x(10) = kData;
    m.replace(kLoads, {count(0), count(1), the_trigger(), count(2)}, 100);
    m.hart.state().mie = 1u << 16;
    for (unsigned i = 0; i < before; ++i) m.step();
    m.hart.set_interrupt(Interrupt::kProfiler, true);
    ASSERT_TRUE(m.hart.interrupt_pending());
    m.hart.take_interrupt();
    m.hart.set_interrupt(Interrupt::kProfiler, false);
    EXPECT_EQ(m.hart.state().mepc, kCode);
    EXPECT_FALSE(m.hart.in_sequence());
    m.run_to(kCode + 4);
    EXPECT_EQ(m.x(28), uint64_t{1} << 63 | (100 + before));
    EXPECT_EQ(m.hart.state().dise.mdisepc, 0u);
    EXPECT_EQ(m.d(0), 1u);
    EXPECT_EQ(m.d(1), 1u);
    EXPECT_EQ(m.d(2), 1u);
    EXPECT_EQ(m.hart.user_instructions(), 1u);
  }
}

TEST(EditedHart, AHandlerThatMovesMepcLeavesTheSequence) {
  EditedMachine m;
  m.code({ld(6, 10), addi(5, 0, 1)});
  m.place(kHandler, {csr_insn(Op::kCsrrw, 0, kCsrMdisepc, 0), csr_insn(Op::kCsrrs, 28, kCsrMepc, 0),
                     addi(28, 28, 4), csr_insn(Op::kCsrrw, 0, kCsrMepc, 28), encode(Op::kMret)});
  m.x(10) = kUnmapped;
  m.replace(kLoads, {count(0), the_trigger(), count(1)});
  m.step();
  EXPECT_EQ(m.step(), StepStatus::kTrapped);
  EXPECT_EQ(m.hart.cause(), Cause::kLoadFault);
  EXPECT_EQ(m.hart.state().dise.mdisepc, uint64_t{1} << 63 | 1);
  m.run_to(kCode + 4);
  m.step();
  EXPECT_EQ(m.x(5), 1u);
  EXPECT_EQ(m.d(1), 0u);
}

TEST(EditedHart, AnInstructionThatWaitsForADrainIsLookedUpOnce) {
  EditedMachine m;
  m.code({encode(Op::kEcall), addi(5, 0, 1)});
  m.environment.ecall_result = EcallResult::kResume;
  write_pattern(m.engine, 0,
                profiling::production(class_bit(OpClass::kSystem), profiling::kAlways,
                                      profiling::on_counter(1, profiling::CounterOp::kIncrement)));
  m.enable();
  for (unsigned i = 0; i < 3; ++i) {
    EXPECT_EQ(m.hart.step(m.record, false), StepStatus::kNeedDrain);
  }
  m.step();
  EXPECT_EQ(m.engine.state().counter[0], 1u);
}

TEST(EditedHart, NothingIsInjectedBetweenAnLrAndItsSc) {
  EditedMachine m;
  const uint32_t lr = encode(Op::kLrD, {5, 10, 0, 0, 0, 0});
  const uint32_t sc = encode(Op::kScD, {6, 10, 7, 0, 0, 0});
  m.code({lr, ld(8, 11), sc, ld(8, 11)});
  m.x(10) = m.x(11) = kData;
  m.replace(kMemory | class_bit(OpClass::kAmo), {count(0), the_trigger(), count(0)});
  m.run_to(kCode + 12);
  EXPECT_EQ(m.d(0), 0u);
  EXPECT_EQ(m.x(6), 0u);
  m.run_to(kCode + 16);
  EXPECT_EQ(m.d(0), 2u);
}

TEST(EditedHart, AnLrWithoutScHoldsBackSixteenInstructions) {
  EditedMachine m;
  m.place(kCode, {encode(Op::kLrD, {5, 10, 0, 0, 0, 0})});
  for (unsigned i = 1; i < 30; ++i) m.place(kCode + 4 * i, {ld(8, 11)});
  m.x(10) = m.x(11) = kData;
  m.replace(kLoads, {count(0), the_trigger()});
  m.run_to(kCode + 4 * 17);
  EXPECT_EQ(m.d(0), 0u);
  m.run_to(kCode + 4 * 18);
  EXPECT_EQ(m.d(0), 1u);
}

TEST(EditedHart, ADiseRegisterWhereTheOperandIsNoIntegerIsIllegal) {
  EditedMachine m;
  m.code({ld(6, 10)});
  m.x(10) = kData;
  m.replace(kLoads, {plain(encode(Op::kFaddD), From::kDise), the_trigger()});
  EXPECT_EQ(m.step(), StepStatus::kTrapped);
  EXPECT_EQ(m.hart.cause(), Cause::kIllegalInstruction);
}

TEST(EditedHart, AChangeOfTheTablesTakesEffectWithTheNextInstruction) {
  EditedMachine m;
  m.code({ld(6, 10), ld(6, 10), ld(6, 10)});
  m.x(10) = kData;
  m.step();
  m.replace(kLoads, {count(0), the_trigger()});
  m.run_to(kCode + 8);
  EXPECT_EQ(m.d(0), 1u);
  m.hart.write_engine(profiling::kDiseCtrl, 0);
  m.run_to(kCode + 12);
  EXPECT_EQ(m.d(0), 1u);
}

}  // namespace
}  // namespace strobe::isa
