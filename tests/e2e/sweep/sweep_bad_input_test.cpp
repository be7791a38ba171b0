// Each error in a sweep is reported with its place, and no result is lost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "sw/files/temporary.h"
#include "tests/e2e/sweep/sweep_fixture.h"

namespace strobe::e2e {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class BadSweeps : public SweepTest {
 protected:
  BadSweeps() {
    scratch_.write("base.yaml",
                   run_file(workload("lz"), "[tiny]",
                            "[{ name: s, rate: 16, strata: 256, selectors: [{ profile: edge }] }]",
                            "mode: functional\n"));
  }
  /// The sweep is refused before anything is written, and the message has these parts.
  void expect_refused(const std::string& text, const std::vector<std::string>& parts) const {
    const ProcessResult process = sweep(text);
    EXPECT_EQ(process.exit_code, 2) << process.out << process.err;
    for (const std::string& part : parts) EXPECT_THAT(process.err, HasSubstr(part));
    EXPECT_FALSE(fs::exists(at("out")));
  }
};

TEST_F(BadSweeps, AnEmptySpaceNamesTheConditions) {
  expect_refused("grid: { profilers.0.rate: [16, 32] }\nwhere: profilers.0.rate > 100\n",
                 {"the space is empty", "none of its 2 designs", "'profilers.0.rate > 100'"});
  expect_refused("grid: { profilers.0.rate: [] }\n",
                 {"sweep.yaml:2:27: error: grid.profilers.0.rate: expected at least one value"});
  expect_refused("grid: { profilers.0.rate: { pow2: [64, 16] } }\n", {"empty range", "2:35"});
}

TEST_F(BadSweeps, NamesOfAListAreOneForEachEntryAndEachOnce) {
  expect_refused("list:\n  - { name: a, profilers.0.rate: 16 }\n  - { profilers.0.rate: 32 }\n",
                 {"sweep.yaml:4:5: error: list.name: expected a name in every entry of the list"});
  expect_refused(
      "list:\n  - { name: a, profilers.0.rate: 16 }\n  - { name: a, profilers.0.rate: 32 }\n",
      {"expected each name once, got 'a' again"});
  expect_refused("list: [{ name: [a], profilers.0.rate: 16 }]\n", {"expected a text, got a list"});
  expect_refused("list: [{ name: a }]\n", {"list: expected a key of the run file, got none"});
}

TEST_F(BadSweeps, AConstraintThatNothingSatisfiesIsSaidAndTheResultsStay) {
  const ProcessResult process = sweep(
      "grid: { profilers.0.rate: [16, 32] }\nobjectives: [{ max: profilers.0.overlap "
      "}]\nconstraints: profilers.0.overlap > 2\n");
  EXPECT_EQ(process.exit_code, 1);
  EXPECT_THAT(process.err, HasSubstr("no design satisfies the constraints"));
  explore::Database database(at("out/sweep.sqlite").string());
  EXPECT_EQ(database.integer("SELECT count(*) FROM point WHERE status = 'done'"), 2);
}

TEST_F(BadSweeps, AQuestionNamesOnlyWhatTheSweepHas) {
  const auto question = [](const std::string& where, const std::string& best,
                           const std::string& answer) {
    return "grid: { profilers.0.rate: [16], profilers.0.hash: [paper, crc32c] }\nquestion:\n  ask: "
           "Which?\n  where: " +
           where + "\n  best: { min: " + best + " }\n  answer: \"" + answer + "\"\n";
  };
  const std::string good = "profilers.0.messages";
  expect_refused(
      question("max(profilers.0.mesages) < 9", good, "{design}"),
      {"sweep.yaml:5:10: error: question.where: 'profilers.0.mesages' is neither an axis "
       "nor a number of result.json (did you mean 'profilers.0.messages'?)"});
  expect_refused(question("max(profilers.0.rate) < 9", good, "{design}"),
                 {"sweep.yaml:5:10: error: question.where: max is of the points of a design, "
                  "expected the key of a result in it, got the axis 'profilers.0.rate'"});
  expect_refused(
      question(good + " > 0", "profilers.0.hash", "{design}"),
      {"question.best: expected a number, got the texts of the axis 'profilers.0.hash'"});
  expect_refused(
      question(good + " > 0", good, "{desing}"),
      {"question.answer: 'desing' is neither an axis nor a number of result.json (did you "
       "mean 'design'?)"});
  expect_refused(question(good + " >", good, "{design}"), {"question.where: wrong expression"});
}

TEST_F(BadSweeps, AQuestionThatNothingAnswersSaysWhatToLoosen) {
  const ProcessResult process = sweep(
      "grid: { profilers.0.rate: [16, 32] }\nquestion:\n  ask: How few?\n  where: "
      "profilers.0.overlap > 2\n  best: { min: profilers.0.messages }\n  answer: \"{design}\"\n");
  EXPECT_THAT(process.out, HasSubstr("How few?"));
  EXPECT_THAT(process.out, HasSubstr("profilers.0.overlap > 2"));
}

TEST_F(BadSweeps, AnAxisThatNamesNoKeyGetsTheNearestName) {
  expect_refused(
      "grid:\n  profilers.0.stratta: [16, 32]\n",
      {"sweep.yaml:3:3: error: profilers.0.stratta: unknown key (did you mean 'strata'?)"});
  expect_refused("grid:\n  profilers.7.rate: [16]\n",
                 {"sweep.yaml:3:3", "no such list item", "below 1"});
  expect_refused("grid:\n  profilers.0.rate: [16, many]\n",
                 {"sweep.yaml:3:26", "expected an integer, got 'many'"});
  expect_refused("grid:\n  profilers.0.rate: [16, 5000]\n", {"sweep.yaml:3:26", "out of range"});
  expect_refused("grid:\n  workload.elf: [a.elf]\n", {"list the programs under 'workloads'"});
}

TEST_F(BadSweeps, TwoAxesOnOneKeyAreRefused) {
  expect_refused("grid:\n  profilers.0.rate: [16]\nzip:\n  profilers.0.rate: [32]\n",
                 {"sweep.yaml:5:3", "two axes set the same key", "in line 3"});
  expect_refused("grid:\n  core.predictor: [{kind: gshare}]\n  core.predictor.kind: [gshare]\n",
                 {"sweep.yaml:4:3", "two axes set the same key"});
  expect_refused("seeds: [1, 2]\ngrid:\n  seed: [16]\n",
                 {"sweep.yaml:4:3", "two axes set the same key"});
}

TEST_F(BadSweeps, AnObjectiveThatNoRunProducesIsRefusedBeforeAnythingRuns) {
  expect_refused("grid: { profilers.0.rate: [16] }\nobjectives:\n  - max: profilers.0.overlapp\n",
                 {"sweep.yaml:4:10", "no run produces 'profilers.0.overlapp'",
                  "did you mean 'profilers.0.overlap'?"});
  expect_refused("grid: { profilers.0.rate: [16] }\nconstraints: profilers.1.overlap > 0\n",
                 {"sweep.yaml:3:14", "no run produces 'profilers.1.overlap'"});
  expect_refused(
      "grid: { profilers.0.rate: [16] }\nobjectives: [{ min: truth.samplers.timer.samples }]\n",
      {"sweep.yaml:3:21", "no run produces 'truth.samplers.timer.samples'"});
  expect_refused("grid: { profilers.0.rate: [16] }\nobjectives: [{ most: cycles }]\n",
                 {"expected 'min: KEY' or 'max: KEY'"});
}

TEST_F(BadSweeps, ACounterThatNoRunHasIsSaidAfterwards) {
  const ProcessResult process =
      sweep("grid: { profilers.0.rate: [16] }\nobjectives: [{ max: counters.nothing }]\n");
  EXPECT_THAT(process.err, HasSubstr("no run produced 'counters.nothing'"));
}

TEST_F(BadSweeps, AWrongExpressionIsShownWhereItStops) {
  expect_refused(
      "grid: { profilers.0.rate: [16] }\nwhere: profilers.0.rate >\n",
      {"sweep.yaml:3:8", "wrong expression, character 19: expected a number", "the end"});
  expect_refused("grid: { profilers.0.rate: [16] }\nwhere: profilers.0.rat > 3\n",
                 {"neither an axis nor a key", "did you mean 'profilers.0.rate'?"});
}

TEST_F(BadSweeps, ADesignThatIsNoConfigurationIsNamed) {
  expect_refused("grid: { profilers.0.rate: [16, 512] }\n",
                 {"sweep.yaml:2:32", "expected at most 2^counter_width",
                  "in the design 'profilers.0.rate=512': exclude it with 'where'"});
}

TEST_F(BadSweeps, UnknownKeysAndAMissingBaseAreSaidAllAtOnce) {
  scratch_.write("sweep.yaml", "gird: { profilers.0.rate: [16] }\nsearch: randm\n");
  const ProcessResult process =
      strobe({"sweep", at("sweep.yaml").string(), "--out", at("out").string()});
  EXPECT_EQ(process.exit_code, 2);
  EXPECT_THAT(process.err, AllOf(HasSubstr("base: missing key"), HasSubstr("did you mean 'grid'?"),
                                 HasSubstr("did you mean 'random'?")));
}

TEST_F(BadSweeps, MoreRunsThanTheLimitNeedYes) {
  const std::string text = "grid: { core.rob: [96, 112, 128] }\nlimits: { runs: 2 }\n";
  expect_refused(
      text, {"the plan has 3 runs, more than limits.runs, which is 2; give --yes to start them"});
  EXPECT_EQ(sweep(text, {"--yes"}).exit_code, 0);
}

TEST_F(BadSweeps, ADamagedResultIsSaidAndItsRunIsMadeAgain) {
  const std::string text = "grid: { profilers.0.rate: [16] }\n";
  ASSERT_EQ(sweep(text).exit_code, 0);
  for (const auto& run : fs::directory_iterator(at("out/runs"))) {
    std::ofstream(run.path() / "result.json") << "{ \"cycles\": ";
  }
  fs::remove(at("out/sweep.sqlite"));
  const ProcessResult process = sweep(text);
  EXPECT_EQ(process.exit_code, 0);
  EXPECT_THAT(process.out, HasSubstr("1 point in 1 run, 0 reused"));
  EXPECT_THAT(process.err, AllOf(HasSubstr("strobe: warning: "), HasSubstr("out/runs/"),
                                 HasSubstr("result.json is damaged: expected SHA-256 "),
                                 HasSubstr("its run is repeated")));
}

TEST_F(BadSweeps, ADatabaseOfANewerVersionIsLeftAlone) {
  const std::string text = "grid: { profilers.0.rate: [16] }\n";
  ASSERT_EQ(sweep(text).exit_code, 0);
  { explore::Database(at("out/sweep.sqlite").string()).run("PRAGMA user_version = 99"); }
  const std::string before = read_file(at("out/sweep.sqlite"));
  const ProcessResult process = sweep(text);
  EXPECT_EQ(process.exit_code, 2);
  EXPECT_THAT(process.err, AllOf(HasSubstr("written by a newer Strobe"), HasSubstr("got 99")));
  EXPECT_EQ(read_file(at("out/sweep.sqlite")), before);
}

TEST_F(BadSweeps, AFileThatIsNoDatabaseIsPutAside) {
  fs::create_directories(at("out"));
  std::ofstream(at("out/sweep.sqlite")) << "these are my notes, not a database\n";
  const ProcessResult process = sweep("grid: { profilers.0.rate: [16] }\n");
  EXPECT_EQ(process.exit_code, 0);
  EXPECT_THAT(process.err, AllOf(HasSubstr("strobe: warning: the database "),
                                 HasSubstr("is damaged: it was renamed to "),
                                 HasSubstr("a new one is built from the runs")));
  EXPECT_EQ(read_file(at("out/sweep.sqlite.damaged")), "these are my notes, not a database\n");
}

TEST_F(BadSweeps, AFullDiskIsSaidAndWhatIsWholeIsKept) {
  const std::string text = "grid: { profilers.0.rate: [16] }\n";
  ASSERT_EQ(sweep(text).exit_code, 0);
  fs::remove(at("out/sweep.sqlite"));
  // A limit on the size of files is met as a full disk is: writing fails.
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{20'000, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const ProcessResult process = sweep(text);
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(process.exit_code, 2);
  EXPECT_THAT(process.err, HasSubstr("every complete run is kept"));
  const ProcessResult again = sweep(text);
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.out, HasSubstr("1 point in 0 runs, 1 reused"));
}

TEST_F(BadSweeps, ARunThatIsNotThereIsSaidByExplain) {
  const ProcessResult process = strobe({"explain", at("out/runs/1234").string()});
  EXPECT_EQ(process.exit_code, 2);
  EXPECT_THAT(process.err, HasSubstr("expected DIR/runs/ID"));
}

TEST_F(BadSweeps, ADamagedRecordIsNamedByExplainAndReport) {
  const std::string text =
      "grid: { profilers.0.rate: [16] }\nobjectives: [{ max: profilers.0.overlap }]\n";
  ASSERT_EQ(sweep(text).exit_code, 0);
  fs::path record;
  for (const auto& entry : fs::directory_iterator(at("out/jobs"))) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() == ".json" && name.find(".end.") == std::string::npos) {
      record = entry.path();
    }
  }
  std::ofstream(record) << "{\"id\": \"1\"}";
  const std::string expected =
      "strobe: error: " + record.string() +
      " is damaged: key 'checksum' not found; remove it and start the sweep "
      "again\n";
  EXPECT_EQ(strobe({"explain", at("out/runs/" + record.stem().string()).string()}).err, expected);
  EXPECT_EQ(strobe({"report", at("out").string(), "--format", "text"}).err, expected);
}

