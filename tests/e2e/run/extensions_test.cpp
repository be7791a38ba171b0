// Programs that are built for extensions which the core does not execute.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sw/files/run_tool.h"
#include "tests/e2e/process/strobe_process.h"
#include "tests/tree.h"

namespace strobe::e2e {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string kExtensionWarning =
    "count_bits.elf: it is built for zbb, but the core executes rv64gc: the run ends at the first "
    "instruction of such an extension; compile the program and its libraries with -march=rv64gc\n";

class ForeignExtensions : public testing::Test {
 protected:
  void SetUp() override {
    scratch_.write("count_bits.link", "riscv64-linux-gnu-gcc\n-static\ncount_bits.o\n");
    make({"-march=rv64gc_zbb", "-mabi=lp64d", "-O2", "-g1", "-c", "-o", "count_bits.o",
          in_source("tests/e2e/programs/count_bits.c")});
    make({"-static", "-o", "count_bits.elf", "count_bits.o"});
  }
  void make(std::vector<std::string> words) const {
    words.insert(words.begin(), "riscv64-linux-gnu-gcc");
    const files::ToolResult made = files::run_tool(words, scratch_.path().string());
    ASSERT_EQ(made.exit_code, 0) << made.output;
  }
  std::string run_file_of(const std::string& arguments, const std::string& more = "") const {
    const std::string elf = (scratch_.path() / "count_bits.elf").string();
    return scratch_.write("run.yaml", run_file(elf, arguments, "[]", more)).string();
  }
  ProcessResult run(const std::string& arguments, const std::string& mode) const {
    return strobe({"run", run_file_of(arguments), "--out", (scratch_.path() / "out").string(),
                   "--force", "--quiet", "--set", "mode=" + mode});
  }

  ScratchDirectory scratch_;
};

TEST_F(ForeignExtensions, AreNamedBeforeTheFirstInstructionAndWhereTheRunEnds) {
  for (const char* mode : {"functional", "timing"}) {
    const ProcessResult result = run("[one]", mode);
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_THAT(result.err,
                AllOf(HasSubstr("strobe: warning: "), HasSubstr(kExtensionWarning),
                      HasSubstr("illegal instruction at pc 0x"), HasSubstr("(count_bits+0x"),
                      HasSubstr("count_bits.c:4)), instruction 0x602"),
                      HasSubstr(": the program stops here; the instruction is of Zbb, but the core "
                                "executes rv64gc: compile the program and its libraries with "
                                "-march=rv64gc")));
  }
}

TEST_F(ForeignExtensions, ThatAreNotExecutedDoNotEndTheRun) {
  const ProcessResult result = run("[]", "functional");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, AllOf(HasSubstr(kExtensionWarning), Not(HasSubstr("illegal"))));
}

TEST_F(ForeignExtensions, AreNamedWhenTheProgramIsInstrumented) {
  const std::string out = (scratch_.path() / "edited.elf").string();
  const ProcessResult result =
      strobe({"instrument", run_file_of("[]", "mode: functional\ninstrument: { kind: bursty }\n"),
              "--out", out});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr(kExtensionWarning));
}

}  // namespace
}  // namespace strobe::e2e
