// The hart, with the system-call proxy, against Unicorn on a real program.
#include <gtest/gtest.h>

#include "tests/unit/isa/lockstep/program_lockstep.h"

namespace strobe::isa::lockstep {
namespace {

TEST(ProgramLockstep, AgreesWithUnicornOnAStaticGlibcProgram) {
  const ProgramResult result = run_program(STROBE_TEST_PROGRAM, {"1500"}, {}, 0);
  EXPECT_EQ(result.difference, "");
  EXPECT_GT(result.instructions, 300000u);
  EXPECT_GT(result.system_calls, 2u);
  // The same program on the host or under qemu-riscv64 prints this line and exits with this code.
  EXPECT_EQ(result.output, STROBE_TEST_PROGRAM_OUTPUT "\n");
  EXPECT_EQ(result.exit_code, STROBE_TEST_PROGRAM_EXIT);
}

}  // namespace
}  // namespace strobe::isa::lockstep
