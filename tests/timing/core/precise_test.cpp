// Behavior that must be exact: interrupts, traps, device accesses, limits, and the watchdog.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/timing/core/machine.h"

namespace strobe::test {
namespace {

constexpr uint32_t kLoop = 8;

// An endless loop of adds in U-mode; the handler counts in x6 and returns.
void load_interruptible(Machine& machine) {
  std::vector<uint32_t> loop(kLoop, addi(5, 5, 1));
  loop.push_back(jal(0, -4 * static_cast<int>(kLoop)));
  machine.load(loop);
  machine.load({addi(6, 6, 1), mret()}, Machine::kHandler);
  machine.hart.state().mtvec = Machine::kHandler;
  machine.hart.state().mie = 1u << 16;
  machine.hart.state().mode = PrivilegeMode::kUser;
}

TEST(Interrupts, AreTakenAtCommitWithThePcOfTheNextInstruction) {
  Machine machine(plain_core());
  load_interruptible(machine);
  machine.on_cycle = [&](uint64_t cycle) {
    machine.hart.set_interrupt(Interrupt::kProfiler,
                               cycle >= 500 && machine.hart.state().x[6] == 0);
  };
  machine.go(1000);
  EXPECT_EQ(machine.hart.state().x[6], 1u);
  EXPECT_EQ(machine.pipeline.stats().interrupts, 1u);
  uint64_t adds = 0;
  size_t entry = 0;
  for (size_t i = 0; i < machine.commits.size(); ++i) {
    if (machine.commits[i].record.intr) entry = i;
  }
  ASSERT_GT(entry, 0u);
  for (size_t i = 0; i < entry; ++i) {
    const RetireRecord& r = machine.commits[i].record;
    if (r.rd_addr == 5) {
      EXPECT_EQ(r.rd_wdata, ++adds);
    }
  }
  const RetireRecord& last = machine.commits[entry - 1].record;
  EXPECT_EQ(machine.commits[entry].record.pc_rdata, Machine::kHandler);
  EXPECT_EQ(machine.hart.state().mepc, last.pc_wdata);
  // The instruction the handler returns to is that one, and no add was lost or done twice.
  EXPECT_EQ(machine.commits[entry + 2].record.pc_rdata, last.pc_wdata);
  for (size_t i = entry; i < machine.commits.size(); ++i) {
    const RetireRecord& r = machine.commits[i].record;
    if (r.rd_addr == 5) {
      EXPECT_EQ(r.rd_wdata, ++adds);
    }
  }
}

TEST(Interrupts, EntryCostsTrapCyclesAndTheRefill) {
  for (const unsigned trap_cycles : {0u, 4u, 30u}) {
    core::CoreParams params = plain_core();
    params.trap_cycles = trap_cycles;
    Machine machine(params);
    load_interruptible(machine);
    machine.on_cycle = [&](uint64_t cycle) {
      machine.hart.set_interrupt(Interrupt::kProfiler,
                                 cycle >= 500 && machine.hart.state().x[6] == 0);
    };
    machine.go(1000);
    size_t entry = 0;
    while (!machine.commits[entry].record.intr) ++entry;
    // Taken in the decode of the cycle of the last commit; fetched trap_cycles later; renamed,
    // issued, done and committed as usual.
    EXPECT_EQ(machine.commits[entry].cycle - machine.commits[entry - 1].cycle,
              trap_cycles + params.front_end_stages + 3);
  }
}

TEST(Traps, AnExceptionCommitsAsATrapAndContinuesAtTheVector) {
  core::CoreParams params = plain_core();
  Machine machine(params);
  machine.hart.state().mtvec = Machine::kHandler;
  machine.load({addi(6, 6, 1), wfi()}, Machine::kHandler);
  machine.hart.state().x[2] = uint64_t{1} << 40;  // no memory there
  machine.load({addi(5, 5, 1), ld(1, 2, 0), addi(5, 5, 1)});
  machine.hart.state().mode = PrivilegeMode::kUser;
  machine.go(200);
  ASSERT_GE(machine.commits.size(), 3u);
  EXPECT_EQ(machine.commits[1].record.trap, 1u);
  EXPECT_EQ(machine.commits[2].record.pc_rdata, Machine::kHandler);
  EXPECT_EQ(machine.hart.state().x[5], 1u);
  EXPECT_EQ(machine.commits[2].cycle - machine.commits[1].cycle,
            params.trap_cycles + params.front_end_stages + 3);
  EXPECT_EQ(machine.pipeline.stats().traps, 1u);
  EXPECT_EQ(machine.pipeline.stats().user, 1u) << "what trapped did not retire";
}

TEST(Devices, AnAccessWaitsForEverythingOlderAndHoldsEverythingYounger) {
  for (const unsigned latency : {1u, 4u, 50u}) {
    Machine machine(plain_core());
    machine.device_latency = latency;
    machine.hart.state().mode = PrivilegeMode::kMachine;
    machine.hart.state().x[2] = STROBE_DEVICE_BASE;
    machine.hart.state().x[3] = Machine::kData;
    machine.dcache.latency = 80;
    machine.load({ld(1, 3, 0), sd(1, 3, 8), ld(4, 2, 0), addi(5, 5, 1), wfi()});
    machine.go(1000);
    ASSERT_EQ(machine.drained_at_device, std::vector<bool>{true});
    EXPECT_EQ(machine.dcache.log.size(), 2u) << "the device access is no cache access";
    // Accessed at decode in cycle c: renamed at c+1, issued at c+2, answered `latency` + 1 after
    // that, committed one later; the next one is decoded in that cycle and commits four later.
    EXPECT_EQ(machine.commit_cycle(3) - machine.commit_cycle(2), 4u);
    const uint64_t accessed = machine.dcache.log.back().cycle;  // the store was written before
    EXPECT_EQ(machine.commit_cycle(2) - accessed, 2 + latency + 1 + 1);
  }
}

TEST(CorePort, AReadGoesAlongWithTheOtherInstructions) {
  for (const unsigned latency : {1u, 4u, 50u}) {
    Machine machine(plain_core());
    machine.hart.set_core_port(STROBE_DEVICE_BASE, 8);
    machine.device_latency = latency;
    machine.hart.state().mode = PrivilegeMode::kMachine;
    machine.hart.state().x[2] = STROBE_DEVICE_BASE;
    machine.hart.state().x[3] = Machine::kData;
    machine.dcache.latency = 80;
    machine.load({ld(1, 3, 0), ld(4, 2, 0), addi(6, 4, 1), addi(5, 5, 1), wfi()});
    machine.go(1000);
    ASSERT_EQ(machine.drained_at_device, std::vector<bool>{false});
    // The load before it takes longer than the read.
    const uint64_t load = machine.commit_cycle(0);
    EXPECT_EQ(machine.commit_cycle(1), load);
    EXPECT_EQ(machine.commit_cycle(3), load);
    Machine alone(plain_core());
    alone.hart.set_core_port(STROBE_DEVICE_BASE, 8);
    alone.device_latency = latency;
    alone.hart.state().mode = PrivilegeMode::kMachine;
    alone.hart.state().x[2] = STROBE_DEVICE_BASE;
    alone.load({addi(5, 5, 1), ld(4, 2, 0), wfi()});
    alone.go(1000);
    EXPECT_EQ(alone.commit_cycle(1) - alone.commit_cycle(0), latency);
  }
}

TEST(CorePort, WritesAndOtherRegistersAreAccessedAlone) {
  for (const uint32_t access : {sd(4, 2, 0), ld(4, 2, 8)}) {
    Machine machine(plain_core());
    machine.hart.set_core_port(STROBE_DEVICE_BASE, 8);
    machine.hart.state().mode = PrivilegeMode::kMachine;
    machine.hart.state().x[2] = STROBE_DEVICE_BASE;
    machine.hart.state().x[3] = Machine::kData;
    machine.dcache.latency = 80;
    machine.load({ld(1, 3, 0), access, wfi()});
    machine.go(1000);
    EXPECT_EQ(machine.drained_at_device, std::vector<bool>{true});
  }
}

TEST(Wfi, WaitsForAnInterruptAndGoesOnWithIt) {
  Machine machine(plain_core());
  machine.load({wfi(), addi(5, 5, 1), wfi()});
  machine.hart.state().mie = 1u << 16;  // enabled, but mstatus.MIE is 0: WFI only wakes up
  machine.on_cycle = [&](uint64_t cycle) {
    if (cycle == 700) machine.hart.set_interrupt(Interrupt::kProfiler, true);
  };
  machine.go(600);
  EXPECT_EQ(machine.hart.state().x[5], 0u);
  EXPECT_GT(machine.pipeline.stats().stall.idle, 500u);
  machine.pipeline.run(900);
  EXPECT_EQ(machine.hart.state().x[5], 1u);
}

TEST(Limits, TheUserInstructionLimitIsExact) {
  for (const uint64_t limit : {1u, 7u, 50u, 51u}) {
    Machine machine(plain_core());
    load_interruptible(machine);
    machine.pipeline.set_user_limit(limit);
    EXPECT_EQ(machine.go(), core::CoreStop::kUserLimit);
    EXPECT_EQ(machine.commits.size(), limit);
    machine.pipeline.set_user_limit(2 * limit);
    EXPECT_EQ(machine.pipeline.run(100000), core::CoreStop::kUserLimit);
    ASSERT_EQ(machine.commits.size(), 2 * limit) << "it goes on where it was";
    for (size_t i = 0; i < machine.commits.size(); ++i) {
      EXPECT_EQ(machine.commits[i].record.order, i);
    }
  }
}

TEST(Watchdog, StopsExactlyWatchdogCyclesAfterTheLastCommitAndSaysWhere) {
  core::CoreParams params = plain_core();
  params.watchdog_cycles = 5000;
  Machine machine(params);
  machine.hart.state().x[2] = Machine::kData;
  machine.dcache.answer = [](const ScriptedPort::Access&) { return uint64_t{1} << 40; };
  EXPECT_EQ(machine.run({nop(), ld(1, 2, 0), nop()}), core::CoreStop::kDeadlock);
  EXPECT_EQ(machine.pipeline.cycle(), machine.commit_cycle(0) + 5000 + 1);
  EXPECT_THAT(machine.pipeline.dump_state(),
              testing::AllOf(testing::HasSubstr("nothing committed for watchdog_cycles"),
                             testing::HasSubstr("head 0x10004"), testing::HasSubstr("memory")));
}

TEST(QuietCycles, AreSkippedWithoutChangingAnyCount) {
  // With a busy sink every cycle is executed, without one the quiet ones are jumped over.
  std::map<std::string, uint64_t> seen[2];
  for (const bool busy : {false, true}) {
    Machine machine(plain_core());
    machine.hart.state().x[2] = Machine::kData;
    machine.dcache.latency = 150;
    machine.icache.answer = [](const ScriptedPort::Access& a) { return a.cycle + 90; };
    if (busy) machine.on_cycle = [](uint64_t) {};
    std::vector<uint32_t> program(300, add(1, 1, 1));
    program[3] = ld(1, 2, 0);
    program[90] = ld(1, 2, 64);
    program[200] = beq(0, 0, 64);
    machine.run(program);
    seen[busy] = machine.pipeline.stats().named();
  }
  EXPECT_EQ(seen[0], seen[1]);
  EXPECT_GT(seen[0]["stall.fetch"], 100u);
}

}  // namespace
}  // namespace strobe::test
