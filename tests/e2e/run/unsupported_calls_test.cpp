// A program that makes system calls which the proxy does not have goes on, and the result says
// which, also that of a replay.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/process/strobe_process.h"
#include "tests/tree.h"

namespace strobe::e2e {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

constexpr const char* kMissedCalls =
    "answered ENOSYS: 452 (not known to Linux 6.1) 2 times, 97 (unshare) once";

json expected_calls() {
  return {{"count", 3},
          {"first",
           {{{"number", 452}, {"name", nullptr}, {"count", 2}},
            {{"number", 97}, {"name", "unshare"}, {"count", 1}}}}};
}

TEST(UnsupportedCalls, AreAnsweredEnosysAndCountedInEveryMode) {
  const ScratchDirectory scratch;
  const fs::path file =
      scratch.write("run.yaml", run_file(program("unsupported_syscall"), "[]", "[]"));
  const fs::path out = scratch.path() / "out";
  for (const char* mode : {"mode=functional", "mode=timing"}) {
    const ProcessResult result =
        strobe({"run", file.string(), "--out", out.string(), "--force", "--set", mode});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.err + result.out, HasSubstr(kMissedCalls)) << mode;
    EXPECT_EQ(read_file(out / "stdout.txt"),
              "fchmodat2: -1, errno 38\nunshare: -1, errno 38\nfchmodat2: -1, errno 38\n");
    EXPECT_EQ(read_json(out / "result.json").at("unsupported_calls"), expected_calls()) << mode;
  }
}

TEST(UnsupportedCalls, AreInTheResultOfAReplay) {
  const ScratchDirectory scratch;
  const fs::path file = scratch.write(
      "run.yaml",
      run_file(program("unsupported_syscall"), "[]",
               "[{ name: p, kind: periodic, rate: 16, selectors: [{ profile: edge }] }]",
               "mode: functional\n"));
  const std::string stream = (scratch.path() / "run.stream").string();
  const ProcessResult recorded = strobe({"record", file.string(), "--out", stream});
  ASSERT_EQ(recorded.exit_code, 0) << recorded.err;
  const fs::path out = scratch.path() / "replayed";
  const ProcessResult result =
      strobe({"replay", stream, "--profilers", in_source("configs/replays/samplers.yaml"), "--out",
              out.string()});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(read_json(out / "result.json").at("unsupported_calls"), expected_calls());
}

}  // namespace
}  // namespace strobe::e2e
