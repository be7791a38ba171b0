// Threads and signals of a program under everything that watches or changes it: what the program
// says and what is counted do not depend on when threads take turns (programs/turns.c).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <sstream>

#include "tests/e2e/process/strobe_process.h"
#include "tests/tree.h"

namespace strobe::e2e {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

constexpr const char* kEdgesAndCalls =
    "selectors: [{ profile: edge }, { profile: call_target, tag: 1 }]";

class Threads : public testing::Test {
 protected:
  /// How a program is interrupted.
  struct Turns {
    unsigned quantum = 1'000'000;
    unsigned signals = 0;  // microseconds from one to the next; 0: none
  };

  Turns seldom() const { return {}; }
  static Turns often() { return {101, 1}; }

  /// Runs turns.elf; `profilers` and `extra` as for run_file(), `sets` for --set.
  json run(const Turns& turns, const std::string& profilers, const std::string& extra,
           const std::vector<std::string>& sets = {}, const std::string& elf = program("turns")) {
    const fs::path file =
        scratch_.write("run.yaml", run_file(elf, "[\"" + std::to_string(turns.signals) + "\"]",
                                            profilers, "baseline: false\n" + extra));
    std::vector<std::string> command = {
        "run",     file.string(),
        "--out",   out().string(),
        "--force", "--quiet",
        "--set",   "workload.scheduler.quantum=" + std::to_string(turns.quantum)};
    for (const std::string& set : sets) command.insert(command.end(), {"--set", set});
    const ProcessResult done = strobe(command);
    EXPECT_EQ(done.exit_code, 0) << done.err;
    output_ = read_file(out() / "stdout.txt");
    return read_json(out() / "result.json");
  }
  fs::path out() const { return scratch_.path() / "out"; }

  /// The rows of a profile that belong to the work of the threads: pc, value and count.
  std::string own_rows(const std::string& name) const {
    std::istringstream rows(read_file(out() / name));
    std::string row, own;
    while (std::getline(rows, row)) {
      const std::string symbol = row.substr(row.rfind(',') + 1);
      for (const char* function : {"add+", "mix+", "twist+", "work+"}) {
        if (symbol.rfind(function, 0) == 0) own += row + "\n";
      }
    }
    return own;
  }

  /// An own copy of the program with the record of its link, for what edits objects.
  std::string linked_program() const {
    scratch_.write("turns.link", "riscv64-linux-gnu-gcc\n-static\nturns.o\n");
    const std::string compile = "cd " + scratch_.path().string() +
                                " && riscv64-linux-gnu-gcc -O2 -g1 -c " +
                                in_source("tests/e2e/programs/turns.c") +
                                " && riscv64-linux-gnu-gcc -static turns.o -o turns.elf";
    EXPECT_EQ(std::system(compile.c_str()), 0);
    return (scratch_.path() / "turns.elf").string();
  }

