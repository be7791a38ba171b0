// Ephemeral instrumentation as a user runs it: the branches take themselves out, the timer hooks
// them again, the biases have the original's addresses, and each error is one sentence.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/e2e/process/strobe_process.h"
#include "tests/tree.h"

namespace strobe::e2e {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

class Ephemeral : public testing::Test {
 protected:
  /// Runs lz; `instrument` are keys of that section.
  ProcessResult run(const std::string& instrument, const std::string& mode = "timing",
                    const std::string& workload = "", const std::string& extra = "") {
    const std::string elf = in_build("guest/workloads/lz.elf");
    const auto file = scratch_.write(
        "run.yaml", "mode: " + mode + "\nworkload: { elf: " + elf + ", args: [tiny]" + workload +
                        " }\ncore: { include: " + in_source("configs/cores/hps2005.yaml") +
                        " }\ninstrument: { kind: ephemeral, " + instrument + " }\n" + extra);
    return strobe({"run", file.string(), "--out", out().string(), "--force", "--quiet"});
  }
  json result(const std::string& instrument, const std::string& mode = "timing",
              const std::string& workload = "") {
    const ProcessResult process = run(instrument, mode, workload);
    EXPECT_EQ(process.exit_code, 0) << process.err;
    table_ = process.out;
    return read_json(out() / "result.json");
  }
  fs::path out() const { return scratch_.path() / "out"; }

  ScratchDirectory scratch_;
  std::string table_;
};

TEST_F(Ephemeral, BranchesTakeThemselvesOutAndAreHookedAgain) {
  const json once = result("persistence: 10, epoch: 0");
  const std::string output = read_file(out() / "stdout.txt");
  const json found = result("persistence: 10, epoch: 10_000");
  EXPECT_EQ(read_file(out() / "stdout.txt"), output);
  const json &first = once.at("instrument"), &instrument = found.at("instrument");
  EXPECT_FALSE(first.contains("epochs"));
  EXPECT_GT(instrument.at("epochs"), 10);
  EXPECT_GT(instrument.at("hooked"), instrument.at("epochs"));
  EXPECT_GT(instrument.at("events"), first.at("events").get<uint64_t>());
  EXPECT_GT(instrument.at("unhooked"), first.at("unhooked").get<uint64_t>());
  EXPECT_LT(instrument.at("bias_error"), first.at("bias_error").get<double>());
  EXPECT_GT(instrument.at("recorded_share"), 0.999) << "every branch is hooked at the start";
  EXPECT_GT(instrument.at("longest_handler"), 30);
  // The cost is in the counters, in a class of its own, and nothing else is in machine mode.
  const json &counters = found.at("counters"), &few = once.at("counters");
  EXPECT_GT(counters.at("core.cpi.code_change"), few.at("core.cpi.code_change").get<uint64_t>());
  EXPECT_EQ(counters.at("core.cpi.handler"), 0);
  EXPECT_EQ(counters.at("core.interrupts"), instrument.at("epochs"));
  EXPECT_GT(found.at("overhead_measured"), once.at("overhead_measured").get<double>());
  EXPECT_THAT(table_, HasSubstr("instrumented  ephemeral, persistence 10"));
}

TEST_F(Ephemeral, TheBiasesAreInTheResult) {
  const json found = result("persistence: 100, epoch: 20_000");
  std::istringstream lines(read_file(out() / "instrument.biases.csv"));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "pc,taken,total,epochs,symbol");
  uint64_t total = 0, branches = 0;
  while (std::getline(lines, line)) {
    std::istringstream fields(line.substr(line.find(',') + 1));
    uint64_t taken = 0, executions = 0, epochs = 0;
    char comma = 0;
    fields >> taken >> comma >> executions >> comma >> epochs;
    EXPECT_LE(taken, executions);
    EXPECT_LE(executions, epochs * 100);
    total += executions;
    ++branches;
  }
  EXPECT_EQ(total, found.at("instrument").at("events"));
  EXPECT_EQ(branches, found.at("instrument").at("recorded_branches"));
  const json& edges = found.at("profile").at("edges");
  EXPECT_GT(edges.at("overlap"), 0.3);
  EXPECT_NEAR(edges.at("events").get<double>(), edges.at("exhaustive_events").get<double>(),
              edges.at("exhaustive_events").get<double>() / 100)
      << "the chain is scaled to all executions";
  EXPECT_THAT(read_file(out() / "instrument.targets.csv"), HasSubstr("__vfprintf_internal"));
}

TEST_F(Ephemeral, RunsAreTheSameAndSeedsDiffer) {
  const std::string keys = "persistence: 10, epoch: 20_000, epoch_jitter: 0.5";
  ASSERT_EQ(run(keys).exit_code, 0);
  const std::string one = read_file(out() / "result.json");
  ASSERT_EQ(run(keys).exit_code, 0);
  EXPECT_EQ(read_file(out() / "result.json"), one);
  ASSERT_EQ(run(keys, "timing", "", "seed: 2\n").exit_code, 0);
  EXPECT_NE(read_file(out() / "result.json"), one);
}

TEST_F(Ephemeral, WithEverythingRecordedTheBiasesAreExact) {
  const json found = result("persistence: 524287, epoch: 0", "functional");
  const json& instrument = found.at("instrument");
  // What is left alone is executed a few times.
  EXPECT_GT(instrument.at("share"), 0.9999);
  EXPECT_LE(instrument.at("share"), 1.0);
  EXPECT_EQ(instrument.at("bias_error"), 0.0);
  EXPECT_GT(instrument.at("recorded_overlap"), 0.9999);
  EXPECT_EQ(instrument.at("unhooked"), 0);
}

