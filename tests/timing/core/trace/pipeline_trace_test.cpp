// Does the pipeline view show what the pipeline did, and nothing else?
#include "sc_models/core/trace/pipeline_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/timing/core/machine.h"
#include "tests/timing/core/trace/kanata_log.h"

namespace strobe::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr uint64_t kForEver = ~uint64_t{0};

/// Loads and stores, a loop of 20 turns with a branch that is mispredicted at its end, divisions.
std::vector<uint32_t> busy_program() {
  return {addi(3, 0, 20), ld(1, 2, 0),    sd(1, 2, 64), div(4, 3, 1), add(5, 4, 1),
          beq(3, 0, 12),  addi(3, 3, -1), jal(0, -24),  nop(),        nop()};
}

TEST(PipelineTrace, ShowsEachStageInTheCycleTheRulesOfTheCoreSay) {
  core::CoreParams params = plain_core();
  Machine machine(params);
  Recorder recorder;
  machine.pipeline.set_trace(&recorder.trace);
  machine.run({addi(1, 0, 5), add(3, 1, 1)});
  const KanataLog log = recorder.finish();
  const KanataInsn& first = log.labelled("addi x1,x0,5");
  const uint64_t fetched = first.begin("F");
  EXPECT_EQ(first.begin("D") - fetched, params.front_end_stages - 1);
  EXPECT_EQ(first.begin("Rn") - fetched, params.front_end_stages);
  EXPECT_EQ(first.begin("X") - fetched, params.front_end_stages + 1);
  EXPECT_EQ(first.begin("Wb") - fetched, params.front_end_stages + 1 + params.alu.latency);
  EXPECT_EQ(first.begin("Cm"), machine.commit_cycle(0));
  EXPECT_EQ(first.begin("Is"), kForEver) << "it did not wait";
  const KanataInsn& second = log.labelled("add x3,x1,x1");
  EXPECT_EQ(second.begin("Is"), first.begin("X"));
  EXPECT_EQ(second.begin("X"), first.begin("Wb"));
}

TEST(PipelineTrace, DrawsArrowsFromTheProducersAnInstructionWaitsFor) {
  Machine machine(plain_core());
  Recorder recorder;
  machine.pipeline.set_trace(&recorder.trace);
  machine.run({addi(1, 0, 5), addi(2, 0, 6), nop(), mul(3, 1, 2)});
  const KanataLog log = recorder.finish();
  ASSERT_GE(log.insns.size(), 4u);
  EXPECT_THAT(log.insns[3].label, HasSubstr("mul x3,x1,x2"));
  EXPECT_THAT(log.insns[3].producers, ElementsAre(0, 1));
  EXPECT_THAT(log.insns[2].producers, IsEmpty());
}

TEST(PipelineTrace, ALoadIsInMemoryUntilTheCacheAnswers) {
  Machine machine(plain_core());
  machine.hart.state().x[2] = Machine::kData;
  machine.dcache.latency = 37;
  Recorder recorder;
  machine.pipeline.set_trace(&recorder.trace);
  machine.run({ld(1, 2, 8)});
  const KanataLog log = recorder.finish();
  const KanataInsn& load = log.labelled("ld x1,8(x2)");
  EXPECT_EQ(load.begin("Wb") - load.begin("M"), 37u);
}

TEST(PipelineTrace, EveryCommitIsOneRetirementAndTheWrongPathIsFlushed) {
  for (const char* predictor : {"static", "gshare", "perfect"}) {
    core::CoreParams params;
    params.predictor.kind = predictor;
    Machine machine(params);
    machine.hart.state().x[2] = Machine::kData;
    machine.dcache.latency = 9;
    Recorder recorder;
    machine.pipeline.set_trace(&recorder.trace);
    machine.run(busy_program());
    const KanataLog log = recorder.finish();
    EXPECT_GT(machine.commits.size(), 120u);
    EXPECT_EQ(log.retired(0, kForEver), machine.commits.size()) << predictor;
    const auto& stats = machine.pipeline.stats();
    EXPECT_EQ(stats.wrong_path_fetched == 0, std::string(predictor) == "perfect");
    EXPECT_EQ(log.insns.size(), stats.fetched) << predictor;
  }
}

