// Is a profile of another tool scored against a run's, and as LLVM's own tool scores it?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "sw/files/run_tool.h"
#include "tests/e2e/answer/runs.h"

namespace strobe::e2e {
namespace {

using testing::HasSubstr;

class Imports : public RunsTest {
 protected:
  std::string exported(const std::string& profiler, const std::string& format) const {
    const std::string file = (scratch_.path() / (profiler + "." + format)).string();
    const ProcessResult process =
        strobe({"export", counted(), "--format", format, "--profiler", profiler, "--output", file});
    EXPECT_EQ(process.exit_code, 0) << process.err;
    return file;
  }
  static std::string imported(const std::string& file, const std::string& profiler) {
    const ProcessResult process = strobe({"import", counted(), file, "--profiler", profiler});
    EXPECT_EQ(process.exit_code, 0) << process.err;
    return process.out;
  }
  /// The number after these words.
  static double after(const std::string& text, const std::string& words) {
    const size_t at = text.find(words);
    EXPECT_NE(at, std::string::npos) << text;
    return at == std::string::npos ? 0 : std::strtod(text.c_str() + at + words.size(), nullptr);
  }
};

TEST_F(Imports, TheOverlapIsThatOfLlvmProfdata) {
  const std::string sampled = exported("sampled", "llvm"), all = exported("complete", "llvm");
  const files::ToolResult tool =
      files::run_tool({"llvm-profdata-14", "overlap", "--sample", all, sampled});
  ASSERT_EQ(tool.exit_code, 0) << tool.output;
  const double theirs = after(tool.output, "Whole program profile similarity:") / 100;
  const double ours = after(imported(sampled, "complete"), "overlap by line");
  EXPECT_LT(ours, 0.99);  // it is a sample
  EXPECT_GT(ours, 0.5);
  // Theirs is a mean over the functions, each weighted with its shares.
  EXPECT_NEAR(ours, theirs, 0.01);
}

TEST_F(Imports, AnExportedProfileAgreesWithItself) {
  for (const char* format : {"llvm", "pprof"}) {
    const std::string text = imported(exported("complete", format), "complete");
    EXPECT_THAT(text, HasSubstr("overlap by function  1.0000\noverlap by line      1.0000"));
    EXPECT_THAT(text, HasSubstr(" of " + counted()));
  }
}

TEST_F(Imports, ADamagedFileIsAnErrorWithItsLine) {
  const std::string file = scratch_.write("bad.txt", "main:1:1\n 1: one\n").string();
  const ProcessResult process = strobe({"import", counted(), file});
  EXPECT_EQ(process.exit_code, 2);
  EXPECT_THAT(process.err, HasSubstr(file + ":2: not an LLVM sample profile in text form: expected "
                                            "COUNT or FUNCTION:TOTAL after the offset"));
}

TEST_F(Imports, AFileThatIsNotThereIsAnError) {
  const ProcessResult process = strobe({"import", counted(), "/nowhere/a.txt"});
  EXPECT_EQ(process.exit_code, 2);
  EXPECT_THAT(process.err, HasSubstr("/nowhere/a.txt cannot be read: expected a profile of LLVM"));
}

}  // namespace
}  // namespace strobe::e2e
