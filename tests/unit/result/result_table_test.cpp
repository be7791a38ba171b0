#include "sw/result/result_table.h"

#include <gmock/gmock.h>

#include <sstream>

#include "sw/result/make_result.h"
#include "tests/unit/result/sample_run.h"

namespace strobe::result {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string table(const platform::RunOutcome& outcome) {
  return result_table(make_result(sample_configuration(), outcome, kSampleBaseline));
}

TEST(ResultTable, OfTheSampleRun) {
  EXPECT_EQ("\n" + table(sample_outcome()), R"(
program       hash_join.elf (timing on hps2005), exited with 3
instructions  5,000,000, and 12,345 of firmware and handlers
cycles        4,040,000, IPC 1.238
CPI stack     dram 68 %, base 31 %, branch 1 %
overhead      1.00 % measured against 4,000,000 baseline cycles; 0.02 % by the analytical model
warning: the program exited with code 3, so it may have failed; look at stderr.txt of the result
warning: strat has 8 messages, fewer than 100: what the profile says is chance; run longer or sample more often
warning: strat dropped 2.00 % of its events, in phases that have many of them: its profile is of the others; a deeper queue (queue_depth) or more banks lose fewer
warning: calls counted no event: the program has none that its selectors take
warning: random256 has no queue and sees the events that strat dropped (2.00 %): the profiles are of different events, so their overlaps do not compare the samplers; make each the active one of a run

strat: events = message counts + residue + dropped: 2,000 = 1,900 + 60 + 40  ok
calls: events = message counts + residue + dropped: 0 = 0 + 0 + 0  ok

profiler   kind         fidelity events messages dropped overlap at 90 % inv.err   bits analytic
strat *    stratified   rtl       2,000        8      40  0.8250  0.8250  0.1750 16,384   0.02 %
  0        edge                   1,000                   0.7500  0.7500  0.2500
  1        value                  1,000                   0.9000  0.9000  0.1000
random256  random       model     2,000      250       0  1.0000  1.0000  0.0000     40   0.20 %
  0        edge                   1,000                   1.0000  1.0000  0.0000
  1        value                  1,000                   1.0000  1.0000  0.0000
calls      stratified   model         0        0       0       -       -       -     40   0.00 %
  0        call_target                0                        -       -       -
* active: its overhead is part of the run; the others only observe
overlap, at 90 %: 1 where the profile is exact; inv.err: 0 where it is; bits: storage
analytic: overhead by the analytical model (docs/metrics.md), not measured
)");
}

TEST(ResultTable, AnExactObserverHasNoAnalyticalOverhead) {
  platform::RunOutcome outcome = sample_outcome();
  platform::ProfilerOutcome& random = outcome.profilers[1];
  random.messages = random.message_counts = random.events;
  EXPECT_THAT(table(outcome), ::testing::ContainsRegex("random256  random .*     40    exact\n"));
  random.active = true;  // the program pays for it
  EXPECT_THAT(table(outcome), Not(HasSubstr("exact\n")));
}

TEST(ResultTable, WarnsOfAProgramThatExitedWithAnError) {
  platform::RunOutcome outcome = sample_outcome();
  outcome.exit_code = 0;
  EXPECT_THAT(table(outcome), Not(HasSubstr("warning: the program")));
  outcome.exit_code = 1;
  EXPECT_THAT(table(outcome), HasSubstr("\nwarning: the program exited with code 1, "));
  outcome.end = platform::RunEnd::kRegionDone;
  EXPECT_THAT(table(outcome), Not(HasSubstr("warning: the program")));
}

TEST(ResultTable, WarnsOfWhatTheSandboxRefused) {
  platform::RunOutcome outcome = sample_outcome();
  EXPECT_THAT(table(outcome), Not(HasSubstr("sandbox")));
  outcome.refusals.count = 1;
  outcome.refusals.first = {{"openat", "/etc/passwd", "workload.sandbox.read"}};
  EXPECT_THAT(
      table(outcome),
      HasSubstr("\nwarning: the sandbox refused 1 call that names a path; the first: openat "
                "/etc/passwd (workload.sandbox.read would allow it)\n"));
  outcome.refusals.count = 1234;
  outcome.refusals.first = {{"mkdirat", "/sys/x", ""}, {"openat", "/etc/passwd", "a.key"}};
  EXPECT_THAT(table(outcome),
              HasSubstr("\nwarning: the sandbox refused 1,234 calls that name a path; the first: "
                        "mkdirat /sys/x (no key of the run file allows it)\n"));
}

TEST(ResultTable, WarnsOfSystemCallsThatTheProxyDoesNotHave) {
  platform::RunOutcome outcome = sample_outcome();
  EXPECT_THAT(table(outcome), Not(HasSubstr("ENOSYS")));
  outcome.unsupported_calls.add(97, "unshare");
  outcome.unsupported_calls.add(452, "");
  outcome.unsupported_calls.add(452, "");
  outcome.unsupported_calls.count = 5;
  EXPECT_THAT(
      table(outcome),
      HasSubstr("\nwarning: the program made system calls that the proxy does not have and that "
                "answered ENOSYS: 97 (unshare) once, 452 (not known to Linux 6.1) 2 times, others "
                "2 times; docs/linux-proxy.md lists what it has\n"));
}

TEST(ResultTable, IsTheSameFromAResultThatWasReadBack) {
  const auto result = make_result(sample_configuration(), sample_outcome(), kSampleBaseline);
  EXPECT_EQ(result_table(nlohmann::json::parse(result.dump())), result_table(result));
}

TEST(ResultTable, FitsIn100ColumnsWithLargeNumbers) {
  auto outcome = sample_outcome();
  outcome.profilers[0].events = 123456789012;
  outcome.profilers[0].messages = 99999999;
  outcome.profilers[0].storage_bits = 1234567;
  outcome.counters.clear();
  for (const char* name : {"interrupt_entry", "serializing", "dependency", "handler", "syscall",
                           "ifetch", "branch", "base", "dram"}) {
    outcome.counters[std::string("core.cpi.") + name] = 12345678;
  }
  std::istringstream lines(table(outcome));
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("warning: ", 0) != 0) EXPECT_LE(line.size(), 100u) << line;
  }
}

