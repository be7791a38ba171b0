// Does bad input get one clear sentence and the right exit code, with nothing half-written?
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include "tests/e2e/process/strobe_process.h"
#include "tests/tree.h"

namespace strobe::e2e {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

ProcessResult run(const ScratchDirectory& scratch, const std::string& text,
                  std::vector<std::string> more = {}) {
  const fs::path file = scratch.write("run.yaml", text);
  std::vector<std::string> args = {"run", file.string(), "--out",
                                   (scratch.path() / "out").string()};
  args.insert(args.end(), more.begin(), more.end());
  return strobe(args);
}

void expect_no_leftovers(const ScratchDirectory& scratch) {
  for (const auto& entry : fs::directory_iterator(scratch.path())) {
    EXPECT_THAT(entry.path().filename().string(), Not(HasSubstr(".tmp"))) << entry.path();
  }
}

TEST(BadInput, ConfigurationErrorsAreReportedAllAtOnceWithTheirPlaces) {
  const ScratchDirectory scratch;
  const ProcessResult result = run(scratch,
                                   "mode: timng\n"
                                   "sede: 3\n"
                                   "seed: [1]\n"
                                   "workload: { elf: x.elf, args: 7 }\n");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, AllOf(HasSubstr("run.yaml:1:7: error: mode: "), HasSubstr("'timing'"),
                                HasSubstr("run.yaml:2:1: error: sede: "), HasSubstr("'seed'"),
                                HasSubstr("run.yaml:3:7: error: seed: "),
                                HasSubstr("run.yaml:4:31: error: workload.args: ")));
  EXPECT_FALSE(fs::exists(scratch.path() / "out"));
}

TEST(BadInput, MissingElfIsASimulationErrorThatNamesIt) {
  const ScratchDirectory scratch;
  const ProcessResult result = run(scratch, run_file("/nowhere/p.elf", "[]", "[]"));
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, AllOf(HasSubstr("p.elf"), HasSubstr("No such file")));
  EXPECT_FALSE(fs::exists(scratch.path() / "out"));
  expect_no_leftovers(scratch);
}

TEST(BadInput, TruncatedElfIsASimulationError) {
  const ScratchDirectory scratch;
  std::string bytes = read_file(program("open_file"));
  bytes.resize(bytes.size() / 3);
  const fs::path elf = scratch.write("cut.elf", bytes);
  const ProcessResult result = run(scratch, run_file(elf.string(), "[]", "[]"));
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, AllOf(HasSubstr("cut.elf"), HasSubstr("truncated")));
}

TEST(BadInput, HostExecutableIsRefusedAsAnotherMachine) {
  const ScratchDirectory scratch;
  const ProcessResult result = run(scratch, run_file("/bin/true", "[]", "[]"));
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, AllOf(HasSubstr("/bin/true"), HasSubstr("RISC-V")));
}

TEST(BadInput, IllegalInstructionEndsTheRunWithInstructionPcAndSymbol) {
  const ScratchDirectory scratch;
  for (const char* mode : {"mode=timing", "mode=functional"}) {
    const ProcessResult result =
        run(scratch, run_file(program("illegal_instruction"), "[]", "[]"), {"--set", mode});
    EXPECT_EQ(result.exit_code, 3) << mode;
    EXPECT_THAT(result.err, AllOf(HasSubstr("illegal instruction"), HasSubstr("0xffffffff"),
                                  HasSubstr("do_illegal"), HasSubstr("illegal_instruction.c")));
    fs::remove_all(scratch.path() / "out");
  }
}

TEST(BadInput, UserStoreToTheProfilersRegistersFaults) {
  const ScratchDirectory scratch;
  const ProcessResult result =
      run(scratch, run_file(program("store_to_device"), "[]",
                            "[{ name: s, active: true, selectors: [{ profile: edge }] }]"));
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, AllOf(HasSubstr("store or AMO access fault"), HasSubstr("0xf0010018"),
                                HasSubstr("poke_profiler")));
}

