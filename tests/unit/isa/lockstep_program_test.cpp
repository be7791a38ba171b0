// The hart, with the system-call proxy, compared with Unicorn on a real program.
#include <gtest/gtest.h>

#include <string>

#include "tests/tree.h"
#include "tests/unit/isa/lockstep/program_lockstep.h"

namespace strobe::isa::lockstep {
namespace {

TEST(ProgramLockstep, AgreesWithUnicornOnAStaticGlibcProgram) {
  const ProgramResult result =
      run_program(in_build("tests/unit/isa/sort_and_floats.elf"), {"1500"}, {}, 0);
  EXPECT_EQ(result.difference, "");
  EXPECT_GT(result.instructions, 300000u);
  EXPECT_GT(result.system_calls, 2u);
  // What qemu-riscv64 prints and returns for the same program.
  EXPECT_EQ(result.output, "2f3f2f7a1a68b625 -0.89188348739341361 -30.8582344 12182\n");
  EXPECT_EQ(result.exit_code, 37);
}

// What handlers do, and where they return to, is executed by both.
TEST(ProgramLockstep, AgreesWithUnicornOnHandlersOfSignals) {
  const ProgramResult result =
      run_program(in_build("tests/unit/linux/programs/signals"), {}, {}, 0);
  EXPECT_EQ(result.difference, "");
  EXPECT_GT(result.system_calls, 50u);
  EXPECT_EQ(result.exit_code, 3);
}

// Unicorn executes every thread; what takes turns is compared at each instruction.
class ThreadLockstep : public testing::TestWithParam<const char*> {};

TEST_P(ThreadLockstep, AgreesWithUnicornOnEveryThread) {
  constexpr uint64_t kInstructions = 600'000;
  const ProgramResult result =
      run_program(in_build(std::string("tests/unit/linux/programs/") + GetParam()), {}, {},
                  kInstructions, /*quantum=*/50);
  EXPECT_EQ(result.difference, "");
  EXPECT_GT(result.thread_switches, 5u);
}

INSTANTIATE_TEST_SUITE_P(Programs, ThreadLockstep,
                         testing::Values("barriers", "conditions", "faults", "lifetimes", "locks",
                                         "masks", "openmp", "storm", "threads", "timers"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace strobe::isa::lockstep
