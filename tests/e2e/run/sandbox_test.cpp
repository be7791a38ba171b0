// What a program may see and change, as a user of bin/strobe finds it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/process/strobe_process.h"

namespace strobe::e2e {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

class SandboxRuns : public testing::Test {
 protected:
  SandboxRuns() {
    for (const char* folder : {"open", "closed", "box"}) fs::create_directory(top() / folder);
    scratch_.write("open/a.txt", "inside\n");
    scratch_.write("closed/b.txt", "outside\n");
    fs::create_symlink(top() / "closed/b.txt", top() / "open/link.txt");
  }

  fs::path top() const { return scratch_.path(); }

  /// A run file whose program opens `path`, with these sandbox directories.
  fs::path opening(const std::string& path, const std::string& read, const std::string& write) {
    const std::string sandbox = ", sandbox: { read: [" + read + "], write: [" + write + "] }";
    return scratch_.write("run.yaml", run_file(program("open_file") + sandbox, "['" + path + "']",
                                               kProfilers, "mode: functional\n"));
  }
  static ProcessResult command(const std::string& name, const fs::path& file, const fs::path& out,
                               const std::vector<std::string>& more = {}) {
    std::vector<std::string> args = {name, file.string(), "--out", out.string()};
    args.insert(args.end(), more.begin(), more.end());
    return strobe(args);
  }

  static constexpr const char* kProfilers =
      "[{ name: r, kind: random, rate: 64, selectors: [{ profile: edge, tag: 0 }] }]";
  ScratchDirectory scratch_;
};

TEST_F(SandboxRuns, AProgramSeesOnlyTheSandboxDirectories) {
  int run = 0;
  const auto output = [&](const std::string& path) {
    const fs::path out = top() / ("out" + std::to_string(run++));
    const ProcessResult process = command("run", opening(path, (top() / "open").string(), ""), out);
    EXPECT_EQ(process.exit_code, 0) << process.err;
    return read_file(out / "stdout.txt");
  };
  const std::string open = (top() / "open").string();
  EXPECT_EQ(output(open + "/a.txt"), "read: inside\n");
  EXPECT_EQ(output(open + "/../closed/b.txt"), "open: No such file or directory\n");
  EXPECT_EQ(output(open + "/link.txt"), "open: No such file or directory\n");
  EXPECT_EQ(output((top() / "closed/b.txt").string()), "open: No such file or directory\n");
  EXPECT_EQ(output("/etc/passwd"), "open: No such file or directory\n");
}

TEST_F(SandboxRuns, TheEnvironmentOfTheHostIsNotRead) {
  const ProcessResult process =
      command("run", opening("/proc/self/environ", "/", ""), top() / "out");
  EXPECT_EQ(process.exit_code, 0) << process.err;
  EXPECT_EQ(read_file(top() / "out/stdout.txt"), "open: No such file or directory\n");
  EXPECT_EQ(read_json(top() / "out/result.json").at("sandbox"),
            json::parse(R"({"refused": 1, "first": [{"call": "openat", "key": null,
                                                      "path": "/proc/self/environ"}]})"));
}

TEST_F(SandboxRuns, ASandboxDirectoryOfTheKernelIsRefused) {
  for (const char* directory : {"/proc", "/sys", "/dev"}) {
    const ProcessResult process = command("run", opening("x", "", directory), top() / "out");
    EXPECT_EQ(process.exit_code, 3);
    EXPECT_THAT(process.err, HasSubstr(std::string("sandbox directory ") + directory +
                                       ": expected a directory of stored files"));
    EXPECT_FALSE(fs::exists(top() / "out"));
  }
}

