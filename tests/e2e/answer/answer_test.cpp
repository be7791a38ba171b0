// What strobe top, annotate and compare say about real runs, and what they say when they cannot.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "sw/files/run_tool.h"
#include "tests/e2e/answer/runs.h"
#include "tests/tree.h"

namespace strobe::e2e {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// The first row of a table whose name contains `name`: the text of its line; empty if there is
/// none.
std::string row(const std::string& table, const std::string& name) {
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    if (line.find(" %") != std::string::npos && line.find(name) != std::string::npos) return line;
  }
  return "";
}

using Answers = RunsTest;

TEST_F(Answers, TopOfTheTruthAgreesWithTheFunctionsOfTheResult) {
  const ProcessResult top = strobe({"top", timed()});
  ASSERT_EQ(top.exit_code, 0) << top.err;
  EXPECT_THAT(top.out, HasSubstr("time by truth: all "));
  const auto functions = read_json(fs::path(timed()) / "result.json")["truth"]["functions"];
  ASSERT_GT(functions.size(), 3u);
  for (size_t i = 0; i < 4; ++i) {
    const std::string name = functions[i]["name"];
    char share[16];
    std::snprintf(share, sizeof share, "%.2f %%", functions[i]["share"].get<double>() * 100);
    EXPECT_THAT(row(top.out, "  " + name), HasSubstr(share)) << name << "\n" << top.out;
  }
}

TEST_F(Answers, TopOfLinesNamesFileAndLine) {
  const ProcessResult top = strobe({"top", timed(), "--by", "line"});
  ASSERT_EQ(top.exit_code, 0) << top.err;
  EXPECT_THAT(row(top.out, "othello.c:"), Not(testing::IsEmpty())) << top.out;
}

TEST_F(Answers, AProfilerBesideItsExhaustiveProfileDiffersByNothingWhenItCountsAll) {
  const ProcessResult top =
      strobe({"top", counted(), "--profiler", "complete", "--against", "exhaustive"});
  ASSERT_EQ(top.exit_code, 0) << top.err;
  EXPECT_THAT(top.out, AllOf(HasSubstr("edges by complete: all"), HasSubstr("+0.00 %")));
  EXPECT_EQ(top.out.find("%*"), std::string::npos) << top.out;
}

TEST_F(Answers, ASampledProfileHasAnIntervalAndSaysItsPeriod) {
  const ProcessResult top =
      strobe({"top", counted(), "--profiler", "sampled", "--against", "complete"});
  ASSERT_EQ(top.exit_code, 0) << top.err;
  EXPECT_THAT(top.out, AllOf(HasSubstr("samples, one in 64, for "), HasSubstr("exact")));
}

TEST_F(Answers, LoadsSayTheirValueAndCallsTheirCallee) {
  const ProcessResult loads = strobe({"top", counted(), "--by", "load"});
  ASSERT_EQ(loads.exit_code, 0) << loads.err;
  EXPECT_THAT(loads.out, testing::ContainsRegex("lz\\.c:[0-9]+\\), [0-9.]+ % is 0x"));
  const ProcessResult calls = strobe({"top", counted(), "--by", "call"});
  ASSERT_EQ(calls.exit_code, 0) << calls.err;
  EXPECT_THAT(calls.out, HasSubstr(" -> "));
}

TEST_F(Answers, AnnotateShowsInstructionsWithTheirTargets) {
  const ProcessResult page = strobe({"annotate", counted(), "--profiler", "complete"});
  ASSERT_EQ(page.exit_code, 0) << page.err;
  EXPECT_THAT(page.out, AllOf(HasSubstr("% of the edges by complete"), HasSubstr(" to "),
                              testing::ContainsRegex("lz\\.c:[0-9]+  .*[a-z]"),
                              testing::ContainsRegex("\\b[as][0-9]\\b")));
  const ProcessResult timed_page = strobe({"annotate", timed(), "legal_moves"});
  ASSERT_EQ(timed_page.exit_code, 0) << timed_page.err;
  EXPECT_THAT(timed_page.out, HasSubstr("legal_moves of othello.elf: "));
}

TEST_F(Answers, AnnotateNamesTheNearestFunction) {
  const ProcessResult page = strobe({"annotate", timed(), "legal_move"});
  EXPECT_EQ(page.exit_code, 2);
  EXPECT_THAT(page.err, HasSubstr("no function 'legal_move' in "));
  EXPECT_THAT(page.err,
              HasSubstr("(did you mean 'legal_moves'?); 'strobe top' lists the hot ones"));
}

TEST_F(Answers, CompareOfARunWithItselfFindsNoDifference) {
  const ProcessResult both = strobe({"compare", timed(), timed()});
  ASSERT_EQ(both.exit_code, 0) << both.err;
  EXPECT_THAT(both.out, AllOf(HasSubstr("cycles"), HasSubstr("A is " + timed()),
                              HasSubstr("+0.00 %"), Not(HasSubstr("%*"))));
}

