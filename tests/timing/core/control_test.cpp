// Branches: the misprediction penalty, the wrong path, the predictors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sc_models/core/front_end/predictor.h"
#include "tests/timing/core/machine.h"

namespace strobe::test {
namespace {

TEST(Misprediction, CostsTheFrontEndAndTheResolution) {
  // The branch issues at t and resolves at t+1, when its target is fetched; rename follows
  // front_end_stages later, issue, completion and commit one cycle each. The branch commits at t+2.
  for (const unsigned stages : {2u, 7u, 12u}) {
    core::CoreParams params = plain_core();
    params.front_end_stages = stages;
    Machine machine(params);
    machine.run(
        {nop(), beq(0, 0, 16), nop(), nop(), nop(), nop()});  // forward, taken: mispredicted
    EXPECT_EQ(machine.commit_cycle(5) - machine.commit_cycle(1), stages + 2);
    EXPECT_EQ(machine.pipeline.stats().mispredicted, 1u);
  }
}

TEST(Misprediction, TheResolutionWaitsForTheOperandsOfTheBranch) {
  core::CoreParams params = plain_core();
  Machine machine(params);
  machine.hart.state().x[2] = Machine::kData;
  machine.dcache.latency = 50;
  machine.run({ld(1, 2, 0), beq(1, 0, 16), nop(), nop(), nop(), nop()});
  EXPECT_EQ(machine.commit_cycle(1) - machine.commit_cycle(0), 1u);
  EXPECT_EQ(machine.commit_cycle(5) - machine.commit_cycle(1), params.front_end_stages + 2);
}

TEST(Misprediction, APerfectPredictorHasNone) {
  core::CoreParams params = plain_core();
  params.predictor.kind = "perfect";
  Machine machine(params);
  machine.run({nop(), beq(0, 0, 16), nop(), nop(), nop(), nop()});
  EXPECT_LE(machine.commit_cycle(5) - machine.commit_cycle(1), 1u);
  EXPECT_EQ(machine.pipeline.stats().mispredicted, 0u);
  EXPECT_EQ(machine.pipeline.stats().wrong_path_fetched, 0u);
}

TEST(PerfectPredictor, FetchesAgainAnInstructionThatWaitsForADrain) {
  core::CoreParams params = plain_core();
  params.predictor.kind = "perfect";
  Machine machine(params);
  machine.hart.state().x[2] = Machine::kData;
  machine.dcache.latency = 200;
  constexpr uint32_t kFenceI = 0x0000100f;
  EXPECT_EQ(machine.run({ld(1, 2, 0), kFenceI, addi(5, 5, 1)}), core::CoreStop::kHart);
  EXPECT_FALSE(machine.icache.touched_line(Machine::kCode + 64)) << "fetched past it";
  EXPECT_EQ(machine.commit_cycle(2) - machine.commit_cycle(1), params.front_end_stages + 3);
}

TEST(Misfetch, ADirectJumpUnknownToTheTargetBufferIsRedirectedAtDecode) {
  core::CoreParams params = plain_core();
  Machine machine(params);
  machine.run({nop(), jal(0, 16), nop(), nop(), nop(), nop()});
  // Decode is one stage before rename: the target is fetched front_end_stages - 1 cycles after the
  // jump.
  EXPECT_EQ(machine.commit_cycle(5) - machine.commit_cycle(1), params.front_end_stages - 1);
  EXPECT_EQ(machine.pipeline.stats().misfetched, 1u);
  EXPECT_EQ(machine.pipeline.stats().mispredicted, 0u);
}

// beq to +1024; the fall-through path is long enough to reach the next lines.
Machine& run_wrong_path(Machine& machine) {
  machine.hart.state().x[2] = Machine::kData;
  machine.dcache.latency = 200;  // the branch resolves late
  std::vector<uint32_t> program(260, addi(5, 5, 1));
  program[0] = ld(1, 2, 0);
  program[1] = beq(1, 0, 1024);
  EXPECT_EQ(machine.run(program), core::CoreStop::kHart);
  return machine;
}

TEST(WrongPath, PollutesTheInstructionCacheAndNothingElse) {
  Machine machine(plain_core());
  run_wrong_path(machine);
  EXPECT_TRUE(machine.icache.touched_line(Machine::kCode + 64));
  EXPECT_TRUE(machine.icache.touched_line(Machine::kCode + 256));
  EXPECT_EQ(machine.commit_cycle(2), ~uint64_t{0}) << "a wrong-path instruction committed";
  EXPECT_EQ(machine.hart.state().x[5], 3u) << "only the adds from the target on execute";
  EXPECT_GT(machine.pipeline.stats().wrong_path_fetched, 0u);
  EXPECT_EQ(machine.dcache.log.size(), 1u);
}

TEST(WrongPath, IsFetchedUntilBufferAndReorderBufferAreFull) {
  core::CoreParams params = plain_core();
  params.rob = 64;
  params.fetch_buffer = 32;
  Machine machine(params);
  run_wrong_path(machine);
  const auto& stats = machine.pipeline.stats();
  // Load and branch hold two slots; the branch completes only with the load.
  EXPECT_EQ(stats.wrong_path_fetched, 62u + 32u);
}

TEST(WrongPath, StallsWhereNothingIsExecutable) {
  Machine machine(plain_core());
  machine.hart.state().x[2] = Machine::kData;
  machine.dcache.latency = 200;
  machine.memory.protect(0, 4096, 0, 0);
  const int to_zero = -static_cast<int>(Machine::kCode + 8);  // the fall-through path goes there
  machine.run({ld(1, 2, 0), beq(1, 0, 12), jal(0, to_zero), nop(), addi(5, 5, 1)});
  EXPECT_EQ(machine.hart.state().x[5], 1u);
  EXPECT_EQ(machine.pipeline.stats().misfetched, 1u);
  EXPECT_FALSE(machine.icache.touched_line(0));
  EXPECT_NE(machine.commit_cycle(4), ~uint64_t{0});
}

TEST(ReturnStack, AReturnIsPredictedAfterItsCall) {
  Machine machine(plain_core());
  // call +16; ecall follows the return address; callee returns.
  machine.run({jal(1, 16), nop(), jal(0, 12), nop(), jalr(0, 1, 0)});
  EXPECT_EQ(machine.pipeline.stats().mispredicted, 0u);
  EXPECT_NE(machine.commit_cycle(1), ~uint64_t{0});
}

TEST(ReturnStack, IsRepairedAfterWrongPathCalls) {
  Machine machine(plain_core());
  machine.hart.state().x[2] = Machine::kData;
  machine.dcache.latency = 100;
  // 0: call 5. 1: end. 5: load, mispredicted branch over three calls, return.
  std::vector<uint32_t> program(20, nop());
  program[0] = jal(1, 20);
  program[1] = jal(0, 76);
  program[5] = ld(3, 2, 0);
  program[6] = beq(3, 0, 16);
  program[7] = jalr(0, 1, 0);
  program[10] = jalr(0, 1, 0);
  EXPECT_EQ(machine.run(program), core::CoreStop::kHart);
  EXPECT_EQ(machine.pipeline.stats().mispredicted, 1u) << "only the branch, not the return";
}

TEST(Predictor, AnUnknownKindIsRefusedWithTheKindsThereAre) {
  EXPECT_THAT(
      [] { core::find_direction_predictor("tag"); },
      testing::ThrowsMessage<std::invalid_argument>(testing::AllOf(
          testing::StartsWith("predictor.kind: expected one of perfect, static, bimodal, gshare, "),
          testing::EndsWith(", got 'tag'"))));
}

// A branch taken every third time: history tells gshare which, bimodal cannot know.
uint64_t mispredicted_pattern(const std::string& kind) {
  core::PredictorParams params;
  params.kind = kind;
  core::Predictor predictor(params);
  isa::DecodedInsn insn;
  insn.opclass = OpClass::kBranch;
  insn.imm = -64;
  uint64_t wrong = 0;
  for (unsigned i = 0; i < 400; ++i) {
    const bool taken = i % 3 == 0;
    const core::Checkpoint before = predictor.checkpoint();
    const core::Prediction p = predictor.predict(insn, 0x1000);
    if (p.taken != taken) {
      predictor.resolve(before, OpClass::kBranch, 0x1004, taken);
      if (i >= 200) ++wrong;
    }
    predictor.train(OpClass::kBranch, 0x1000, p.index, taken, taken ? 0xfc0 : 0x1004);
  }
  return wrong;
}

TEST(Predictor, GshareLearnsAPatternThatBimodalCannot) {
  EXPECT_EQ(mispredicted_pattern("gshare"), 0u);
  EXPECT_GE(mispredicted_pattern("bimodal"), 60u);
  EXPECT_GE(mispredicted_pattern("static"), 130u);
}

TEST(Predictor, TheTargetBufferForgetsTheLeastRecentlyUsedWay) {
  core::PredictorParams params;
  params.btb_entries = 4;
  params.btb_ways = 2;
  core::Predictor predictor(params);
  isa::DecodedInsn jump;
  jump.opclass = OpClass::kJump;
  const uint64_t a = 0x1000, b = a + 4, c = a + 8;  // two sets: one set for all three
  predictor.train(OpClass::kJump, a, 0, true, 0xa);
  predictor.train(OpClass::kJump, b, 0, true, 0xb);
  EXPECT_EQ(predictor.predict(jump, a).next, 0xau);
  predictor.train(OpClass::kJump, c, 0, true, 0xc);
  EXPECT_TRUE(predictor.predict(jump, b).needs_target);
  EXPECT_EQ(predictor.predict(jump, a).next, 0xau);
  EXPECT_EQ(predictor.predict(jump, c).next, 0xcu);
}

}  // namespace
}  // namespace strobe::test
