// A program that was stripped, with its symbols and lines in another file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sw/files/run_tool.h"
#include "sw/files/sha256.h"
#include "tests/e2e/process/strobe_process.h"

namespace strobe::e2e {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string kObjcopy = "riscv64-linux-gnu-objcopy";

class StrippedProgram : public testing::Test {
 protected:
  StrippedProgram() {
    const std::string whole = program("known_profile");
    make({kObjcopy, "--only-keep-debug", whole, at("app.debug")});
    make({kObjcopy, "--strip-all", "--add-gnu-debuglink=app.debug", whole, at("app.elf")});
  }

  std::string at(const std::string& name) const { return (scratch_.path() / name).string(); }
  void make(const std::vector<std::string>& command) const {
    const files::ToolResult made = files::run_tool(command, scratch_.path().string());
    ASSERT_EQ(made.exit_code, 0) << made.output;
  }
  ProcessResult run() const {
    scratch_.write("run.yaml", run_file(at("app.elf"), "[]", "[]", "truth: { cycles: true }\n"));
    return strobe({"run", at("run.yaml"), "--out", at("out"), "--force", "--quiet"});
  }

  ScratchDirectory scratch_;
};

TEST_F(StrippedProgram, HasTheNamesAndLinesOfItsDebugFile) {
  const ProcessResult result = run();
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, Not(HasSubstr("warning")));
  EXPECT_EQ(
      read_json(at("out/manifest.json"))["debug"],
      (nlohmann::json{{"name", "app.debug"}, {"sha256", files::sha256_of_file(at("app.debug"))}}));
  EXPECT_THAT(strobe({"top", at("out")}).out, HasSubstr("  main\n"));
  EXPECT_THAT(strobe({"top", at("out"), "--by", "line"}).out, HasSubstr("known_profile.c:"));
  EXPECT_THAT(strobe({"export", at("out"), "--format", "llvm"}).out, HasSubstr("main:"));
}

TEST_F(StrippedProgram, RunsWithAWarningWithoutItsDebugFile) {
  fs::remove(at("app.debug"));
  const ProcessResult result = run();
  EXPECT_EQ(result.exit_code, 0);
  const std::string sentence =
      "app.elf: its symbols and lines are in another file: expected app.debug with CRC 0x";
  EXPECT_THAT(result.err, AllOf(HasSubstr("strobe: warning: "), HasSubstr(sentence)));
  EXPECT_FALSE(read_json(at("out/manifest.json")).contains("debug"));
  const ProcessResult top = strobe({"top", at("out"), "--by", "line"});
  EXPECT_EQ(top.exit_code, 2);
  EXPECT_THAT(top.err, AllOf(HasSubstr("the lines of app.elf are not known: "), HasSubstr(sentence),
                             Not(HasSubstr("-g1"))));
  const ProcessResult llvm = strobe({"export", at("out"), "--format", "llvm"});
  EXPECT_EQ(llvm.exit_code, 2);
  EXPECT_THAT(llvm.err, HasSubstr(sentence));
}

}  // namespace
}  // namespace strobe::e2e