  ScratchDirectory scratch_;
  std::string output_;
};

TEST_F(Threads, TheExhaustiveProfileDoesNotDependOnTurnsAndSignals) {
  const std::string observer =
      std::string("[{ name: p, kind: periodic, rate: 1, ") + kEdgesAndCalls + " }]";
  const json one = run(seldom(), observer, "mode: functional\n");
  const std::string output = output_, profile = own_rows("profile.p.csv");
  EXPECT_THAT(output, HasSubstr("shared 12000, signals as asked"));
  EXPECT_THAT(profile, HasSubstr(",work+"));
  EXPECT_LT(one.at("scheduler").at("switches"), 10);
  for (const char* mode : {"functional", "timing", "sampled"}) {
    const json found = run(
        often(), observer, std::string("mode: ") + mode + "\n",
        {"sampling.start=1000", "sampling.unit=100", "sampling.warm=100", "sampling.interval=600"});
    EXPECT_EQ(output_, output) << mode;
    EXPECT_EQ(own_rows("profile.p.csv"), profile) << mode;
    EXPECT_GT(found.at("scheduler").at("switches"), 1000) << mode;
  }
}

TEST_F(Threads, EveryModeExecutesTheSameInstructions) {
  const json functional = run({200, 20}, "[]", "mode: functional\n");
  const json timing = run({200, 20}, "[]", "mode: timing\n");
  for (const char* key : {"instructions", "syscalls", "scheduler"}) {
    EXPECT_EQ(timing.at(key), functional.at(key)) << key;
  }
  EXPECT_EQ(timing.at("counters").at("core.switches"), timing.at("scheduler").at("switches"));
  // A switch costs what the core says.
  const json dear =
      run({200, 20}, "[]", "mode: timing\n", {"workload.scheduler.switch_cycles=3000"});
  const auto cycles = [](const json& result) { return result.at("cycles").get<double>(); };
  const double more = cycles(dear) - cycles(timing);
  EXPECT_NEAR(more / timing.at("scheduler").at("switches").get<double>(), 2500, 25);
}

TEST_F(Threads, TheSeedOfTheSchedulerGivesAnotherInterleaving) {
  const auto switches = [&](const std::string& seed) {
    const json found =
        run({1000, 0}, "[]", "mode: functional\n", {"workload.scheduler.seed=" + seed});
    return found.at("scheduler").at("switches").get<uint64_t>();
  };
  const uint64_t fixed = switches("0"), drawn = switches("1");
  const std::string output = output_;
  EXPECT_EQ(switches("1"), drawn);
  EXPECT_NE(switches("2"), drawn);
  EXPECT_NEAR(static_cast<double>(drawn), static_cast<double>(fixed),
              0.1 * static_cast<double>(fixed));
  EXPECT_EQ(output_, output);
}

TEST_F(Threads, ASelectorPicksOneThread) {
  const auto events = [&](const std::string& thread) {
    const std::string selectors = "selectors: [{ profile: edge, thread: " + thread + " }]";
    const json passive = run(often(),
                             "[{ name: all, kind: periodic, rate: 1, selectors: [{ profile: edge "
                             "}] }, { name: p, kind: periodic, rate: 1, " +
                                 selectors + " }]",
                             "mode: functional\n");
    // An interrupt makes an SC fail, so that the instructions are those of this run.
    const json active =
        run(often(),
            "[{ name: p, kind: stratified, rate: 4, active: true, fidelity: "
            "lockstep, " +
                selectors + " }, { name: q, kind: periodic, rate: 1, " + selectors + " }]",
            "mode: timing\n");
    EXPECT_EQ(active.at("profilers").at(0).at("events"), active.at("profilers").at(1).at("events"));
    return passive.at("profilers").at(1).at("events").get<uint64_t>();
  };
  const uint64_t all = events("null");
  uint64_t sum = 0;
  for (const char* thread : {"0", "1", "2"}) {
    const uint64_t own = events(thread);
    EXPECT_GT(own, all / 5) << thread;
    sum += own;
  }
  EXPECT_EQ(sum, all);
  EXPECT_EQ(events("3"), 0u);
}

TEST_F(Threads, ExportsNameTheThreadOfASelector) {
  run(often(), "[{ name: p, kind: periodic, rate: 1, selectors: [{ profile: edge, thread: 2 }] }]",
      "mode: functional\n");
  const ProcessResult folded = strobe({"export", out().string(), "--format", "folded"});
  EXPECT_EQ(folded.exit_code, 0) << folded.err;
  EXPECT_THAT(folded.out, HasSubstr("thread 2;work;turns.c:"));
  const std::string file = (scratch_.path() / "profile.pb.gz").string();
  EXPECT_EQ(strobe({"export", out().string(), "--format", "pprof", "--output", file}).exit_code, 0);
  const std::string raw = (scratch_.path() / "raw.txt").string();
  ASSERT_EQ(std::system(("go tool pprof -raw " + file + " > " + raw + " 2> /dev/null").c_str()), 0);
  EXPECT_THAT(read_file(raw), HasSubstr("thread:[2]"));
}

// Every call, by plain DISE: a switch or a signal that comes due in a sequence or in a handler.
TEST_F(Threads, ReplacementSequencesCountEveryCall) {
  scratch_.write("calls.dise", R"(
register pc     = d0;
register target = d1;
P1: T.OPCLASS == call -> direct;
P2: T.OPCLASS == call_indirect -> indirect;
direct:   { li pc, T.PC; li target, T.TARGET; dcall strobe_call_pair; T.INSN }
indirect: { li pc, T.PC; addi target, T.RS1, T.IMM; dcall strobe_call_pair; T.INSN }
)");
  const std::string decode = "decode: { productions: [calls.dise] }\n";
  std::string rows;
  for (const Turns& turns : {seldom(), often(), Turns{137, 3}}) {
    for (const char* mode : {"functional", "timing"}) {
      const json found = run(turns, "[]", std::string("mode: ") + mode + "\n" + decode);
      const json& pairs = found.at("profile").at("call_pairs");
      // Nothing is injected between an LR of the C library and its SC.
      EXPECT_NEAR(pairs.at("events").get<double>(), pairs.at("exhaustive_events"), 8)
          << mode << turns.quantum;
      EXPECT_THAT(output_, HasSubstr("shared 12000, signals as asked"));
      const std::string own = own_rows("handlers.call_pairs.csv");
      if (rows.empty()) rows = own;
      EXPECT_EQ(own, rows) << mode << turns.quantum;
    }
  }
}

// The handler comes after the instruction: a switch that is due between them waits for the
// sequence, whose registers are those of the hart.
TEST_F(Threads, ASequenceIsNotInterruptedAfterItsInstruction) {
  scratch_.write("after.dise", R"(
register pc     = d0;
register target = d1;
P1: T.OPCLASS == load -> R1;
R1: { li pc, T.PC; li target, T.PC; T.INSN; dcall strobe_call_pair }
)");
  std::string rows;
  for (const Turns& turns : {seldom(), often(), Turns{137, 3}}) {
    run(turns, "[]", "mode: functional\ndecode: { productions: [after.dise] }\n");
    const std::string own = own_rows("handlers.call_pairs.csv");
    if (rows.empty()) rows = own;
    EXPECT_THAT(own, HasSubstr("twist+"));
    EXPECT_EQ(own, rows) << turns.quantum;
  }
}

TEST_F(Threads, HpsIsTransparentAndSamplesTheSameInEveryMode) {
  const std::string decode = "decode: { productions: [" +
                             in_source("configs/profilers/hps/sampling.dise") + ", " +
                             in_source("configs/profilers/hps/hot-call-pairs.dise") +
                             "], sparsity: 9, burst: 1, jitter: 0 }\n";
  run(seldom(), "[]", "mode: functional\n");
  const std::string output = output_;
  const json functional = run(often(), "[]", "mode: functional\n" + decode);
  EXPECT_EQ(output_, output);
  const std::string profile = read_file(out() / "handlers.call_pairs.csv");
  const json timing = run(often(), "[]", "mode: timing\n" + decode);
  EXPECT_EQ(output_, output);
  EXPECT_EQ(read_file(out() / "handlers.call_pairs.csv"), profile);
  EXPECT_EQ(timing.at("instructions"), functional.at("instructions"));
}

// The threads share the counters, the buffer and the saved registers of what was put in.
TEST_F(Threads, BurstsRecordEveryEventOfTheirCopy) {
  const std::string elf = linked_program();
  const std::string bursts =
      "mode: functional\ninstrument: { kind: bursty, variant: orig, events: [call, edge], objects: "
      "program, n_check0: 1, n_instr0: 2147483647 }\n";
  std::string edges;
  for (const Turns& turns : {seldom(), often(), Turns{137, 3}}) {
    const json found = run(turns, "[]", bursts, {}, elf);
    EXPECT_THAT(output_, HasSubstr("shared 12000, signals as asked")) << turns.quantum;
    EXPECT_EQ(found.at("instrument").at("dropped"), 0);
    const std::string own = own_rows("instrument.edges.csv");
    if (edges.empty()) edges = own;
    EXPECT_EQ(own, edges) << turns.quantum;
    EXPECT_THAT(own, HasSubstr("work+"));
  }
  // And when threads go in and out of bursts.
  run(often(), "[]",
      "mode: functional\ninstrument: { kind: bursty, objects: program, n_check0: 9, n_instr0: 3 "
      "}\n",
      {}, elf);
  EXPECT_THAT(output_, HasSubstr("shared 12000, signals as asked"));
}

TEST_F(Threads, HookedStubsTakeThemselvesOutAfterAsManyExecutions) {
  const std::string elf = linked_program();
  const std::string hooks =
      "mode: timing\ninstrument: { kind: ephemeral, persistence: 100, epoch: 0, objects: program "
      "}\n";
  std::map<std::string, uint64_t> counts[2];
  for (const Turns& turns : {seldom(), often()}) {
    run(turns, "[]", hooks, {}, elf);
    EXPECT_THAT(output_, HasSubstr("shared 12000, signals as asked")) << turns.quantum;
    std::istringstream rows(own_rows("instrument.biases.csv"));
    std::string pc, taken, total;
    for (std::string row; std::getline(rows, row);) {
      std::istringstream fields(row);
      std::getline(fields, pc, ',');
      std::getline(fields, taken, ',');
      std::getline(fields, total, ',');
      counts[turns.signals == 0 ? 0 : 1][pc] = std::stoull(total);
    }
  }
  EXPECT_GE(counts[0].size(), 2u);
  EXPECT_EQ(counts[0], counts[1]) << "a hundred each";
  for (const auto& [pc, count] : counts[1]) EXPECT_EQ(count, 100u) << pc;
}

TEST_F(Threads, SpreadOverTheTwoHartsOfACore) {
  const std::string observer =
      std::string("[{ name: p, kind: periodic, rate: 1, ") + kEdgesAndCalls + " }]";
  run(seldom(), observer, "mode: timing\n");
  const std::string output = output_, profile = own_rows("profile.p.csv");
  for (const Turns& turns : {seldom(), often()}) {
    const json two = run(turns, observer, "mode: timing\n", {"core.threads=2"});
    EXPECT_EQ(output_, output) << turns.quantum;
    EXPECT_EQ(own_rows("profile.p.csv"), profile) << "of both harts, " << turns.quantum;
    const json& threads = two.at("scheduler").at("threads");
    EXPECT_EQ(threads.size(), 3u);
    // Thread 1 is on the second hart, but for what a hart executes that has none.
    EXPECT_NEAR(two.at("counters").at("core.hart1.committed.user").get<double>(),
                threads.at(1).at("instructions"), 10);
    EXPECT_GT(threads.at(1).at("instructions"), 100'000);
    EXPECT_EQ(two, run(turns, observer, "mode: timing\n", {"core.threads=2"}));
  }
}

TEST_F(Threads, AProgramOfOneThreadLeavesTheSecondHartOff) {
  const json found = run(seldom(), "[]", "mode: timing\n",
                         {"core.threads=2", "workload.args=[tiny]"}, workload("lz"));
  EXPECT_EQ(found.at("counters").at("core.hart1.committed.user"), 0);
  EXPECT_EQ(found.at("counters").at("core.hart1.stall.idle"), 0);
  EXPECT_FALSE(found.contains("scheduler"));
}

TEST_F(Threads, WhatIsWrongIsSaidInOneSentence) {
  const auto error = [&](const std::string& profilers, const std::string& extra) {
    const fs::path file =
        scratch_.write("run.yaml", run_file(program("turns"), "[]", profilers, extra));
    const ProcessResult done = strobe({"config", "check", file.string()});
    EXPECT_EQ(done.exit_code, 2);
    return done.err;
  };
  EXPECT_THAT(error("[{ name: p, kind: periodic, rate: 1, selectors: [{ profile: edge, thread: "
                    "main }] }]",
                    ""),
              HasSubstr("expected the number of a thread, from 0 to 65535, got main"));
  EXPECT_THAT(error("[{ name: p, kind: stratified, rate: 4, active: true, selectors: [{ profile: "
                    "edge, thread: 1 }, { profile: value, tag: 1 }] }]",
                    ""),
              HasSubstr("expected the thread of the first selector, 1, got null"));
}

}  // namespace
}  // namespace strobe::e2e