TEST_F(Answers, CompareWantsTheSameKindOfEvent) {
  const ProcessResult both = strobe({"compare", timed(), counted()});
  EXPECT_EQ(both.exit_code, 2);
  EXPECT_THAT(both.err, HasSubstr("expected the same kind of event; name a profile that both have "
                                  "with --profiler"));
}

TEST_F(Answers, AMisspeltProfilerIsNamedWithTheNearest) {
  const ProcessResult top = strobe({"top", counted(), "--profiler", "complet"});
  EXPECT_EQ(top.exit_code, 2);
  EXPECT_THAT(top.err, HasSubstr("no profile 'complet' in " + counted() +
                                 " (did you mean 'complete'?); it has complete, "));
}

TEST_F(Answers, ADirectoryThatIsNoResultIsAnError) {
  const ProcessResult top = strobe({"top", scratch_.path().string()});
  EXPECT_EQ(top.exit_code, 2);
  EXPECT_THAT(top.err, HasSubstr("is not the result of a run: expected a directory with "
                                 "result.json, got a directory without it; give what 'strobe run "
                                 "--out' wrote"));
}

TEST_F(Answers, AFileThatWasChangedSinceIsAnError) {
  const fs::path copy = scratch_.path() / "copy";
  fs::copy(counted(), copy);
  std::ofstream(copy / "profile.complete.csv", std::ios::app) << "0,0x1,0x2,zz,\n";
  const ProcessResult top = strobe({"top", copy.string()});
  EXPECT_EQ(top.exit_code, 2);
  EXPECT_THAT(top.err, HasSubstr("is damaged: "));
}

TEST_F(Answers, ARunWithoutAProfileIsAnError) {
  const fs::path out = run_of(run_file(workload("lz"), "[tiny]", "[]", "mode: functional\n"));
  const ProcessResult top = strobe({"top", out.string()});
  EXPECT_EQ(top.exit_code, 2);
  EXPECT_THAT(top.err, HasSubstr("has no profile: expected profilers, productions that count, or "
                                 "truth.cycles"));
}

TEST_F(Answers, AProgramWithoutDebugLinesIsAnErrorForLinesOnly) {
  const fs::path stripped = scratch_.path() / "plain.elf";
  const auto tool = files::run_tool(
      {"riscv64-linux-gnu-objcopy", "--strip-debug", workload("lz"), stripped.string()});
  ASSERT_EQ(tool.exit_code, 0) << tool.output;
  const fs::path out =
      run_of(run_file(stripped.string(), "[tiny]", "[{ name: p, selectors: [{ profile: edge }] }]",
                      "mode: functional\n"));
  EXPECT_EQ(strobe({"top", out.string()}).exit_code, 0);
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"top", out.string(), "--by", "line"},
        std::vector<std::string>{"export", out.string(), "--format", "llvm"}}) {
    const ProcessResult process = strobe(command);
    EXPECT_EQ(process.exit_code, 2);
    EXPECT_THAT(process.err, HasSubstr("compile it with -g1 and run it again"));
  }
}

TEST_F(Answers, ForAMovedProgramTheFunctionsAreThereAndLinesSayWhereItWasLookedFor) {
  const fs::path elf = scratch_.path() / "here.elf";
  fs::copy_file(workload("lz"), elf);
  const fs::path out =
      run_of(run_file(elf.string(), "[tiny]", "[{ name: p, selectors: [{ profile: edge }] }]",
                      "mode: functional\n"));
  fs::rename(elf, scratch_.path() / "there.elf");
  EXPECT_THAT(strobe({"top", out.string()}).out, HasSubstr("longest_match"));
  const ProcessResult lines = strobe({"top", out.string(), "--by", "line"});
  EXPECT_EQ(lines.exit_code, 2);
  EXPECT_THAT(lines.err, HasSubstr("name it with --program FILE"));
  const std::string there = (scratch_.path() / "there.elf").string();
  EXPECT_EQ(strobe({"top", out.string(), "--by", "line", "--program", there}).exit_code, 0);
  const ProcessResult other = strobe({"top", out.string(), "--program", workload("othello")});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("got other bytes; give the file that ran"));
}