TEST_F(SandboxRuns, WhatWasRefusedStandsInTheResultAndBesideTheTable) {
  const std::string open = (top() / "open").string();
  const ProcessResult kept = command("run", opening("/etc/passwd", open, ""), top() / "kept");
  EXPECT_THAT(kept.out, HasSubstr("\nwarning: the sandbox refused 1 call that names a path; the "
                                  "first: openat /etc/passwd (workload.sandbox.read would allow "
                                  "it)\n"));
  EXPECT_EQ(read_json(top() / "kept/result.json").at("sandbox"),
            json::parse(R"({"refused": 1, "first": [{"call": "openat", "path": "/etc/passwd",
                                                     "key": "workload.sandbox.read"}]})"));
  const ProcessResult free = command("run", opening("a.txt", open, ""), top() / "free");
  EXPECT_THAT(free.out, Not(HasSubstr("sandbox")));
  EXPECT_EQ(read_json(top() / "free/result.json").at("sandbox"),
            json::parse(R"({"refused": 0, "first": []})"));
}

TEST_F(SandboxRuns, ATimingRunAndAReplayTellTheSame) {
  const fs::path file = opening("/etc/passwd", (top() / "open").string(), "");
  command("run", file, top() / "functional");
  const json expected = read_json(top() / "functional/result.json").at("sandbox");
  EXPECT_EQ(expected.at("refused"), 1);
  EXPECT_EQ(command("record", file, top() / "stream").exit_code, 0);
  const fs::path profilers = scratch_.write("profilers.yaml", std::string(kProfilers) + "\n");
  const ProcessResult replay = strobe({"replay", (top() / "stream").string(), "--profilers",
                                       profilers.string(), "--out", (top() / "replay").string()});
  EXPECT_EQ(replay.exit_code, 0) << replay.err;
  EXPECT_EQ(read_json(top() / "replay/result.json").at("sandbox"), expected);
  command("run", file, top() / "timing", {"--set", "mode=timing"});
  EXPECT_EQ(read_json(top() / "timing/result.json").at("sandbox"), expected);
}

TEST_F(SandboxRuns, AResultWithinReachOfTheProgramIsRefusedBeforeTheRun) {
  const std::string box = (top() / "box").string();
  fs::create_directory(top() / "results");
  fs::create_directory_symlink(top() / "box", top() / "alias");
  const fs::path file = opening("x", "", box);
  for (const char* name : {"run", "record"}) {
    for (const char* out : {"box", "box/out", "alias/out", "results/../box/a/b"}) {
      const ProcessResult process = command(name, file, top() / out);
      EXPECT_EQ(process.exit_code, 2) << name << " " << out;
      EXPECT_THAT(process.err,
                  HasSubstr("and the sandbox directory " + box +
                            ", which the program may write (workload.sandbox.write), must not "
                            "overlap: the program could change its own result"));
      EXPECT_TRUE(fs::is_empty(top() / "box")) << name << " " << out;
    }
  }
  const fs::path around = opening("x", "", (top() / "results/inner").string());
  fs::create_directory(top() / "results/inner");
  EXPECT_EQ(command("run", around, top() / "results").exit_code, 2);
}

TEST_F(SandboxRuns, ASweepWithinReachOfItsProgramIsRefusedBeforeItsFirstRun) {
  opening("x", "", (top() / "box").string());
  const fs::path file =
      scratch_.write("sweep.yaml", "base: run.yaml\ngrid: { core.rob: [96, 128] }\n");
  const fs::path out = top() / "box/sweep";
  const ProcessResult process = command("sweep", file, out);
  EXPECT_EQ(process.exit_code, 2) << process.out;
  EXPECT_THAT(process.err, HasSubstr("the sweep's directory " + out.string() +
                                     " and the sandbox directory " + (top() / "box").string()));
  EXPECT_TRUE(fs::is_empty(top() / "box"));
  // What the runs share lies beside their own directories.
  fs::create_directories(top() / "kept/jobs");
  opening("x", "", (top() / "kept/jobs").string());
  EXPECT_EQ(command("sweep", file, top() / "kept").exit_code, 2);
  EXPECT_TRUE(fs::is_empty(top() / "kept/jobs"));
}

}  // namespace
}  // namespace strobe::e2e
