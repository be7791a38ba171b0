// Does each cycle of small programs belong to the instruction that it belongs to by hand? The core
// is 4-wide with 7 stages from fetch to rename: an instruction that waits for nothing issues the
// cycle after its rename, has its result `latency` later, and commits the cycle after that.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "sc_models/watch/truth/truth_tap.h"
#include "tests/timing/core/machine.h"

namespace strobe::test {
namespace {

using platform::kCycleParts;

constexpr uint32_t kFenceI = 0x100f;

/// A machine whose truth is observed from its first cycle to its last.
class Observed {
 public:
  Machine machine;
  truth::TruthTap tap;

  explicit Observed(const core::CoreParams& params = plain_core(),
                    const truth::SamplerParams& samplers = {})
      : machine(params), tap(machine, truth::Truth(machine.pipeline.reorder_buffer(), samplers)) {
    machine.pipeline.set_retire_sink(&tap);
  }
  /// @return the truth about `words`, which end with an ECALL
  platform::TruthOutcome run(const std::vector<uint32_t>& words, uint64_t cycles = 100000) {
    tap.truth().begin(machine.pipeline.cycle());
    machine.run(words, cycles);
    tap.truth().end(machine.pipeline.cycle());
    platform::TruthOutcome outcome;
    tap.truth().fill_in(&outcome);
    expect_whole(outcome);
    return outcome;
  }