TEST(PipelineTrace, AnInstructionOfTheWrongPathNeverExecutes) {
  Machine machine(plain_core());
  Recorder recorder;
  machine.pipeline.set_trace(&recorder.trace);
  machine.run({nop(), beq(0, 0, 16), addi(7, 0, 1), addi(7, 0, 2), addi(7, 0, 3), nop()});
  const KanataLog log = recorder.finish();
  const KanataInsn& wrong = log.labelled("addi x7,x0,1");
  EXPECT_TRUE(wrong.flushed);
  EXPECT_EQ(wrong.begin("X"), kForEver);
  EXPECT_EQ(wrong.ended, log.labelled("beq x0,x0,10014").begin("Wb")) << "when it resolves";
}

TEST(PipelineTrace, AWindowHoldsExactlyTheCommitsInIt) {
  Machine machine(plain_core());
  machine.hart.state().x[2] = Machine::kData;
  machine.dcache.latency = 9;
  Recorder recorder(100, 160);
  std::vector<uint32_t> program = busy_program();
  program[0] = addi(3, 0, 200);
  program.push_back(ecall());
  machine.load(program);
  machine.hart.state().mode = PrivilegeMode::kUser;
  machine.pipeline.set_trace(&recorder.trace);
  machine.go(100);
  while (!recorder.trace.done() && machine.pipeline.cycle() < 1000) {
    machine.pipeline.run(machine.pipeline.cycle() + 1);
  }
  const uint64_t followed = machine.pipeline.cycle();
  machine.pipeline.run(10000);
  const KanataLog log = recorder.finish();
  const auto commits =
      std::count_if(machine.commits.begin(), machine.commits.end(),
                    [](const Commit& c) { return c.cycle >= 100 && c.cycle < 160; });
  EXPECT_GT(commits, 10);
  EXPECT_EQ(log.retired(100, 160), static_cast<uint64_t>(commits));
  EXPECT_EQ(log.first_cycle, 100u);
  EXPECT_LE(log.last_cycle, followed) << "it ends with the last instruction of the window";
  EXPECT_LT(followed, 1000u);
  for (const KanataInsn& insn : log.insns) {
    EXPECT_LT(insn.stages.front().second, 160u) << insn.label;
    EXPECT_GE(insn.ended, 100u) << insn.label;
  }
  const bool any_midway = std::any_of(log.insns.begin(), log.insns.end(), [](const auto& insn) {
    return insn.begin("F") == kForEver && !insn.flushed;
  });
  EXPECT_TRUE(any_midway) << "what was in flight at the start is shown from there on";
}

TEST(PipelineTrace, ChangesNoCycle) {
  std::vector<uint64_t> cycles[2];
  for (const bool traced : {false, true}) {
    Machine machine(plain_core());
    machine.hart.state().x[2] = Machine::kData;
    Recorder recorder;
    if (traced) machine.pipeline.set_trace(&recorder.trace);
    machine.run(busy_program());
    for (const Commit& commit : machine.commits) cycles[traced].push_back(commit.cycle);
    cycles[traced].push_back(machine.pipeline.cycle());
  }
  EXPECT_EQ(cycles[0], cycles[1]);
}

TEST(PipelineTrace, AfterADeadlockEverythingInFlightEndsAsFlushed) {
  core::CoreParams params = plain_core();
  params.watchdog_cycles = 1000;
  Machine machine(params);
  machine.hart.state().x[2] = Machine::kData;
  machine.dcache.answer = [](const ScriptedPort::Access&) { return 0; };  // never takes anything
  Recorder recorder;
  machine.pipeline.set_trace(&recorder.trace);
  EXPECT_EQ(machine.run({nop(), ld(1, 2, 0), add(3, 1, 1)}), core::CoreStop::kDeadlock);
  const KanataLog log = recorder.finish();
  EXPECT_EQ(log.retired(0, kForEver), 1u);
  EXPECT_TRUE(log.labelled("ld x1,0(x2)").flushed);
  EXPECT_NE(log.labelled("ld x1,0(x2)").begin("M"), kForEver);
  EXPECT_NE(log.labelled("add x3,x1,x1").begin("Is"), kForEver);
}

