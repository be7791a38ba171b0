// The programmable counters in the timing model: what a read costs, when an overflow interrupts.
#include <gtest/gtest.h>

#include "sc_models/isa/decode/csr.h"
#include "tests/timing/core/machine.h"

namespace strobe::test {
namespace {

constexpr uint32_t read_csr(uint32_t rd, uint32_t number) {
  return number << 20 | 2u << 12 | rd << 7 | 0x73;
}
constexpr uint32_t write_csr(uint32_t number, uint32_t rs1) {
  return number << 20 | rs1 << 15 | 1u << 12 | 0x73;
}

// Cycles from the commit of the instruction before it to its own.
uint64_t cycles_of(uint32_t insn, unsigned counter_read_cycles, unsigned clock_read_cycles = 0) {
  core::CoreParams params = plain_core();
  params.counter_read_cycles = counter_read_cycles;
  params.clock_read_cycles = clock_read_cycles;
  Machine machine(params);
  machine.load({addi(5, 5, 1), insn, addi(5, 5, 1), wfi()});
  machine.go(1000);
  return machine.commit_cycle(1) - machine.commit_cycle(0);
}

TEST(CounterRead, CostsCounterReadCycles) {
  for (const uint32_t number : {isa::kCsrMhpmcounter3, isa::kCsrHpmcounter3, isa::kCsrHpmcounter31,
                                isa::kCsrMinstret, isa::kCsrInstret}) {
    const uint64_t least = cycles_of(read_csr(6, number), 0);
    for (const unsigned cycles : {1u, 34u, 35u, 100u}) {
      EXPECT_EQ(cycles_of(read_csr(6, number), cycles), least + cycles);
    }
  }
}

TEST(CounterRead, OtherRegistersAndWritesCostNothingOfIt) {
  for (const uint32_t insn : {read_csr(6, isa::kCsrMcycle), read_csr(6, isa::kCsrMhpmevent3),
                              write_csr(isa::kCsrMhpmcounter3, 5)}) {
    EXPECT_EQ(cycles_of(insn, 100), cycles_of(insn, 0)) << std::hex << insn;
  }
}

TEST(CounterRead, OfTheClockCostsClockReadCycles) {
  for (const uint32_t number : {isa::kCsrMcycle, isa::kCsrCycle, isa::kCsrTime}) {
    const uint64_t least = cycles_of(read_csr(6, number), 0);
    for (const unsigned cycles : {1u, 19u, 20u, 100u}) {
      EXPECT_EQ(cycles_of(read_csr(6, number), 0, cycles), least + cycles);
    }
  }
  const uint32_t counter = read_csr(6, isa::kCsrMinstret);
  EXPECT_EQ(cycles_of(counter, 0, 100), cycles_of(counter, 0));
}

TEST(CounterOverflow, WakesAHartThatWaitsAfterSoManyCycles) {
  for (const uint64_t wait : {50u, 500u}) {
    Machine machine(plain_core());
    machine.load({write_csr(isa::kCsrMhpmevent3, 7), write_csr(isa::kCsrMhpmcounter3, 8), wfi(),
                  addi(5, 5, 1), wfi()});
    isa::HartState& state = machine.hart.state();
    state.mie = isa::kCounterOverflowPending;
    state.x[7] = static_cast<uint64_t>(HpmEvent::kCycles);
    state.x[8] = -wait;
    machine.pipeline.restart();
    for (uint64_t cycle = 10; cycle <= 1000; cycle += 10) machine.pipeline.run(cycle);
    const uint64_t slept = machine.commit_cycle(3) - machine.commit_cycle(1);
    EXPECT_GE(slept + 1, wait);  // the counter runs when it is written, before that commits
    EXPECT_LE(slept, wait + 20);
  }
}

// A loop of adds in U-mode, four a cycle; its handler counts in x6.
TEST(CounterOverflow, InterruptsWhenSoManyCyclesAreOver) {
  for (const uint64_t period : {100u, 101u, 400u, 1000u}) {
    Machine machine(plain_core());
    std::vector<uint32_t> program = {write_csr(isa::kCsrMhpmevent3, 7),
                                     write_csr(isa::kCsrMhpmcounter3, 8), mret()};
    machine.load(program);
    std::vector<uint32_t> loop(40, addi(5, 0, 1));
    loop.push_back(jal(0, -160));
    const uint64_t user = Machine::kCode + 0x100;
    machine.load(loop, user);
    machine.load({addi(6, 6, 1), jal(0, 0)}, Machine::kHandler);
    isa::HartState& state = machine.hart.state();
    state.mtvec = Machine::kHandler;
    state.mie = isa::kCounterOverflowPending;
    state.mstatus = isa::kMstatusMpie;
    state.mepc = user;
    state.x[7] = static_cast<uint64_t>(HpmEvent::kCycles);
    state.x[8] = -period;
    machine.go(period + 200);
    EXPECT_EQ(state.x[6], 1u);
    EXPECT_EQ(machine.pipeline.stats().interrupts, 1u);
    size_t entry = 0;
    while (entry < machine.commits.size() && !machine.commits[entry].record.intr) ++entry;
    ASSERT_LT(entry, machine.commits.size());
    // The last commit before the interrupt is at most a fetch group and its way through the
    // pipeline late.
    const uint64_t began = machine.commit_cycle(1);
    const uint64_t last = machine.commits[entry - 1].cycle;
    EXPECT_GE(last - began, period - 10);
    EXPECT_LE(last - began, period + 10);
  }
}

}  // namespace
}  // namespace strobe::test