TEST_F(BadSweeps, ADamagedDatabaseIsNamedByReport) {
  const std::string text =
      "grid: { profilers.0.rate: [16] }\nobjectives: [{ max: profilers.0.overlap }]\n";
  ASSERT_EQ(sweep(text).exit_code, 0);
  const std::string file = at("out/sweep.sqlite").string();
  for (const char* damage : {"UPDATE run SET result = '{'", "UPDATE point SET run = 'none'"}) {
    explore::Database(file).run(damage);
    const ProcessResult report = strobe({"report", at("out").string(), "--format", "text"});
    EXPECT_EQ(report.exit_code, 2);
    EXPECT_THAT(report.err,
                AllOf(HasSubstr("the database " + file + " is damaged: "),
                      HasSubstr("; remove it and start the sweep again, which rebuilds it")));
  }
}

TEST_F(BadSweeps, WhatAKilledSweepWasWritingIsRemovedByTheNext) {
  const std::string text = "grid: { profilers.0.rate: [16] }\n";
  fs::create_directories(at("out/runs"));
  const pid_t child = fork();
  if (child == 0) {
    fs::create_directory(files::temporary_of(at("out/runs/1234")));
    std::ofstream(files::temporary_of(at("out/sweep.yaml"))) << "half";
    kill(getpid(), SIGKILL);
  }
  waitpid(child, nullptr, 0);
  ASSERT_EQ(sweep(text).exit_code, 0);
  for (const auto& entry : fs::recursive_directory_iterator(at("out"))) {
    EXPECT_EQ(entry.path().filename().string().find(".tmp-"), std::string::npos) << entry.path();
  }
}

}  // namespace
}  // namespace strobe::e2e