TEST(PipelineTrace, ATrapIsFlushedAndSaysSoAndItsHandlerIsShown) {
  Machine machine(plain_core());
  machine.hart.state().mtvec = Machine::kHandler;
  machine.load({addi(9, 0, 9), wfi()}, Machine::kHandler);
  machine.load({nop(), 0xffffffff, nop()});
  Recorder recorder;
  machine.pipeline.set_trace(&recorder.trace);
  machine.go(1000);
  const KanataLog log = recorder.finish();
  const KanataInsn& illegal = log.labelled("illegal 0xffffffff");
  EXPECT_TRUE(illegal.flushed);
  EXPECT_EQ(illegal.detail, "trapped");
  const KanataInsn& handler = log.labelled("20000: addi x9,x0,9");
  EXPECT_FALSE(handler.flushed);
  EXPECT_GT(handler.begin("F"), illegal.begin("Cm"));
}

TEST(PipelineTrace, TheFirstInstructionOfAnInterruptHandlerIsMarked) {
  Machine machine(plain_core());
  machine.hart.state().mtvec = Machine::kHandler;
  machine.hart.state().mie = ~uint64_t{0};
  machine.hart.state().mode = PrivilegeMode::kUser;
  machine.load({addi(9, 0, 9), mret()}, Machine::kHandler);
  machine.load({addi(5, 5, 1), jal(0, -4)});
  Recorder recorder;
  machine.pipeline.set_trace(&recorder.trace);
  machine.on_cycle = [&](uint64_t cycle) {
    if (cycle == 60) machine.hart.set_interrupt(Interrupt::kProfiler, true);
    if (cycle == 110) machine.hart.set_interrupt(Interrupt::kProfiler, false);
  };
  machine.go(200);
  const KanataLog log = recorder.finish();
  EXPECT_EQ(log.labelled("20000: addi x9,x0,9").detail, "first of the interrupt handler");
}

TEST(PipelineTrace, AFileThatCannotBeMadeIsNamed) {
  try {
    core::PipelineTrace trace("/nonexistent/pipeline.log", 0, 1);
    FAIL() << "no exception";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "cannot write the pipeline log to /nonexistent/pipeline.log");
  }
}

TEST(InstructionText, HasTheOperandsInTheOrderOfTheAssembler) {
  using core::instruction_text;
  EXPECT_EQ(instruction_text(addi(1, 2, -5), 0), "addi x1,x2,-5");
  EXPECT_EQ(instruction_text(ld(1, 2, 8), 0), "ld x1,8(x2)");
  EXPECT_EQ(instruction_text(sd(3, 2, -8), 0), "sd x3,-8(x2)");
  EXPECT_EQ(instruction_text(beq(1, 2, -16), 0x1000), "beq x1,x2,ff0");
  EXPECT_EQ(instruction_text(jal(1, 0x20), 0x1000), "jal x1,1020");
  EXPECT_EQ(instruction_text(jalr(0, 1, 4), 0), "jalr x0,x1,4");
  EXPECT_EQ(instruction_text(0x123450b7, 0), "lui x1,0x12345");
  EXPECT_EQ(instruction_text(0x02009093, 0), "slli x1,x1,32");
  EXPECT_EQ(instruction_text(0x30529073, 0), "csrrw x0,x5,0x305");
  EXPECT_EQ(instruction_text(0x3004d073, 0), "csrrwi x0,0x300,9");
  EXPECT_EQ(instruction_text(0x00b6272f, 0), "amoadd.w x14,x11,(x12)");
  EXPECT_EQ(instruction_text(0x1006272f, 0), "lr.w x14,(x12)");
  EXPECT_EQ(instruction_text(0x00053787, 0), "fld f15,0(x10)");
  EXPECT_EQ(instruction_text(0x02c5f543, 0), "fmadd.d f10,f11,f12,f0");
  EXPECT_EQ(instruction_text(mret(), 0), "mret");
  EXPECT_EQ(instruction_text(0xffffffff, 0), "illegal 0xffffffff");
}

}  // namespace
}  // namespace strobe::test
