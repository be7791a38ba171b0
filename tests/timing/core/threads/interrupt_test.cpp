// Interrupts and sleep of one of two harts.
#include <gtest/gtest.h>

#include "tests/timing/core/threads/two_harts.h"

namespace strobe::test {
namespace {

constexpr uint64_t kTimerBit = uint64_t{1} << static_cast<unsigned>(Interrupt::kMachineTimer);

std::vector<uint32_t> long_chain() { return std::vector<uint32_t>(3000, addi(1, 1, 1)); }

/// The second hart has executed wfi, and sleeps.
struct Sleeper {
  TwoHarts two{two_threads()};

  Sleeper() {
    const std::vector<uint32_t> program = {wfi(), addi(5, 5, 1), test::ecall()};
    two.memory.write(TwoHarts::code(1), program.data(), program.size() * 4);
    two.harts[1].hart.state().mie = kTimerBit;
    two.start_at(1, TwoHarts::code(1), PrivilegeMode::kMachine);
    two.start(0, long_chain());
    two.run(200);
    EXPECT_EQ(two.harts[1].commits.size(), 1u);
  }
};

TEST(SleepingHart, WakesWithinTenCyclesOfItsTimer) {
  for (const uint64_t at : {300u, 301u, 305u, 309u}) {
    Sleeper sleeper;
    TwoHarts& two = sleeper.two;
    two.harts[1].pipeline.set_timer(at);
    EXPECT_EQ(two.run(), core::CoreStop::kHart);
    EXPECT_EQ(two.pair.stop(1), core::CoreStop::kHart);
    ASSERT_EQ(two.harts[1].commits.size(), 2u);
    // Decode goes on when it is woken; rename, issue, completion and commit follow.
    const uint64_t decoded = two.harts[1].commits[1].cycle - 4;
    EXPECT_GE(decoded, at);
    EXPECT_LT(decoded, at + 10);
    EXPECT_GT(two.harts[1].pipeline.stats().stall.idle, 250u);
  }
}

TEST(SleepingHart, WakesWhenTheOtherRaisesItsInterrupt) {
  Sleeper sleeper;
  TwoHarts& two = sleeper.two;
  two.harts[1].hart.set_interrupt(Interrupt::kMachineTimer, true);
  two.run(100);
  EXPECT_EQ(two.pair.stop(1), core::CoreStop::kHart);
  EXPECT_EQ(two.harts[1].hart.state().x[5], 1u);
}

TEST(SleepingHart, IsNoDeadlockIfItIsTheSecondOne) {
  core::CoreParams params = two_threads();
  params.watchdog_cycles = 1000;
  const std::vector<uint32_t> sleep = {wfi(), test::ecall()};
  TwoHarts two(params);
  two.memory.write(TwoHarts::code(1), sleep.data(), sleep.size() * 4);
  two.start_at(1, TwoHarts::code(1), PrivilegeMode::kMachine);
  two.start(0, long_chain());
  EXPECT_EQ(two.run(), core::CoreStop::kHart);
  two.memory.write(TwoHarts::code(0), sleep.data(), sleep.size() * 4);
  two.start_at(0, TwoHarts::code(0), PrivilegeMode::kMachine);
  EXPECT_EQ(two.run(), core::CoreStop::kDeadlock) << "nothing wakes the first one";
}

TEST(SleepingHart, CostsTheOtherNothing) {
  Sleeper sleeper;
  TwoHarts alone(two_threads());
  alone.start(0, long_chain());
  alone.run();
  sleeper.two.run();
  EXPECT_EQ(sleeper.two.cycles(0, 300, 2900), alone.cycles(0, 300, 2900));
}

TEST(InterruptOfOneHart, LeavesTheOtherAlone) {
  TwoHarts two(two_threads());
  isa::HartState& state = two.harts[1].hart.state();
  const std::vector<uint32_t> handler = {addi(6, 6, 1), jal(0, 0)};
  two.memory.write(Machine::kHandler, handler.data(), handler.size() * 4);
  state.mtvec = Machine::kHandler;
  state.mie = kTimerBit;
  for (const unsigned hart : {1u, 0u}) two.start(hart, long_chain());
  two.harts[1].pipeline.set_timer(500);
  EXPECT_EQ(two.run(), core::CoreStop::kHart);
  EXPECT_EQ(state.x[6], 1u);
  EXPECT_EQ(two.harts[1].pipeline.stats().interrupts, 1u);
  EXPECT_EQ(two.harts[0].pipeline.stats().interrupts, 0u);
  EXPECT_EQ(two.harts[0].hart.state().x[1], 3000u);
}

TEST(DeadlockOfTheSecondHart, EndsTheRun) {
  core::CoreParams params = two_threads();
  params.watchdog_cycles = 1000;
  TwoHarts two(params);
  two.harts[1].hart.state().x[2] = TwoHarts::kData;
  two.dcache.answer = [](const ScriptedPort::Access& a) {
    return a.address == TwoHarts::kData ? 0 : a.cycle + 1;
  };
  two.start(1, {ld(1, 2, 0)});
  two.start(0, std::vector<uint32_t>(6000, addi(1, 1, 1)));
  EXPECT_EQ(two.run(), core::CoreStop::kDeadlock);
  EXPECT_NE(two.harts[1].pipeline.dump_state().find("rob: 1 of 64 used"), std::string::npos);
}

}  // namespace
}  // namespace strobe::test
