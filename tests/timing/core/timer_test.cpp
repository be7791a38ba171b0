// The timer of a hart: its interrupt is taken as one from outside is that is raised in the same
// cycle, not a cycle earlier or later, whether or not the world outside sees every cycle.
#include <gtest/gtest.h>

#include "tests/timing/core/machine.h"

namespace strobe::test {
namespace {

enum class Raised { kByTimer, kByTimerUnseen, kFromOutside };

/// An endless loop of adds in U-mode; the timer's interrupt is pending from cycle `at` on. Its
/// handler executes 20 instructions and returns. @return the cycles in which its instructions
/// commit, and those of the first 1000 of the loop
std::vector<uint64_t> commits(uint64_t at, Raised raised) {
  Machine machine(plain_core());
  std::vector<uint32_t> loop(8, addi(5, 5, 1));
  loop.push_back(jal(0, -32));
  machine.load(loop);
  std::vector<uint32_t> handler(20, addi(6, 6, 1));
  handler.push_back(mret());
  machine.load(handler, Machine::kHandler);
  machine.hart.state().mtvec = Machine::kHandler;
  machine.hart.state().mie = 1u << static_cast<unsigned>(Interrupt::kMachineTimer);
  machine.hart.state().mode = PrivilegeMode::kUser;
  const auto taken = [&machine] { return machine.pipeline.stats().interrupts != 0; };
  if (raised == Raised::kFromOutside) {
    machine.on_cycle = [&](uint64_t cycle) {
      machine.hart.set_interrupt(Interrupt::kMachineTimer, cycle >= at && !taken());
    };
  } else {
    machine.pipeline.set_timer(at);
    if (raised == Raised::kByTimer) machine.on_cycle = [](uint64_t) {};
  }
  machine.pipeline.restart();
  while (!taken() && machine.pipeline.cycle() < 3000) {
    machine.pipeline.run(machine.pipeline.cycle() + 1);
  }
  machine.pipeline.set_timer(core::kNever);
  machine.pipeline.run(3000);
  EXPECT_EQ(machine.pipeline.stats().interrupts, 1u);
  std::vector<uint64_t> cycles;
  for (const Commit& commit : machine.commits) {
    if (cycles.size() < 1000) cycles.push_back(commit.cycle);
  }
  return cycles;
}

TEST(Timer, ItsInterruptIsTakenInTheCycleItIsSetFor) {
  for (const uint64_t at : {100u, 101u, 150u, 239u}) {
    const std::vector<uint64_t> expected = commits(at, Raised::kFromOutside);
    ASSERT_GT(expected.size(), 500u);
    EXPECT_EQ(commits(at, Raised::kByTimer), expected) << at;
    EXPECT_EQ(commits(at, Raised::kByTimerUnseen), expected) << at;
    EXPECT_NE(commits(at + 5, Raised::kByTimer), expected) << at;
  }
}

TEST(Timer, OneOfThePastIsPendingAtOnceAndNeverIsNotPending) {
  Machine machine(plain_core());
  machine.run({addi(5, 5, 1)});
  ASSERT_GT(machine.pipeline.cycle(), 3u);
  machine.pipeline.set_timer(3);
  EXPECT_TRUE(machine.hart.interrupt_level(Interrupt::kMachineTimer));
  machine.pipeline.set_timer(core::kNever);
  EXPECT_FALSE(machine.hart.interrupt_level(Interrupt::kMachineTimer));
}

}  // namespace
}  // namespace strobe::test