// The commands of docs/answers.md.
TEST_F(Answers, ThreeCommandsLeadFromASourceFileToItsHotLineAndItsInvariantLoad) {
  const std::string source = scratch_.write("app.cpp", R"(
volatile long scale = 3;
long values[1000];
int main() {
  long sum = 0;
  for (int round = 0; round < 20; ++round)
    for (long value : values)
      sum += value * scale;
  return sum != 0;
}
)");
  const std::string elf = (scratch_.path() / "app.elf").string();
  const std::string out = (scratch_.path() / "out").string();
  const auto compiler =
      files::run_tool({"riscv64-linux-gnu-g++", "-O2", "-g1", "-static", "-o", elf, source});
  ASSERT_EQ(compiler.exit_code, 0) << compiler.output;
  const ProcessResult run =
      strobe({"run", in_source("configs/runs/hot.yaml"), "--out", out, "--quiet", "--set",
              "workload.elf=" + elf, "--set", "workload.args=[]"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const ProcessResult lines = strobe({"top", out, "--by", "line", "--rows", "1"});
  EXPECT_THAT(lines.out, testing::ContainsRegex("app\\.cpp:[78] main\n")) << lines.err;
  const ProcessResult loads = strobe({"top", out, "--by", "load", "--rows", "2"});
  EXPECT_THAT(loads.out, testing::ContainsRegex("app\\.cpp:8\\), 100\\.00 % is 0x3\n"))
      << loads.err;
  const ProcessResult exact = strobe({"top", out, "--profiler", "all"});
  EXPECT_THAT(exact.out, HasSubstr("edges by all: all ")) << "events were dropped";
}

TEST_F(Answers, AReplayOfAStreamIsAnsweredLikeARun) {
  const std::string file = scratch_.write("run.yaml", run_file(workload("lz"), "[tiny]",
                                                               "[{ name: p, selectors: [{ profile: "
                                                               "edge }] }]",
                                                               "mode: functional\n"));
  const std::string table = scratch_.write("table.yaml", "- { name: few, rate: 16 }\n");
  const std::string stream = (scratch_.path() / "s").string();
  const std::string out = (scratch_.path() / "out").string();
  ASSERT_EQ(strobe({"record", file, "--out", stream, "--quiet"}).exit_code, 0);
  const ProcessResult replay = strobe(
      {"replay", stream, "--profilers", table, "--out", out, "--set", "exhaustive_profiles=true"});
  ASSERT_EQ(replay.exit_code, 0) << replay.err;
  const ProcessResult top = strobe({"top", out, "--against", "exhaustive"});
  EXPECT_EQ(top.exit_code, 0) << top.err;
  EXPECT_THAT(top.out, AllOf(HasSubstr("edges by few"), HasSubstr("by exhaustive.few: all")));
}

TEST_F(Answers, AnInstrumentedRunSaysHowManyEventsItHasRecorded) {
  const std::string out = (scratch_.path() / "out").string();
  const ProcessResult run = strobe({"run", in_source("configs/runs/ephemeral.yaml"), "--out", out,
                                    "--quiet", "--set", "workload.args=[tiny]"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto samples =
      read_json(fs::path(out) / "result.json")["instrument"]["events"].get<uint64_t>();
  const ProcessResult top = strobe({"top", out, "--rows", "1"});
  EXPECT_EQ(top.exit_code, 0) << top.err;
  EXPECT_THAT(top.out, AllOf(HasSubstr("edges by instrument.edges: "),
                             HasSubstr(" " + grouped(samples) + " samples, one in ")));
}

TEST_F(Answers, TheIdentifiersOfSignalsAreNoProfile) {
  const std::string out = (scratch_.path() / "out").string();
  const ProcessResult run = strobe({"run", in_source("configs/runs/signals.yaml"), "--out", out,
                                    "--quiet", "--set", "workload.args=[tiny]"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const ProcessResult top = strobe({"top", out});
  EXPECT_EQ(top.exit_code, 2);
  EXPECT_THAT(top.err, HasSubstr("has no profile: expected profilers"));
}

/// What a shell prints for a command line with bin/strobe as $0.
std::string shell(const std::string& line) {
  return files::run_tool({"bash", "-c", line, in_build("bin/strobe")}).output;
}

TEST_F(Answers, ColorsAreForATerminalThatWantsThem) {
  const auto on_terminal = [&](const std::string& environment) {
    return shell(environment + " script -qec \"$0 top " + timed() + "\" /dev/null");
  };
  EXPECT_THAT(on_terminal("unset NO_COLOR; TERM=xterm"), HasSubstr("\x1b[1;31m"));
  EXPECT_THAT(on_terminal("TERM=xterm NO_COLOR=1"), Not(HasSubstr("\x1b[")));
  EXPECT_THAT(on_terminal("unset NO_COLOR; TERM=dumb"), Not(HasSubstr("\x1b[")));
  EXPECT_THAT(shell("unset NO_COLOR; TERM=xterm $0 top " + timed()), Not(HasSubstr("\x1b")));
}

TEST_F(Answers, OutputThatDoesNotArriveIsAnError) {
  for (const std::string& command :
       {"top " + timed(), "annotate " + timed(), "export " + timed() + " --format folded",
        "compare " + timed() + " " + timed()}) {
    EXPECT_THAT(shell("$0 " + command + " > /dev/full; echo code $?"), HasSubstr("code 2"))
        << command;
    // A pipe that nothing reads any more.
    EXPECT_THAT(shell("exec 3> >(true); wait $!; $0 " + command + " >&3; echo code $?"),
                AllOf(HasSubstr("code "), Not(HasSubstr("code 0"))))
        << command;
  }
}

}  // namespace
}  // namespace strobe::e2e