 private:
  void expect_whole(const platform::TruthOutcome& outcome) const {
    uint64_t sum = outcome.machine.cycles;
    for (const platform::TimeParts& parts : outcome.parts) sum += parts.cycles;
    EXPECT_EQ(outcome.cycles, machine.pipeline.cycle());
    EXPECT_EQ(sum, outcome.cycles * kCycleParts);
  }
};

/// Cycles of instruction number `index` of the program, in 1/840.
uint64_t parts_of(const platform::TruthOutcome& outcome, size_t index) {
  for (size_t i = 0; i < outcome.instructions.size(); ++i) {
    if (outcome.instructions[i].pc == Machine::kCode + 4 * index) return outcome.parts[i].cycles;
  }
  return 0;
}

/// Whole cycles as parts.
constexpr uint64_t cycles(uint64_t count) { return count * kCycleParts; }

TEST(TruthOfPrograms, InAChainEachInstructionHasACycle) {
  Observed run;
  const platform::TruthOutcome outcome = run.run(std::vector<uint32_t>(40, addi(5, 5, 1)));
  for (size_t i = 1; i < 39; ++i) EXPECT_EQ(parts_of(outcome, i), cycles(1)) << i;
}

TEST(TruthOfPrograms, AtFullWidthEachInstructionHasAQuarterOfACycle) {
  Observed run;
  std::vector<uint32_t> words;
  for (uint32_t i = 0; i < 40; ++i) words.push_back(addi(5 + i % 20, 0, 1));
  const platform::TruthOutcome outcome = run.run(words);
  for (size_t i = 4; i < 36; ++i) EXPECT_EQ(parts_of(outcome, i), cycles(1) / 4) << i;
}

TEST(TruthOfPrograms, ADivideHasItsLatency) {
  Observed run;
  run.machine.hart.state().x[6] = 3;
  const platform::TruthOutcome outcome =
      run.run({addi(5, 5, 1), addi(5, 5, 1), div(5, 5, 6), addi(5, 5, 1), addi(5, 5, 1)});
  EXPECT_EQ(plain_core().div.latency, 20u);
  EXPECT_EQ(parts_of(outcome, 1), cycles(1));
  EXPECT_EQ(parts_of(outcome, 2), cycles(20));
  EXPECT_EQ(parts_of(outcome, 3), cycles(1));
}

TEST(TruthOfPrograms, AMissBelongsToItsLoadAndNotToWhatUsesIt) {
  const auto of_latency = [](unsigned latency) {
    Observed run;
    run.machine.dcache.latency = latency;
    run.machine.hart.state().x[2] = Machine::kData;
    return run.run({addi(6, 6, 1), addi(6, 6, 1), ld(5, 2, 0), addi(5, 5, 1), addi(5, 5, 1)});
  };
  const platform::TruthOutcome hit = of_latency(2), miss = of_latency(202);
  EXPECT_EQ(miss.cycles, hit.cycles + 200);
  EXPECT_EQ(parts_of(miss, 2), parts_of(hit, 2) + cycles(200));
  for (const size_t other : {0, 1, 3, 4}) {
    EXPECT_EQ(parts_of(miss, other), parts_of(hit, other)) << other;
  }
}

TEST(TruthOfPrograms, AnInstructionMissBelongsToTheInstructionThatIsMissing) {
  const auto of_latency = [](uint64_t latency) {
    Observed run;
    run.machine.icache.answer = [latency](const ScriptedPort::Access& access) {
      const bool late = access.address / 64 == (Machine::kCode + 64) / 64;
      return access.cycle + (late ? latency : 1);
    };
    return run.run(std::vector<uint32_t>(24, addi(5, 5, 1)));
  };
  const platform::TruthOutcome hit = of_latency(1), miss = of_latency(101);
  // Fetch is a few cycles ahead of the chain, which hides as many of the 100.
  const uint64_t more = parts_of(miss, 16) - parts_of(hit, 16);
  EXPECT_EQ(more, cycles(miss.cycles - hit.cycles));
  EXPECT_GT(more, cycles(80));
  for (size_t i = 0; i < 24; ++i) {
    if (i != 16) EXPECT_EQ(parts_of(miss, i), parts_of(hit, i)) << i;
  }
}

/// A chain, then `last`, which leads to `skip` instructions after it, then a chain.
std::vector<uint32_t> program_with(uint32_t last, size_t skip) {
  std::vector<uint32_t> words(4, addi(5, 5, 1));
  words.push_back(last);
  words.insert(words.end(), skip, nop());
  words.insert(words.end(), 4, addi(5, 5, 1));
  return words;
}

/// Instruction 4 of program_with() empties the pipeline; number `next` follows it in program order.
/// Each of the two commits alone. @return the cycles of the refill between them
uint64_t expect_refill(const Observed& run, const platform::TruthOutcome& outcome, size_t next) {
  const auto at = [&run](size_t index) { return run.machine.commit_cycle(index); };
  // The next one holds commit from its rename on, for three cycles before that of its commit.
  EXPECT_EQ(parts_of(outcome, next), cycles(3 + 1));
  const uint64_t refill = at(next) - at(4) - 1 - 3;
  EXPECT_EQ(parts_of(outcome, 4), cycles(at(4) - at(3) + refill));
  return refill;
}

TEST(TruthOfPrograms, AMispredictedBranchHasTheRefill) {
  Observed run;
  run.machine.hart.state().x[13] = 4;
  const platform::TruthOutcome outcome =
      run.run(program_with(beq(5, 13, 12), 2));  // predicted as not taken; it waits for the chain
  ASSERT_EQ(run.machine.pipeline.stats().mispredicted, 1u);
  EXPECT_EQ(run.machine.commit_cycle(4), run.machine.commit_cycle(3) + 1);
  // Fetch of the target is in the cycle before the branch's commit.
  EXPECT_EQ(expect_refill(run, outcome, 7), uint64_t{plain_core().front_end_stages} - 2);
}

TEST(TruthOfPrograms, ASerializingFlushHasTheRefill) {
  Observed run;
  const platform::TruthOutcome outcome = run.run(program_with(kFenceI, 0));
  // Fetch is in the cycle of the commit.
  EXPECT_EQ(expect_refill(run, outcome, 5), uint64_t{plain_core().front_end_stages} - 1);
}

TEST(TruthOfPrograms, APredictedBranchHasNoRefill) {
  Observed run;
  run.machine.hart.state().x[6] = 1;
  const platform::TruthOutcome outcome = run.run(program_with(beq(0, 6, 12), 2));
  ASSERT_EQ(run.machine.pipeline.stats().mispredicted, 0u);
  EXPECT_LE(parts_of(outcome, 4), cycles(1));
}

/// A loop with a load, a divide and a branch that no table can learn, over an array of 200 words.
std::vector<uint32_t> busy_loop() {
  return {ld(6, 2, 0),     div(7, 6, 8),  add(9, 9, 7),     beq(6, 0, 12), addi(10, 10, 1),
          addi(11, 11, 1), addi(2, 2, 8), addi(12, 12, -1), beq(12, 0, 8), jal(0, -36)};
}

void prepare(Machine& machine) {
  uint32_t random = 12345;
  for (uint64_t i = 0; i < 200; ++i) {
    random = random * 1664525 + 1013904223;
    const uint64_t value = random >> 31;
    machine.memory.write(Machine::kData + 8 * i, &value, 8);
  }
  machine.dcache.answer = [](const ScriptedPort::Access& access) {
    return access.cycle + (access.address % 512 == 0 ? 80 : 2);
  };
  machine.hart.state().x[2] = Machine::kData;
  machine.hart.state().x[8] = 3;
  machine.hart.state().x[12] = 200;
}

/// Where the handler of an interrupt that is raised in cycle `at` returns to.
uint64_t interrupted_pc(uint64_t at) {
  Machine machine(plain_core());
  prepare(machine);
  machine.load(busy_loop());
  machine.hart.state().mie = 1u << static_cast<unsigned>(Interrupt::kMachineTimer);
  machine.hart.state().mode = PrivilegeMode::kUser;
  machine.pipeline.set_timer(at);
  machine.pipeline.restart();
  while (machine.pipeline.stats().interrupts == 0 && machine.pipeline.cycle() < 4000) {
    machine.pipeline.run(machine.pipeline.cycle() + 1);
  }
  EXPECT_EQ(machine.pipeline.stats().interrupts, 1u);
  return machine.hart.state().mepc;
}

TEST(TruthOfPrograms, TheTimerSamplerReportsWhereTheInterruptIsTaken) {
  constexpr uint64_t kPeriod = 8000;  // longer than the program: there is one sample
  std::set<uint64_t> places;
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    truth::SampleClock clock(kPeriod, seed);
    clock.begin(0);
    if (clock.next() > 3000) continue;  // the program is over soon
    Observed passive(plain_core(), {kPeriod, seed});
    prepare(passive.machine);
    const platform::TruthOutcome outcome = passive.run(busy_loop());
    ASSERT_LT(outcome.cycles, kPeriod);
    uint64_t reported = 0;
    for (size_t i = 0; i < outcome.instructions.size(); ++i) {
      if (outcome.parts[i].samples[0] != 0) reported = outcome.instructions[i].pc;
    }
    EXPECT_EQ(reported, interrupted_pc(clock.next())) << "sample in cycle " << clock.next();
    places.insert(reported);
  }
  EXPECT_GE(places.size(), 3u);
}

TEST(TruthOfPrograms, AnInterruptAndItsHandlerAreMachineTime) {
  Observed run;
  Machine& machine = run.machine;
  machine.load({addi(6, 6, 1), addi(6, 6, 1), mret()}, Machine::kHandler);
  machine.hart.state().mtvec = Machine::kHandler;
  machine.hart.state().mie = 1u << static_cast<unsigned>(Interrupt::kMachineTimer);
  machine.pipeline.set_timer(15);
  machine.on_cycle = [&machine](uint64_t) {
    if (machine.pipeline.stats().interrupts != 0) machine.pipeline.set_timer(core::kNever);
  };
  const platform::TruthOutcome outcome = run.run(std::vector<uint32_t>(100, addi(5, 5, 1)));
  ASSERT_EQ(machine.pipeline.stats().interrupts, 1u);
  // All from the last commit before the interrupt to the rename of the next instruction, which
  // holds commit for three cycles before its own commit.
  uint64_t last_at = 0, mret_at = 0, next_at = 0;
  for (const Commit& commit : machine.commits) {
    const bool handler = commit.record.mode == PrivilegeMode::kMachine;
    if (handler) mret_at = commit.cycle;
    if (!handler && mret_at == 0) last_at = commit.cycle;
    if (!handler && mret_at != 0 && next_at == 0) next_at = commit.cycle;
  }
  EXPECT_EQ(outcome.machine.cycles, cycles(next_at - 3 - last_at - 1));
  EXPECT_GT(next_at - mret_at, uint64_t{plain_core().trap_cycles});
}

TEST(TruthOfPrograms, AreNotChangedByWhatObservesThem) {
  Machine alone(plain_core());
  prepare(alone);
  alone.run(busy_loop());
  Observed observed;
  prepare(observed.machine);
  observed.run(busy_loop());
  EXPECT_EQ(observed.machine.pipeline.cycle(), alone.pipeline.cycle());
  ASSERT_EQ(observed.machine.commits.size(), alone.commits.size());
  EXPECT_GT(alone.commits.size(), 1000u);
}

}  // namespace
}  // namespace strobe::test