TEST(BadInput, ProgramThatNeverEndsIsStoppedByTheInstructionLimit) {
  const ScratchDirectory scratch;
  for (const char* mode : {"mode=timing", "mode=functional"}) {
    const ProcessResult result = run(scratch, run_file(program("endless_loop"), "[]", "[]"),
                                     {"--set", "max_instructions=200000", "--set", mode});
    EXPECT_EQ(result.exit_code, 4) << mode;
    EXPECT_THAT(result.err,
                AllOf(HasSubstr("max_instructions"), HasSubstr("200000"), HasSubstr("main")));
    fs::remove_all(scratch.path() / "out");
  }
}

TEST(BadInput, ProgramThatNeverEndsIsStoppedByTheCycleLimit) {
  const ScratchDirectory scratch;
  const ProcessResult result =
      run(scratch, run_file(program("endless_loop"), "[]", "[]"), {"--set", "max_cycles=100000"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.err, HasSubstr("max_cycles"));
}

TEST(BadInput, DeadlockPrintsTheStateOfEveryComponent) {
  const ScratchDirectory scratch;
  const ProcessResult result =
      run(scratch, run_file(workload("btree"), "[tiny]", "[]"),
          {"--set", "core.memory.dram_interval=10000", "--set", "core.watchdog_cycles=1000"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("nothing committed for watchdog_cycles"), HasSubstr("rob: "),
                    HasSubstr("l1d: "), HasSubstr("l2: "), HasSubstr("dram: "), HasSubstr("bus: "),
                    HasSubstr("program: "), HasSubstr("profiler: none")));
}

TEST(BadInput, OutputDirectoryThatCannotBeMadeLeavesNothing) {
  const ScratchDirectory scratch;
  scratch.write("plain", "a file, not a directory\n");
  const fs::path file = scratch.write("run.yaml", run_file(program("known_profile"), "[]", "[]"));
  const ProcessResult result =
      strobe({"run", file.string(), "--out", (scratch.path() / "plain/out").string()});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, AllOf(HasSubstr("plain"), HasSubstr("Not a directory")));
  expect_no_leftovers(scratch);
}

TEST(BadInput, ExistingResultIsNotOverwrittenWithoutForce) {
  const ScratchDirectory scratch;
  fs::create_directory(scratch.path() / "out");
  scratch.write("out/precious.txt", "keep me\n");
  const ProcessResult result = run(scratch, run_file(program("known_profile"), "[]", "[]"));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("--force"));
  EXPECT_EQ(read_file(scratch.path() / "out/precious.txt"), "keep me\n");
}

TEST(BadInput, InterruptedRunEndsWith130AndLeavesNothing) {
  const ScratchDirectory scratch;
  const fs::path file = scratch.write(
      "run.yaml", run_file(program("endless_loop"), "[]",
                           "[{ name: s, active: true, selectors: [{ profile: edge }] }]"));
  const ProcessResult result =
      strobe({"run", file.string(), "--out", (scratch.path() / "out").string()}, ".",
             std::chrono::milliseconds(1000));
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_THAT(result.err, HasSubstr("interrupted; nothing was written"));
  EXPECT_FALSE(fs::exists(scratch.path() / "out"));
  expect_no_leftovers(scratch);
}

TEST(BadInput, UsageErrorsExitWithTwo) {
  EXPECT_EQ(strobe({"run"}).exit_code, 2);
  EXPECT_EQ(strobe({"frobnicate"}).exit_code, 2);
  EXPECT_EQ(strobe({}).exit_code, 2);
}

