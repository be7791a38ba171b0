// The CPI stack: a kernel made for each class, and the sum of the classes, which must be the
// cycles.
#include <gtest/gtest.h>

#include <numeric>

#include "tests/timing/core/machine.h"

namespace strobe::test {
namespace {

using core::CpiClass;

constexpr uint32_t kFenceI = 0x0000100f;
constexpr uint32_t kReadCycle = 0xc00022f3;  // rdcycle t0

uint64_t in(const Machine& machine, CpiClass what) {
  return machine.pipeline.stats().cpi[static_cast<unsigned>(what)];
}

double share(const Machine& machine, CpiClass what) {
  return static_cast<double>(in(machine, what)) /
         static_cast<double>(machine.pipeline.stats().cycles);
}

void expect_whole(const Machine& machine, const core::CoreParams& params) {
  const core::PipelineStats& stats = machine.pipeline.stats();
  EXPECT_EQ(std::accumulate(std::begin(stats.cpi), std::end(stats.cpi), uint64_t{0}), stats.cycles);
  EXPECT_EQ(in(machine, CpiClass::kBase), stats.user / params.commit_width);
}

std::vector<uint32_t> many(uint32_t word, size_t count = 400) {
  return std::vector<uint32_t>(count, word);
}

// Runs the kernel and checks that most of what is not base went to `what`.
void expect_class(CpiClass what, const core::CoreParams& params,
                  const std::vector<uint32_t>& program,
                  const std::function<void(Machine&)>& prepare = {}) {
  Machine machine(params);
  for (unsigned i = 1; i < 32; ++i) machine.hart.state().x[i] = Machine::kData;
  const uint64_t self = Machine::kData;
  machine.memory.write(Machine::kData, &self, 8);
  if (prepare) prepare(machine);
  EXPECT_EQ(machine.run(program), core::CoreStop::kHart);
  expect_whole(machine, params);
  EXPECT_GT(share(machine, what), 0.7 * (1 - share(machine, CpiClass::kBase)));
}

TEST(CpiStack, IndependentAddsAreBase) {
  const core::CoreParams params = plain_core();
  Machine machine(params);
  machine.run(many(addi(1, 2, 1), 4000));
  expect_whole(machine, params);
  EXPECT_GT(share(machine, CpiClass::kBase), 0.95);
}

TEST(CpiStack, ADependentChainIsThreeQuartersDependencyOnAFourWideCore) {
  const core::CoreParams params = plain_core();
  Machine machine(params);
  machine.run(many(addi(1, 1, 1)));
  expect_whole(machine, params);
  EXPECT_EQ(in(machine, CpiClass::kBase), 100u);
  EXPECT_NEAR(static_cast<double>(in(machine, CpiClass::kDependency)), 300, 2);
}

TEST(CpiStack, LatencyAndOccupancyOfUnitsAreUnit) {
  core::CoreParams params = plain_core();
  expect_class(CpiClass::kUnit, params, many(div(1, 1, 2)));
  expect_class(CpiClass::kUnit, params, many(div(1, 2, 3)));
  expect_class(CpiClass::kUnit, params, many(mul(1, 1, 1)));
  params.alu.count = 1;
  expect_class(CpiClass::kUnit, params, many(addi(1, 2, 1)));
}

TEST(CpiStack, ALoadChainBelongsToTheLevelThatAnswers) {
  const core::CoreParams params = plain_core();
  const std::vector<uint32_t> chain = many(ld(1, 1, 0));
  const auto taking = [](unsigned cycles) {
    return [cycles](Machine& machine) { machine.dcache.latency = cycles; };
  };
  const unsigned l1 = params.memory.l1d.latency, l2 = l1 + params.memory.l2.latency;
  expect_class(CpiClass::kL1, params, chain, taking(l1));
  expect_class(CpiClass::kL2, params, chain, taking(l1 + 1));
  expect_class(CpiClass::kL2, params, chain, taking(l2));
  expect_class(CpiClass::kDram, params, chain, taking(l2 + 1));
  expect_class(CpiClass::kDram, params, chain, taking(200));
}

TEST(CpiStack, LoadsAndStoresWithoutAMissRegisterAreDram) {
  const core::CoreParams params = plain_core();
  const auto seldom = [](Machine& machine) {
    machine.dcache.answer = [](const ScriptedPort::Access& a) {
      return a.cycle % 50 == 0 ? a.cycle + 1 : 0;
    };
  };
  expect_class(CpiClass::kDram, params, many(ld(1, 2, 0)), seldom);
  expect_class(CpiClass::kDram, params, many(sd(1, 2, 0)), seldom);
}

TEST(CpiStack, AFullStoreQueueBehindTheWritePortIsL1) {
  expect_class(CpiClass::kL1, plain_core(), many(sd(1, 2, 0), 4000), {});
}

TEST(CpiStack, ALoadThatWaitsForAnOlderStoreIsDependency) {
  core::CoreParams params = plain_core();
  params.forward_latency = 20;
  std::vector<uint32_t> program;
  for (int i = 0; i < 100; ++i) {
    program.push_back(sd(1, 2, 0));
    program.push_back(ld(1, 2, 0));
  }
  expect_class(CpiClass::kDependency, params, program);
}

TEST(CpiStack, MispredictionsAreBranch) {
  std::vector<uint32_t> program;
  for (int i = 0; i < 100; ++i) {
    program.push_back(beq(0, 0, 8));  // forward, taken: mispredicted
    program.push_back(nop());
  }
  expect_class(CpiClass::kBranch, plain_core(), program);
}

TEST(CpiStack, AnInstructionMissBehindAMispredictionIsFetch) {
  std::vector<uint32_t> program = many(nop(), 100);
  program[20] = beq(0, 0, 4 * 64);  // four lines ahead
  const core::CoreParams params = plain_core();
  uint64_t branch[2], fetch[2];
  for (const unsigned miss : {0u, 1u}) {
    Machine machine(params);
    machine.icache.answer = [&](const ScriptedPort::Access& a) {
      return a.cycle + (a.address >= Machine::kCode + 4 * 80 ? 1 + 300 * miss : 1);
    };
    machine.run(program);
    expect_whole(machine, params);
    branch[miss] = in(machine, CpiClass::kBranch);
    fetch[miss] = in(machine, CpiClass::kFetch);
  }
  EXPECT_EQ(branch[1], branch[0]);
  EXPECT_GT(branch[0], 0u);
  EXPECT_GE(fetch[1], fetch[0] + 300);
}

TEST(CpiStack, MissesOfTheInstructionCacheAndMisfetchesAreFetch) {
  expect_class(CpiClass::kFetch, plain_core(), many(nop()), [](Machine& machine) {
    machine.icache.answer = [](const ScriptedPort::Access& a) { return a.cycle + 50; };
  });
  std::vector<uint32_t> jumps;
  for (int i = 0; i < 100; ++i) {
    jumps.push_back(jal(0, 8));
    jumps.push_back(nop());
  }
  expect_class(CpiClass::kFetch, plain_core(), jumps);
}

TEST(CpiStack, SerializingInstructionsHaveTheirOwnClass) {
  expect_class(CpiClass::kSerial, plain_core(), many(kReadCycle, 100),
               [](Machine& machine) { machine.hart.state().mcounteren = 7; });
}

TEST(CpiStack, AFenceIIsACodeChange) {
  expect_class(CpiClass::kCodeChange, plain_core(), many(kFenceI, 100));
}

TEST(CpiStack, AProxiedSystemCallIsSyscall) {
  class Calling : public Machine {
   public:
    using Machine::Machine;
    isa::EcallResult ecall(isa::Hart&) override {
      return ++calls < 11 ? isa::EcallResult::kResume : isa::EcallResult::kStop;
    }
    unsigned calls = 0;
  };
  for (const char* predictor : {"static", "perfect"}) {
    uint64_t cycles[2];
    for (const unsigned charged : {0u, 1u}) {
      core::CoreParams params = plain_core();
      params.predictor.kind = predictor;
      params.syscall_cycles = 500 * charged;
      Calling machine(params);
      std::vector<uint32_t> program;
      for (unsigned i = 0; i < 10; ++i) program.insert(program.end(), {ecall(), nop()});
      EXPECT_EQ(machine.run(program), core::CoreStop::kHart);
      expect_whole(machine, params);
      EXPECT_EQ(in(machine, CpiClass::kSerial), 0u);
      cycles[charged] = in(machine, CpiClass::kSyscall);
    }
    EXPECT_EQ(cycles[1], cycles[0] + 10 * 500);
    EXPECT_GT(cycles[0], 10u);
  }
}

// An endless loop of adds in U-mode, interrupted once at cycle 500; the handler is `work` and MRET.
core::PipelineStats interrupted(const core::CoreParams& params, std::vector<uint32_t> work,
                                Interrupt line = Interrupt::kProfiler) {
  Machine machine(params);
  std::vector<uint32_t> loop(8, addi(5, 5, 1));
  loop.push_back(jal(0, -32));
  machine.load(loop);
  work.push_back(mret());
  machine.load(work, Machine::kHandler);
  machine.hart.state().mtvec = Machine::kHandler;
  machine.hart.state().mie = 1u << static_cast<unsigned>(line);
  machine.hart.state().mode = PrivilegeMode::kUser;
  machine.on_cycle = [&](uint64_t cycle) {
    machine.hart.set_interrupt(line, cycle >= 500 && machine.pipeline.stats().interrupts == 0);
  };
  machine.go(3000);
  expect_whole(machine, params);
  EXPECT_EQ(machine.pipeline.stats().interrupts, 1u);
  return machine.pipeline.stats();
}

TEST(CpiStack, ATrapEntryIsInterruptEntryAndWhatFollowsIsHandler) {
  const auto entry = static_cast<unsigned>(CpiClass::kInterruptEntry);
  const auto handler = static_cast<unsigned>(CpiClass::kHandler);
  core::CoreParams params = plain_core();
  const std::vector<uint32_t> adds(100, addi(6, 6, 1));
  const core::PipelineStats one = interrupted(params, adds);
  EXPECT_GE(one.cpi[entry], params.trap_cycles + params.front_end_stages);
  EXPECT_GE(one.cpi[handler], 100u);
  const core::PipelineStats longer = interrupted(params, many(addi(6, 6, 1), 300));
  EXPECT_EQ(longer.cpi[entry], one.cpi[entry]);
  EXPECT_EQ(longer.cpi[handler], one.cpi[handler] + 200);
  params.trap_cycles += 30;  // entry, and return
  const core::PipelineStats slower = interrupted(params, adds);
  EXPECT_EQ(slower.cpi[entry], one.cpi[entry] + 30);
  EXPECT_EQ(slower.cpi[handler], one.cpi[handler] + 30);
}

TEST(CpiStack, TheHandlerOfTheTimerIsACodeChange) {
  const core::PipelineStats timer =
      interrupted(plain_core(), many(addi(6, 6, 1), 100), Interrupt::kMachineTimer);
  const core::PipelineStats other = interrupted(plain_core(), many(addi(6, 6, 1), 100));
  EXPECT_EQ(timer.cpi[static_cast<unsigned>(CpiClass::kHandler)], 0u);
  EXPECT_EQ(timer.cpi[static_cast<unsigned>(CpiClass::kCodeChange)],
            other.cpi[static_cast<unsigned>(CpiClass::kHandler)]);
}

TEST(CpiStack, IsTheSameWhenQuietCyclesAreSkipped) {
  const std::vector<uint32_t> words = {kFenceI,      kReadCycle,   beq(0, 0, 8), nop(),
                                       div(1, 1, 2), ld(3, 2, 0),  sd(3, 2, 8),  jal(0, 8),
                                       nop(),        mul(4, 3, 3), sd(4, 2, 16)};
  std::vector<uint32_t> program;
  for (int i = 0; i < 30; ++i) program.insert(program.end(), words.begin(), words.end());
  std::map<std::string, uint64_t> seen[2];
  for (const bool busy : {false, true}) {
    Machine machine(plain_core());
    machine.hart.state().x[2] = Machine::kData;
    machine.hart.state().mcounteren = 7;
    machine.dcache.latency = 150;
    machine.icache.answer = [](const ScriptedPort::Access& a) { return a.cycle + 90; };
    if (busy) machine.on_cycle = [](uint64_t) {};
    EXPECT_EQ(machine.run(program), core::CoreStop::kHart);
    expect_whole(machine, plain_core());
    seen[busy] = machine.pipeline.stats().named();
  }
  EXPECT_EQ(seen[0], seen[1]);
  for (const char* name :
       {"cpi.fu", "cpi.dram", "cpi.branch", "cpi.ifetch", "cpi.serializing", "cpi.code_change"}) {
    EXPECT_GT(seen[0][name], 0u) << name;
  }
}

TEST(Intervals, StopTheRunInTheCycleOfTheirLastInstructionAndChangeNoTiming) {
  Machine plain(plain_core()), divided(plain_core());
  const std::vector<uint32_t> program = many(addi(1, 2, 1), 1000);
  plain.run(program);
  divided.pipeline.set_interval(90);
  core::CoreStop stop = divided.run(program);
  uint64_t intervals = 0;
  for (; stop == core::CoreStop::kInterval; stop = divided.pipeline.run(100000)) {
    const uint64_t end = 90 * ++intervals;
    EXPECT_GE(divided.pipeline.stats().user, end);
    EXPECT_LT(divided.pipeline.stats().user, end + plain_core().commit_width);
  }
  EXPECT_EQ(stop, core::CoreStop::kHart);
  EXPECT_EQ(intervals, 11u);
  EXPECT_EQ(plain.pipeline.stats().named(), divided.pipeline.stats().named());
}

}  // namespace
}  // namespace strobe::test
