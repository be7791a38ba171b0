// A signal ends every command with a sentence and exit code 130, and it leaves nothing. What does
// not fit on the disk leaves nothing either.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <thread>

#include "tests/e2e/process/strobe_process.h"
#include "tests/tree.h"

namespace strobe::e2e {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

const char kActiveEdges[] = "[{ name: s, active: true, selectors: [{ profile: edge }] }]";

class InterruptedBy : public testing::TestWithParam<int> {
 protected:
  InterruptedBy() {
    fs::create_directory(at("tmp"));
    fs::create_directory(at("work"));
    scratch_.write("work/run.yaml", run_file(program("endless_loop"), "[]", kActiveEdges));
  }
  fs::path at(const std::string& name) const { return scratch_.path() / name; }

  /// Starts bin/strobe in a directory, and sends the signal soon after something is being made in
  /// another one: work, tmp or cache.
  ProcessResult interrupt(const std::vector<std::string>& args, const fs::path& directory,
                          const std::string& awaited) const {
    const pid_t child = fork();
    if (child == 0) {
      setenv("TMPDIR", at("tmp").c_str(), 1);
      setenv("STROBE_CACHE", at("cache").c_str(), 1);
      if (chdir(directory.c_str()) != 0 || freopen("/dev/null", "w", stdout) == nullptr ||
          freopen(at("err").c_str(), "w", stderr) == nullptr) {
        _exit(126);
      }
      std::vector<char*> argv = {const_cast<char*>("strobe")};
      for (const std::string& arg : args) argv.push_back(const_cast<char*>(arg.c_str()));
      argv.push_back(nullptr);
      execv(in_build("bin/strobe").c_str(), argv.data());
      _exit(127);
    }
    for (int i = 0; i < 3000 && leftovers().find(at(awaited).string()) == std::string::npos; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    kill(child, GetParam());
    int status = 0;
    waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), "",
            read_file(at("err"))};
  }
  /// What was there before is not one; nor is what a cache keeps.
  std::string leftovers() const {
    std::string names;
    for (const char* folder : {"tmp", "work", "cache"}) {
      std::error_code error;
      for (fs::recursive_directory_iterator entry(at(folder), error), end; !error && entry != end;
           entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        if (name.find(".tmp-strobe-") != std::string::npos) names += entry->path().string() + "\n";
      }
    }
    return names;
  }
  void expect_nothing_left(const std::vector<std::string>& args, const std::string& awaited,
                           const fs::path& directory) const {
    const ProcessResult process = interrupt(args, directory, awaited);
    EXPECT_EQ(process.exit_code, 130) << args[0];
    EXPECT_THAT(process.err, HasSubstr("strobe: interrupted; nothing was written\n")) << args[0];
    EXPECT_EQ(leftovers(), "") << args[0];
  }
  void expect_nothing_left(const std::vector<std::string>& args, const std::string& awaited) const {
    expect_nothing_left(args, awaited, at("work"));
    EXPECT_FALSE(fs::exists(at("work/out"))) << args[0];
  }

  ScratchDirectory scratch_;
};

TEST_P(InterruptedBy, ARunEndsWithASentence) {
  expect_nothing_left({"run", "run.yaml", "--out", "out", "--quiet"}, "work");
}

TEST_P(InterruptedBy, ARecordingEndsWithASentence) {
  expect_nothing_left(
      {"record", "run.yaml", "--out", "out", "--quiet", "--set", "profilers.0.active=false"},
      "work");
}

TEST_P(InterruptedBy, ARunThatVerilatesEndsWithASentence) {
  expect_nothing_left(
      {"run", "run.yaml", "--out", "out", "--quiet", "--set", "profilers.0.fidelity=rtl", "--set",
       "profilers.0.strata=32", "--set", "profilers.0.queue_depth=32"},
      "cache");
}

TEST_P(InterruptedBy, AnInstrumentationEndsWithASentence) {
  scratch_.write("work/lisp.yaml",
                 run_file(workload("lisp"), "[tiny]", "[]", "instrument: { kind: bursty }\n"));
  expect_nothing_left({"instrument", "lisp.yaml", "--out", "out"}, "tmp");
}

TEST_P(InterruptedBy, AReproductionEndsWithASentence) {
  // It names files of the source tree.
  expect_nothing_left({"reproduce", "hps-fig6", "--out", at("work/out").string()}, "work",
                      in_source(""));
}

TEST_P(InterruptedBy, ASynthesisEndsWithASentence) {
  expect_nothing_left({"synth", "--block", "strobe_tuple_queue", "--cells"}, "tmp");
}

INSTANTIATE_TEST_SUITE_P(Signals, InterruptedBy, testing::Values(SIGHUP, SIGTERM),
                         [](const auto& signal) {
                           return signal.param == SIGHUP ? "SIGHUP" : "SIGTERM";
                         });

TEST(FullDisk, OfAnInstrumentedProgramKeepsNothing) {
  const ScratchDirectory scratch;
  fs::create_directory(scratch.path() / "disk");
  scratch.write("lz.yaml",
                run_file(workload("lz"), "[tiny]", "[]", "instrument: { kind: bursty }\n"));
  // A namespace of its own, because only root may mount.
  scratch.write("full.sh",
                "mount -t tmpfs -o size=400k none disk || exit 99\n\"$1\" instrument lz.yaml --out "
                "disk/lz.elf 2>err\necho $? >code\nls -A disk >left\n");
  const std::string command = "cd " + scratch.path().string() + " && unshare -rm sh full.sh " +
                              in_build("bin/strobe") + " >/dev/null";
  ASSERT_EQ(std::system(command.c_str()), 0);
  EXPECT_EQ(read_file(scratch.path() / "code"), "2\n");
  EXPECT_THAT(read_file(scratch.path() / "err"),
              AllOf(HasSubstr("cannot write disk/lz.elf"),
                    HasSubstr("No space left on device; make room there")));
  EXPECT_EQ(read_file(scratch.path() / "left"), "");
}

}  // namespace
}  // namespace strobe::e2e