TEST(BadInput, AProgramThatWaitsForAnInterruptIsNotBlamedOnTheFirmware) {
  const ScratchDirectory scratch;
  const ProcessResult functional =
      run(scratch, run_file(program("user_wfi"), "[]", "[]", "mode: functional\n"));
  EXPECT_EQ(functional.exit_code, 3);
  EXPECT_THAT(functional.err,
              AllOf(HasSubstr("the program waits for an interrupt (wfi) in do_wait"),
                    HasSubstr("but a program receives no interrupts"), Not(HasSubstr("firmware"))));
  const ProcessResult timing =
      run(scratch, run_file(program("user_wfi"), "[]", "[]", "mode: timing\n"), {"--force"});
  EXPECT_EQ(timing.exit_code, 3);
  EXPECT_THAT(timing.err, AllOf(HasSubstr("wfi"), Not(HasSubstr("in the firmware"))));
}

TEST(BadInput, ALimitOnTheSizeOfFilesIsAnErrorThatSaysSo) {
  const ScratchDirectory scratch;
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{1000, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const ProcessResult result =
      run(scratch, run_file(workload("lz"), "[tiny]", "[]", "mode: functional\n"));
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(result.exit_code, 2) << "not killed by SIGXFSZ";
  EXPECT_THAT(result.err, HasSubstr("File too large; no result was kept: raise the limit on the "
                                    "size of a file ('ulimit -f unlimited'), or give another"));
  expect_no_leftovers(scratch);
}

TEST(BadInput, WhatAKilledRunLeftIsRemovedByTheNext) {
  const ScratchDirectory scratch;
  const fs::path file = scratch.write(
      "run.yaml", run_file(program("endless_loop"), "[]", "[]", "mode: functional\n"));
  const auto leftovers = [&] {
    return std::count_if(fs::directory_iterator(scratch.path()), {}, [](const auto& entry) {
      return entry.path().filename().string().rfind(".out.tmp-", 0) == 0;
    });
  };
  const pid_t child = fork();
  if (child == 0) {
    execl(in_build("bin/strobe").c_str(), "strobe", "run", file.c_str(), "--out",
          (scratch.path() / "out").c_str(), "--quiet", nullptr);
    _exit(127);
  }
  for (int i = 0; i < 600 && leftovers() == 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  EXPECT_EQ(leftovers(), 1);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(leftovers(), 1);
  EXPECT_EQ(run(scratch, run_file(workload("lz"), "[tiny]", "[]", "mode: functional\n")).exit_code,
            0);
  EXPECT_EQ(leftovers(), 0);
}

TEST(BadInput, AReportOfADamagedRunNamesTheFileAndWhatToDo) {
  const ScratchDirectory scratch;
  ASSERT_EQ(run(scratch, run_file(workload("lz"), "[tiny]", "[]", "mode: functional\n")).exit_code,
            0);
  const auto refusal = [&](const std::string& file, const std::string& text,
                           const std::string& format) {
    const std::string whole = read_file(scratch.path() / "out" / file);
    scratch.write("out/" + file, text);
    const ProcessResult result =
        strobe({"report", (scratch.path() / "out").string(), "--format", format});
    scratch.write("out/" + file, whole);
    EXPECT_EQ(result.exit_code, 2);
    return result.err;
  };
  const std::string out = (scratch.path() / "out").string();
  EXPECT_EQ(refusal("manifest.json", "{}", "html"),
            "strobe: error: " + out +
                "/manifest.json is damaged: key 'command' not found; run it again\n");
  EXPECT_EQ(refusal("manifest.json", "{\"version\": 1}", "json"),
            "strobe: error: " + out +
                "/manifest.json is damaged: type must be string, but is number; run it again\n");
  for (const char* format : {"html", "text", "csv", "json"}) {
    EXPECT_EQ(refusal("result.json", R"({"schema_version": 1})", format),
              "strobe: error: " + out +
                  "/result.json is damaged: key 'profilers' not found; run it again\n");
  }
  EXPECT_THAT(refusal("result.json", "[]", "text"), HasSubstr("/result.json is damaged: "));
  EXPECT_THAT(refusal("result.json", "{", "text"), HasSubstr("expected JSON"));
}

}  // namespace
}  // namespace strobe::e2e
