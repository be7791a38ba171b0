// A sweep gives the same results as its points run one by one, continues where it was stopped, and
// keeps each failed run with its reason.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <map>
#include <thread>

#include "tests/e2e/sweep/sweep_fixture.h"
#include "tests/tree.h"

namespace strobe::e2e {
namespace {

namespace fs = std::filesystem;
using explore::Database;
using explore::Statement;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const char kWatchingSweep[] =
    "[{ name: strat, rate: 16, strata: 256, selectors: [{ profile: edge }] }, "
    "{ name: other, kind: random, rate: 64 }]";

const char kEight[] = "grid: { core.rob: { linear: [80, 192, 16] } }\n";

class Sweeps : public SweepTest {
 protected:
  void base(const std::string& elf, const std::string& args, const std::string& extra = "",
            const std::string& profilers = kWatchingSweep) const {
    scratch_.write("base.yaml", run_file(elf, args, profilers, extra));
  }
  /// Starts kEight, one run at a time, and sends a signal when the first has its result.
  /// @return what waitpid says
  int signal_after_first_result(int signal) const {
    write_sweep(kEight);
    const pid_t child = fork();
    if (child == 0) {
      if (freopen("/dev/null", "w", stdout) == nullptr) _exit(126);
      execl(in_build("bin/strobe").c_str(), "strobe", "sweep", at("sweep.yaml").c_str(), "--out",
            at("out").c_str(), "--jobs", "1", nullptr);
      _exit(127);
    }
    const auto first = [this] {
      std::error_code error;
      for (const auto& entry : fs::directory_iterator(at("out/runs"), error)) {
        const bool hidden = entry.path().filename().string().front() == '.';
        if (!hidden && fs::exists(entry.path() / "result.json")) return true;
      }
      return false;
    };
    for (int i = 0; i < 12'000 && !first(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    kill(child, signal);
    int status = 0;
    waitpid(child, &status, 0);
    return status;
  }
  std::string reason_of(const std::string& status) const {
    return text("SELECT reason FROM failure WHERE status = '" + status + "'");
  }
};

TEST_F(Sweeps, EveryPointOfAPlanHasTheResultOfItsOwnRun) {
  base(workload("lz"), "[tiny]", "mode: functional\n");
  const std::string lisp = "{ elf: " + workload("lisp") + ", args: [tiny] }";
  const std::string lz = "{ elf: " + workload("lz") + ", args: [tiny] }";
  const ProcessResult process = sweep(
      "workloads: [{ name: a, elf: " + workload("lisp") +
      ", args: [tiny] }, { name: b, elf: " + workload("lz") +
      ", args: [tiny] }]\nseeds: [3, 4]\n"
      "grid:\n  profilers.0.strata: { pow2: [64, 128] }\n  profilers.1.rate: [32, 128]\n"
      "list:\n  - { profilers.0.rate: 16 }\n  - { profilers.0.rate: 64, profilers.0.selectors: "
      "[{profile: value}] }\n  - { profilers.0.rate: 512 }\n"
      "where: profilers.0.rate <= 2 ^ profilers.0.counter_width\n");
  ASSERT_EQ(process.exit_code, 0) << process.err;
  EXPECT_THAT(process.out, StartsWith("32 points, 4 runs\n"));
  expect_what_runs_give({{"a", lisp}, {"b", lz}}, 32);
}

TEST_F(Sweeps, AxesOfTheCoreAndOfTheActiveProfilerGetRunsOfTheirOwn) {
  base(workload("lz"), "[tiny]", "mode: timing\n",
       "[{ name: strat, rate: 16, strata: 256, active: true, selectors: [{ profile: edge }] }, "
       "{ name: other, kind: random, rate: 64 }]");
  const ProcessResult process = sweep(
      "grid:\n  core.rob: [96, 128]\n  profilers.1.rate: [32, 64, 128]\n"
      "zip:\n  profilers.0.rate: [16, 64]\n  profilers.0.strata: [64, 512]\n");
  ASSERT_EQ(process.exit_code, 0) << process.err;
  EXPECT_THAT(process.out, StartsWith("12 points, 4 runs, 2 baselines\n"));
  expect_what_runs_give({}, 12);
}

TEST_F(Sweeps, ManyObserversReplayOneRecordedStream) {
  base(workload("lz"), "[tiny]", "mode: functional\nprogress: { every: 20000 }\n");
  const ProcessResult process = sweep(
      "grid:\n  profilers.0.strata: { pow2: [16, 256] }\n  profilers.0.rate: { linear: [20, 73, "
      "1] }\n");
  ASSERT_EQ(process.exit_code, 0) << process.err;
  EXPECT_THAT(process.out, StartsWith("270 points, 3 runs: 1 recording and 2 replays\n"));
  EXPECT_GT(number("SELECT count(*) FROM progress"), 270);
  Database database(at("out/sweep.sqlite").string());
  database.run("UPDATE point SET status = 'skipped' WHERE id % 38 <> 0");
  expect_what_runs_give({}, 7);
}

// Whole sections of the run file, under names; one has no profile of edges, which is no zero.
TEST_F(Sweeps, SystemsAreComparedByTheKindOfTheirProfile) {
  base(workload("lz"), "[tiny]", "mode: timing\n", "[]");
  const ProcessResult process = sweep(
      "list:\n"
      "  - { name: sampler, profilers: [{ name: s, kind: stratified, active: true, fidelity: "
      "model, "
      "selectors: [{ profile: edge }] }] }\n"
      "  - { name: loads, profilers: [{ name: s, kind: periodic, active: true, fidelity: model, "
      "selectors: [{ profile: value }] }] }\n"
      "  - { name: program, instrument: { kind: bursty, events: [edge] } }\n"
      "objectives: [{ max: accuracy.edges.overlap }]\n"
      "question: { ask: Which, best: { max: accuracy.edges.overlap }, answer: \"{name} of "
      "{designs}\" }\n");
  ASSERT_EQ(process.exit_code, 0) << process.err;
  EXPECT_THAT(process.out, HasSubstr("sampler of 3"));
  const std::string csv = strobe({"report", at("out").string(), "--format", "csv"}).out;
  EXPECT_THAT(csv, HasSubstr("front,name,accuracy.edges.overlap,"));
  EXPECT_THAT(csv, HasSubstr("sampler,,1,1,1,sampler,0."));
  EXPECT_THAT(csv, HasSubstr("loads,,1,1,0,loads,,"));
  EXPECT_THAT(csv, HasSubstr("program,,1,1,0,program,0."));
}

TEST_F(Sweeps, WhatHandlersCollectIsAnObjective) {
  const std::string hps = in_source("configs/profilers/hps/");
  base(workload("btree"), "[tiny]",
       "mode: functional\ndecode: { productions: [" + hps + "sampling.dise, " + hps +
           "hot-methods.dise], burst: 1 }\n",
       "[]");
  const std::string often = "grid: { decode.sparsity: [99, 999] }\nobjectives: [max: profile.";
  ASSERT_EQ(sweep(often + "methods.overlap]\n").exit_code, 0);
  EXPECT_EQ(text("SELECT label FROM front"), "decode.sparsity=99");
  const ProcessResult unknown = sweep(often + "method.overlap]\n", {"--force"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("did you mean 'profile.methods.overlap'?"));
}

TEST_F(Sweeps, WhatIsDoneIsNotRunAgainAndTheSameBytesComeOut) {
  base(workload("lz"), "[tiny]", "mode: functional\n");
  const std::string two = "grid: { profilers.0.rate: [16, 32] }\n";
  ASSERT_EQ(sweep(two).exit_code, 0);
  const std::string exported = read_file(at("out/points.csv"));
  const ProcessResult again = sweep(two);
  EXPECT_THAT(again.out, HasSubstr("2 points in 0 runs, 2 reused"));
  EXPECT_EQ(read_file(at("out/points.csv")), exported);
  const ProcessResult forced = sweep(two, {"--force"});
  EXPECT_THAT(forced.out, HasSubstr("2 points in 1 run, 0 reused"));
  EXPECT_EQ(read_file(at("out/points.csv")), exported);
  const ProcessResult wider = sweep("grid: { profilers.0.rate: [8, 16, 32] }\n");
  EXPECT_THAT(wider.out, HasSubstr("3 points in 1 run, 2 reused"));
  EXPECT_EQ(number("SELECT count(*) FROM point WHERE status = 'done'"), 3);
  fs::remove(at("out/sweep.sqlite"));
  const ProcessResult rebuilt = sweep("grid: { profilers.0.rate: [8, 16, 32] }\n");
  EXPECT_THAT(rebuilt.out, HasSubstr("3 points in 0 runs, 3 reused"));
}

TEST_F(Sweeps, AnotherProgramOrConfigurationIsRunAgain) {
  base(workload("lz"), "[tiny]", "mode: functional\n");
  const std::string one = "grid: { profilers.0.rate: [16] }\n";
  ASSERT_EQ(sweep(one).exit_code, 0);
  base(workload("lz"), "[tiny]", "mode: functional\nmax_instructions: 5000000000\n");
  EXPECT_THAT(sweep(one).out, HasSubstr("1 point in 1 run, 0 reused"));
  base(workload("lisp"), "[tiny]", "mode: functional\nmax_instructions: 5000000000\n");
  EXPECT_THAT(sweep(one).out, HasSubstr("1 point in 1 run, 0 reused"));
}

TEST_F(Sweeps, AFailedRunIsKeptWithItsReasonAndStopsNothing) {
  base(workload("lz"), "[tiny]", "mode: functional\n");
  const std::string text =
      "workloads:\n  - { name: good, elf: " + workload("lz") +
      ", args: [tiny] }\n  - { name: bad, elf: " + program("illegal_instruction") +
      " }\n  - { name: endless, elf: " + program("endless_loop") +
      " }\ngrid: { profilers.0.rate: [16, 32] }\nlimits: { seconds: 10 }\n";
  const ProcessResult process = sweep(text);
  EXPECT_EQ(process.exit_code, 1);
  EXPECT_EQ(number("SELECT count(*) FROM point WHERE status = 'done'"), 2);
  EXPECT_EQ(number("SELECT points FROM failure WHERE status = 'failed'"), 2);
  EXPECT_THAT(reason_of("failed"), HasSubstr("illegal instruction"));
  EXPECT_THAT(reason_of("timeout"), HasSubstr("limits.seconds"));
  const std::string run = this->text("SELECT run FROM failure WHERE status = 'failed'");
  const ProcessResult explained = strobe({"explain", (at("out/runs") / run.substr(0, 8)).string()});
  EXPECT_EQ(explained.exit_code, 0);
  const std::string command = this->text("SELECT command FROM failure WHERE status = 'failed'");
  EXPECT_THAT(explained.out, AllOf(HasSubstr(command), HasSubstr("illegal instruction")));
  EXPECT_EQ(WEXITSTATUS(std::system((command + " >/dev/null 2>&1").c_str())), 3);

  EXPECT_THAT(sweep(text).out, HasSubstr("6 points in 0 runs, 6 reused, 4 failed\n"));
  EXPECT_THAT(sweep(text, {"--retry-failed"}).out, HasSubstr("6 points in 2 runs, 2 reused"));
}

TEST_F(Sweeps, ARunBeyondItsMemoryIsSaidToBe) {
  base(workload("lz"), "[tiny]", "mode: functional\n");
  EXPECT_EQ(sweep("grid: { profilers.0.rate: [16] }\nlimits: { memory: 17_000_000 }\n").exit_code,
            1);
  EXPECT_EQ(text("SELECT status FROM failure"), "out_of_memory");
}

TEST_F(Sweeps, AfterCtrlCTheSameCommandGoesOn) {
  base(workload("lz"), "[tiny]", "mode: timing\n");
  const int status = signal_after_first_result(SIGINT);
  EXPECT_EQ(WEXITSTATUS(status), 130);
  const int64_t done = number("SELECT count(*) FROM point WHERE status = 'done'");
  EXPECT_GE(done, 1);
  EXPECT_LT(done, 8);
  EXPECT_EQ(number("SELECT count(*) FROM failure"), 0);
  const ProcessResult rest = sweep(kEight);
  EXPECT_EQ(rest.exit_code, 0) << rest.err;
  EXPECT_THAT(rest.out, HasSubstr(" " + std::to_string(done) + " reused"));
  EXPECT_EQ(number("SELECT count(*) FROM point WHERE status = 'done'"), 8);
}

TEST_F(Sweeps, KilledAtAnyMomentItLosesOnlyWhatRan) {
  base(workload("lz"), "[tiny]", "mode: timing\n");
  const int status = signal_after_first_result(SIGKILL);
  EXPECT_EQ(WTERMSIG(status), SIGKILL);
  const ProcessResult rest = sweep(kEight);
  EXPECT_EQ(rest.exit_code, 0) << rest.err;
  EXPECT_THAT(rest.out, Not(HasSubstr(" 0 reused")));
  EXPECT_THAT(rest.out, Not(HasSubstr(" 8 reused")));
  EXPECT_EQ(number("SELECT count(*) FROM point WHERE status = 'done'"), 8);
}

TEST_F(Sweeps, ACommandTemplateWrapsEveryRun) {
  base(workload("lz"), "[tiny]", "mode: functional\n");
  const ProcessResult process =
      sweep("grid: { core.rob: [96, 128] }\nlauncher: { command: \"echo {name} >> " +
                at("submitted").string() + "; {command} > {log} 2>&1\" }\n",
            {"--launcher", "command"});
  EXPECT_EQ(process.exit_code, 0) << process.err;
  EXPECT_EQ(number("SELECT count(*) FROM point WHERE status = 'done'"), 2);
  EXPECT_EQ(read_file(at("submitted")).size(), 2 * 33u);
}

TEST_F(Sweeps, TheFrontHoldsWhatNothingBeats) {
  base(workload("lisp"), "[tiny]", "mode: functional\n");
  const ProcessResult process = sweep(
      "grid: { profilers.0.strata: [4, 256, 512], profilers.0.rate: [16, 128] }\nobjectives: [{ "
      "max: "
      "profilers.0.overlap }, { min: profilers.0.storage_bits }]\nconstraints: "
      "profilers.0.storage_bits < 4096\n");
  ASSERT_EQ(process.exit_code, 0) << process.err;
  EXPECT_EQ(number("SELECT count(*) FROM summary WHERE feasible = 0"), 2);
  EXPECT_GE(number("SELECT count(*) FROM front"), 2);
  EXPECT_EQ(number("SELECT count(*) FROM front a JOIN summary b ON b.feasible = 1 AND "
                   "b.\"profilers.0.overlap\" > a.\"profilers.0.overlap\" AND "
                   "b.\"profilers.0.storage_bits\" <= a.\"profilers.0.storage_bits\""),
            0);
}

TEST_F(Sweeps, HalvingSpendsTheWholeProgramOnTheBestOnly) {
  base(workload("lisp"), "[small]", "mode: functional\n");
  const ProcessResult process = sweep(
      "grid: { profilers.0.strata: { pow2: [2, 256] } }\nobjectives: [{ max: profilers.0.overlap "
      "}]\nsearch: { kind: successive-halving, points: 8, budget: workload.roi.run, from: 100_000, "
      "to: 900_000, eta: 3 }\n");
  ASSERT_EQ(process.exit_code, 0) << process.err;
  EXPECT_EQ(number("SELECT count(*) FROM point WHERE budget = 100000"), 8);
  EXPECT_EQ(number("SELECT count(*) FROM point WHERE budget = 300000"), 3);
  EXPECT_EQ(number("SELECT count(*) FROM point WHERE budget IS NULL"), 1);
  EXPECT_EQ(number("SELECT count(*) FROM front"), 1);
}

TEST_F(Sweeps, TheGeneticSearchFindsTheFrontOfASmallSpace) {
  base(workload("lisp"), "[tiny]", "mode: functional\n");
  const std::string axes =
      "grid: { profilers.0.strata: { pow2: [1, 256] }, profilers.0.rate: { pow2: [1, 128] } "
      "}\nobjectives: [{ max: profilers.0.overlap }, { min: profilers.0.storage_bits }]\n";
  ASSERT_EQ(sweep(axes).exit_code, 0);
  const int64_t best = number("SELECT count(*) FROM front");
  fs::remove_all(at("out"));
  const ProcessResult process =
      sweep(axes + "search: { kind: nsga2, population: 24, generations: 12, seed: 2 }\n");
  ASSERT_EQ(process.exit_code, 0) << process.err;
  EXPECT_LT(number("SELECT count(*) FROM point"), 9 * 8);
  EXPECT_GE(number("SELECT count(*) FROM front"), best - 1);
  EXPECT_EQ(number("SELECT count(*) FROM run WHERE kind = 'run'"), 0);  // all replayed
}

}  // namespace
}  // namespace strobe::e2e
