// A sweep that is killed at any moment and then continued has the same final database as one that
// was not killed.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <random>
#include <thread>

#include "sw/explore/store/database.h"
#include "tests/e2e/process/strobe_process.h"
#include "tests/security/nightly.h"
#include "tests/tree.h"

namespace strobe::e2e {
namespace {

namespace fs = std::filesystem;
using explore::Database;
using explore::Statement;
using Clock = std::chrono::steady_clock;

class KilledSweeps : public testing::Test {
 protected:
  /// Good runs, replayed ones, failing ones and one that is stopped by a limit.
  KilledSweeps() {
    scratch_.write("base.yaml",
                   run_file(workload("lz"), "[tiny]",
                            "[{ name: s, rate: 16, strata: 64, selectors: [{ profile: edge }] }]",
                            "mode: functional\nmax_instructions: 30_000_000\n"));
    scratch_.write("sweep.yaml",
                   "base: base.yaml\nworkloads:\n  - { name: good, elf: " + workload("lz") +
                       ", args: [tiny] }\n  - { name: bad, elf: " + program("illegal_instruction") +
                       " }\n  - { name: endless, elf: " + program("endless_loop") +
                       " }\ngrid: { core.rob: [96, 112], profilers.0.rate: [16, 32] }\n"
                       "objectives: [{ max: profilers.0.overlap }]\n");
  }
  std::vector<std::string> arguments(const std::string& out) const {
    return {"sweep", (scratch_.path() / "sweep.yaml").string(), "--jobs", "2",
            "--out", (scratch_.path() / out).string()};
  }
  void kill_after(std::chrono::milliseconds time, const std::string& out) const {
    const pid_t child = fork();
    if (child == 0) {
      std::vector<std::string> words = arguments(out);
      std::vector<char*> argv = {const_cast<char*>("strobe")};
      for (std::string& word : words) argv.push_back(word.data());
      argv.push_back(nullptr);
      if (freopen("/dev/null", "w", stdout) == nullptr ||
          freopen("/dev/null", "w", stderr) == nullptr) {
        _exit(126);
      }
      execv(in_build("bin/strobe").c_str(), argv.data());
      _exit(127);
    }
    std::this_thread::sleep_for(time);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
  /// All but what the host's time decides.
  std::string database(const std::string& out) const {
    Database database((scratch_.path() / out / "sweep.sqlite").string());
    Statement rows(database,
                   "SELECT d.label, p.workload, p.seed, p.status, r.reason, r.exit_code, "
                   "p.profilers, r.result, d.feasible, d.front FROM point p JOIN run r ON r.id = "
                   "p.run JOIN design d ON d.id = p.design ORDER BY 1, 2, 3");
    std::string text;
    while (rows.step()) {
      for (int i = 0; i < rows.columns(); ++i) text += rows.text(i) + " | ";
      text += "\n";
    }
    return text;
  }

  ScratchDirectory scratch_;
};

TEST_F(KilledSweeps, GoOnToTheDatabaseOfAnUndisturbedOne) {
  const char* given = std::getenv("STROBE_SEED");
  const uint64_t seed = given != nullptr ? std::stoull(given) : std::random_device()();
  SCOPED_TRACE(fmt::format("STROBE_SEED={}", seed));
  std::mt19937_64 random(seed);
  const auto begin = Clock::now();
  EXPECT_EQ(strobe(arguments("whole")).exit_code, 1) << "bad and endless do not end well";
  const auto whole = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
  const std::string expected = database("whole");
  ASSERT_NE(expected.find(" | failed | "), std::string::npos);
  ASSERT_NE(expected.find(" | timeout | "), std::string::npos);
  ASSERT_NE(expected.find(" | done | "), std::string::npos);
  const uint64_t kills = security::rounds(2, 15);
  for (uint64_t round = 0; round < kills; ++round) {
    const std::string out = fmt::format("killed-{}", round);
    for (int kill = 0; kill < 2; ++kill) {
      const auto time = random() % static_cast<uint64_t>(whole.count() + 1);
      kill_after(std::chrono::milliseconds(time), out);
    }
    const ProcessResult rest = strobe(arguments(out));
    EXPECT_EQ(rest.exit_code, 1) << rest.err;
    EXPECT_EQ(database(out), expected) << "after kill " << round << "\n" << rest.out << rest.err;
    fs::remove_all(scratch_.path() / out);
  }
}

// A kill in the moment between the result and the end file, which random kills seldom hit.
TEST_F(KilledSweeps, AKillBeforeEveryEndFileLosesNoFailure) {
  EXPECT_EQ(strobe(arguments("out")).exit_code, 1);
  const std::string expected = database("out");
  fs::remove(scratch_.path() / "out/sweep.sqlite");
  for (const auto& entry : fs::directory_iterator(scratch_.path() / "out/jobs")) {
    if (entry.path().string().find(".end.json") != std::string::npos) fs::remove(entry.path());
  }
  const ProcessResult rest = strobe(arguments("out"));
  EXPECT_EQ(rest.exit_code, 1) << rest.err;
  EXPECT_NE(rest.out.find("12 points in 0 runs, 12 reused"), std::string::npos) << rest.out;
  EXPECT_EQ(database("out"), expected);
}

}  // namespace
}  // namespace strobe::e2e
