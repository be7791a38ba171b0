// Every run ends at max_instructions, and at max_cycles, in every mode, whatever the program does
// (programs/without_end.c).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/process/strobe_process.h"

namespace strobe::e2e {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

class Progress : public testing::TestWithParam<const char*> {
 protected:
  ProcessResult run(const std::string& way, const std::vector<std::string>& sets) {
    const fs::path file =
        scratch_.write("run.yaml", run_file(program("without_end"), "[" + way + "]", "[]"));
    std::vector<std::string> args = {"run",
                                     file.string(),
                                     "--out",
                                     out().string(),
                                     "--force",
                                     "--set",
                                     "max_instructions=150000"};
    for (const std::string& set : sets) args.insert(args.end(), {"--set", set});
    return strobe(args);
  }
  fs::path out() const { return scratch_.path() / "out"; }

  static std::vector<std::vector<std::string>> modes() {
    return {{"mode=functional"},
            {"mode=timing"},
            {"mode=timing", "core.threads=2"},
            {"mode=sampled", "sampling.start=20000", "sampling.interval=30000"}};
  }

  ScratchDirectory scratch_;
};

TEST_P(Progress, EveryModeStopsAtTheLimitOfInstructions) {
  for (const std::vector<std::string>& mode : modes()) {
    SCOPED_TRACE(mode.front() + (mode.size() > 1 ? " " + mode[1] : ""));
    const ProcessResult result = run(GetParam(), mode);
    EXPECT_EQ(result.exit_code, 4) << result.err;
    EXPECT_THAT(result.err, HasSubstr("when it reached max_instructions = 150000"));
    EXPECT_EQ(read_json(out() / "result.json").at("end"), "limit");
  }
}

// Nothing of a program is free of cycles, also where no other limit is set.
TEST_P(Progress, EveryModeWithCyclesStopsAtTheirLimit) {
  for (std::vector<std::string> sets : modes()) {
    if (sets.front() == "mode=functional") continue;
    SCOPED_TRACE(sets.front() + (sets.size() > 1 ? " " + sets[1] : ""));
    sets.insert(sets.end(), {"max_instructions=0", "max_cycles=400000"});
    const ProcessResult result = run(GetParam(), sets);
    EXPECT_EQ(result.exit_code, 4) << result.err;
    EXPECT_THAT(result.err, HasSubstr("when it reached max_cycles = 400000"));
  }
}

INSTANTIATE_TEST_SUITE_P(Ways, Progress,
                         testing::Values("faults_again", "alarms", "ignored_timer", "suspends",
                                         "chain_of_threads", "second_thread", "two_threads",
                                         "polls", "futexes"),
                         [](const auto& way) { return std::string(way.param); });

// The stack of a handler that traps at once ends before any limit: SIGSEGV, as on Linux.
TEST_F(Progress, AFrameWithoutRoomEndsTheProgramBySignalInEveryMode) {
  for (const char* way : {"small_stack", "handler_that_faults"}) {
    for (const std::vector<std::string>& mode : modes()) {
      SCOPED_TRACE(std::string(way) + " " + mode.front());
      const ProcessResult result = run(way, mode);
      EXPECT_THAT(result.out + result.err, HasSubstr("so SIGSEGV ended the program"));
      const nlohmann::json found = read_json(out() / "result.json");
      EXPECT_EQ(found.at("end"), "exited") << result.err;
      EXPECT_EQ(found.at("exit_code"), 128 + 11);
    }
  }
}

// Entries of handlers count as instructions do.
TEST_F(Progress, EntriesOfHandlersReachTheLimitByThemselves) {
  for (const std::vector<std::string>& mode : modes()) {
    std::vector<std::string> sets = mode;
    sets.emplace_back("max_instructions=10000");
    const ProcessResult result = run("handler_that_faults", sets);
    EXPECT_EQ(result.exit_code, 4) << mode.front() << result.err;
  }
}

}  // namespace
}  // namespace strobe::e2e