TEST_F(Ephemeral, APageIsHookedWhenItIsFirstExecuted) {
  const json start = result("persistence: 20, epoch: 0"),
             page = result("persistence: 20, epoch: 0, hook: page");
  const std::string output = read_file(out() / "stdout.txt");
  const json &all = start.at("instrument"), &some = page.at("instrument");
  for (const char* key : {"events", "jump_events", "unhooked", "recorded_branches", "bias_error"}) {
    EXPECT_EQ(all.at(key), some.at(key)) << key << ": no branch is executed before its page";
  }
  EXPECT_EQ(all.at("hooked_pages"), all.at("pages"));
  EXPECT_LT(some.at("hooked_pages"), all.at("pages").get<uint64_t>());
  EXPECT_GT(page.at("counters").at("core.cycles"),
            start.at("counters").at("core.cycles").get<uint64_t>())
      << "hooking takes time";
  const json again = result("persistence: 20, epoch: 20_000, hook: page");
  EXPECT_EQ(read_file(out() / "stdout.txt"), output);
  EXPECT_GT(again.at("instrument").at("unhooked"), some.at("unhooked").get<uint64_t>());
}

TEST_F(Ephemeral, PriorAndLoopLimitShapeTheChain) {
  const auto overlap = [&](const std::string& keys) {
    return result("persistence: 524287, epoch: 0" + keys, "functional")
        .at("profile")
        .at("edges")
        .at("overlap")
        .get<double>();
  };
  EXPECT_GT(overlap(", loop_limit: 1_000_000"), 0.99) << "exact biases give the exact profile";
  EXPECT_LT(overlap(", loop_limit: 10"), 0.8);
}

TEST_F(Ephemeral, TheRegionIsTheSameInstructions) {
  const json found =
      result("persistence: 524287, epoch: 0", "functional", ", roi: { skip: 50000, run: 100000 }");
  EXPECT_EQ(found.at("end"), "region");
  EXPECT_EQ(found.at("instrument").at("share"), 1.0);
  EXPECT_EQ(found.at("instrument").at("bias_error"), 0.0);
}

TEST_F(Ephemeral, AProgramThatReadsItsOwnCodeIsReported) {
  const auto run_of = [&](const std::string& read) {
    scratch_.write("reads.s", ".text\n.globl main\n.type main, @function\nmain:\n  la t0, 1f\n" +
                                  read +
                                  "\n1: bnez zero, 2f\n2: li a0, 0\n  ret\n.size main, . - main\n");
    scratch_.write("reads.link", "riscv64-linux-gnu-gcc\n-static\nreads.o\n");
    const std::string command = "cd " + scratch_.path().string() +
                                " && riscv64-linux-gnu-gcc -c reads.s -o reads.o"
                                " && riscv64-linux-gnu-gcc -static reads.o -o reads.elf";
    EXPECT_EQ(std::system(command.c_str()), 0);
    const auto file = scratch_.write("reads.yaml",
                                     "mode: functional\nworkload: { elf: reads.elf }\n"
                                     "instrument: { kind: ephemeral, epoch: 0 }\n");
    const ProcessResult process =
        strobe({"run", file.string(), "--out", out().string(), "--force", "--quiet"});
    EXPECT_EQ(process.exit_code, 0) << process.err;
    table_ = process.out;
    return read_json(out() / "result.json").at("instrument").at("code_accesses");
  };
  EXPECT_TRUE(run_of("  lw t1, -4(sp)").empty());
  EXPECT_THAT(table_, Not(HasSubstr("warning")));
  const json found = run_of("  lw t1, 0(t0)");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.at(0).at("count"), 1);
  EXPECT_EQ(found.at(0).at("writes"), false);
  EXPECT_THAT(found.at(0).at("place"), HasSubstr("main+0x"));
  EXPECT_THAT(table_, HasSubstr("warning: the program reads its own code, in 1 place; the first: 1 "
                                "times at 0x"));
}

TEST_F(Ephemeral, WhatIsWrongIsSaidInOneSentence) {
  const auto error = [&](const std::string& instrument, const std::string& mode = "timing",
                         const std::string& workload = "") {
    const ProcessResult process = run(instrument, mode, workload);
    EXPECT_EQ(process.exit_code, 2) << process.err;
    EXPECT_FALSE(fs::exists(out()));
    return process.err;
  };
  EXPECT_THAT(error("persistence: 0"), HasSubstr("instrument.persistence"));
  EXPECT_THAT(error("persistence: 524288"), HasSubstr("instrument.persistence"));
  EXPECT_THAT(error("epoch: 999"), HasSubstr("expected 0 or at least 1000"));
  EXPECT_THAT(error("epoch: 1000000", "functional"),
              HasSubstr("expected 0, because mode: functional has no cycles"));
  EXPECT_THAT(error("loop_limit: 1"), HasSubstr("instrument.loop_limit"));
  EXPECT_THAT(error("prior: 0"), HasSubstr("instrument.prior"));
  EXPECT_THAT(error("hook: never"), HasSubstr("instrument.hook"));
  EXPECT_THAT(error("n_check0: 5"), HasSubstr("without instrument.kind: bursty"));
  EXPECT_THAT(error("epoch: 0", "functional", ", objects: nowhere.link"),
              HasSubstr("its link command is needed, to edit its objects"));
  // An epoch that its handler outlasts stops the run.
  const ProcessResult short_epoch = run("persistence: 1, epoch: 1000, epoch_jitter: 0.9");
  EXPECT_EQ(short_epoch.exit_code, 3) << short_epoch.err;
  EXPECT_THAT(short_epoch.err, HasSubstr("instrument.epoch: the handler at the end of an epoch"));
}

}  // namespace
}  // namespace strobe::e2e