TEST(ResultTable, ShortensLargeNumbersAtTheirLimits) {
  const std::pair<uint64_t, const char*> cases[] = {{0, " 0 "},
                                                    {999, " 999 "},
                                                    {1000, " 1,000 "},
                                                    {99999, " 99,999 "},
                                                    {100000, " 100.0k "},
                                                    {999949, " 999.9k "},
                                                    {999950, " 1.000M "},
                                                    {1234567, " 1.235M "},
                                                    {9999499, " 9.999M "},
                                                    {9999500, " 10.00M "},
                                                    {12345678, " 12.35M "},
                                                    {123456789012, " 123.5G "},
                                                    {~uint64_t{0}, " 18.45E "}};
  for (const auto& [number, text] : cases) {
    auto outcome = sample_outcome();
    outcome.profilers[0].storage_bits = number;
    EXPECT_THAT(table(outcome), HasSubstr(text));
  }
}

TEST(ResultTable, ShoutsWhenEventsWereLost) {
  auto outcome = sample_outcome();
  outcome.profilers[0].message_counts = 1899;
  EXPECT_THAT(table(outcome),
              HasSubstr("strat: events = message counts + residue + dropped: 2,000 = 1,899 + 60 + "
                        "40  NOT CONSERVED\n"));
}

TEST(ResultTable, SaysHowTheRunEnded) {
  auto outcome = sample_outcome();
  outcome.error = "the reason";
  outcome.end = platform::RunEnd::kDeadlock;
  EXPECT_THAT(table(outcome), HasSubstr("(timing on hps2005), deadlocked: the reason\n"));
  outcome.end = platform::RunEnd::kFailed;
  EXPECT_THAT(table(outcome), HasSubstr("failed: the reason\n"));
  outcome.end = platform::RunEnd::kLimit;
  EXPECT_THAT(table(outcome), HasSubstr("stopped at its limit: the reason\n"));
  outcome.end = platform::RunEnd::kRegionDone;
  EXPECT_THAT(table(outcome), HasSubstr("reached the end of its region\n"));
}

TEST(ResultTable, WithoutProfilersIsTheHeader) {
  auto outcome = sample_outcome();
  outcome.profilers.clear();
  outcome.exit_code = 0;
  EXPECT_EQ(table(outcome),
            "program       hash_join.elf (timing on hps2005), exited with 0\n"
            "instructions  5,000,000, and 12,345 of firmware and handlers\n"
            "cycles        4,040,000, IPC 1.238\n"
            "CPI stack     dram 68 %, base 31 %, branch 1 %\n");
}

TEST(ResultTable, OfAFunctionalRunHasNoCycles) {
  auto outcome = sample_outcome();
  outcome.cycles = 0;
  outcome.counters.clear();
  EXPECT_THAT(table(outcome), StartsWith("program"));
  EXPECT_THAT(table(outcome), Not(HasSubstr("IPC")));
  EXPECT_THAT(table(outcome), Not(HasSubstr("CPI stack")));
}

}  // namespace
}  // namespace strobe::result
