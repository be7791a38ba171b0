// Is the truth about time reported whole, by instruction, function, line and loop, and are the
// errors of samplers those that can be computed by hand?
#include "sw/result/truth_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sw/profile/reports/export.h"
#include "sw/result/truth_table.h"
#include "tests/unit/result/documented_keys.h"

namespace strobe::result {
namespace {

using nlohmann::json;
using platform::kCycleParts;
using platform::TimeParts;
using testing::HasSubstr;
using testing::Not;

/// Cycles or samples as parts.
constexpr uint64_t whole(uint64_t count) { return count * kCycleParts; }

/// A region of 100 cycles. Main has 40, leaf 50, 30 of these in a loop; machine mode has 10. The
/// timer sampler finds other instructions, dispatch finds other functions, next_commit finds
/// nothing.
platform::TruthOutcome sample_truth() {
  platform::TruthOutcome outcome;
  outcome.instructions = {{0x100, 4}, {0x104, 4}, {0x200, 4}, {0x204, 4}};
  outcome.jumps = {{0x204, 0x204}};
  outcome.parts = {TimeParts{whole(10), {whole(4), 0, 0, whole(1)}},
                   TimeParts{whole(30), {0, whole(9), 0, whole(3)}},
                   TimeParts{whole(20), {whole(5), 0, 0, whole(2)}},
                   TimeParts{whole(30), {0, 0, 0, whole(3)}}};
  outcome.machine = {whole(10), {whole(1), whole(1), 0, whole(1)}};
  outcome.cycles = 100;
  outcome.period = 10;
  outcome.storage_bits = {0, 193, 65, 328};
  return outcome;
}

uint64_t symbol_start(uint64_t pc) { return pc & ~uint64_t{0xff}; }

const profile::ProgramNames kNames = {
    [](uint64_t pc) {
      const std::string name = pc < 0x200 ? "main" : "leaf<a, b>";
      return name + (pc % 0x100 == 0 ? "+0x0" : "+0x4");
    },
    [](uint64_t pc) { return pc == 0x200 ? std::string() : "a.c:" + std::to_string(pc / 0x100); }};

TruthReport report_of(const platform::TruthOutcome& outcome) {
  return TruthReport(outcome, symbol_start, kNames);
}

TEST(TruthReport, HasTheKeysThatThePageLists) {
  const json truth = report_of(sample_truth()).json();
  EXPECT_EQ(keys_of(truth), documented_keys("### truth"));
  EXPECT_EQ(keys_of(truth["functions"][0]), documented_keys("### truth.functions[]"));
  EXPECT_EQ(keys_of(truth["lines"][0]), documented_keys("### truth.functions[]"));
  EXPECT_EQ(keys_of(truth["loops"][0]), documented_keys("### truth.functions[]"));
  EXPECT_EQ(keys_of(truth["samplers"]["timer"]), documented_keys("### truth.samplers"));
}

/// The names of rows and their cycles.
std::string rows(const json& list) {
  std::string out;
  for (const json& row : list) {
    out += row["name"].get<std::string>() + "=" + row["cycles"].dump() + " ";
  }
  return out;
}

TEST(TruthReport, GroupsCyclesByFunctionLineAndLoopTheMostFirst) {
  const json truth = report_of(sample_truth()).json();
  EXPECT_EQ(truth["instructions"], 4);
  EXPECT_EQ(truth["machine_cycles"], 10.0);
  EXPECT_EQ(rows(truth["functions"]), "leaf<a, b>=50.0 main=40.0 [machine mode]=10.0 ");
  EXPECT_EQ(rows(truth["lines"]), "a.c:1=40.0 a.c:2=30.0 [no line]=20.0 [machine mode]=10.0 ");
  EXPECT_EQ(rows(truth["loops"]),
            "[no loop]=60.0 leaf<a, b>+0x4 (a.c:2)=30.0 [machine mode]=10.0 ");
  EXPECT_EQ(truth["functions"][0]["share"], 0.5);
  EXPECT_EQ(truth["functions"][0]["sampled"]["timer"], 0.5);
  EXPECT_EQ(truth["functions"][0]["sampled"]["dispatch"], 0.0);
  EXPECT_TRUE(truth["functions"][0]["sampled"]["next_commit"].is_null());
}

TEST(TruthReport, TheErrorIsTheShareOfCyclesThatIsAttributedToTheWrongPlace) {
  const json samplers = report_of(sample_truth()).json()["samplers"];
  ASSERT_EQ(samplers.size(), 4u);
  // Shares by instruction: 0.1, 0.3, 0.2, 0.3 and 0.1 of machine mode. The timer says 0.4, 0, 0.5,
  // 0 and 0.1: 0.1 + 0.2 + 0.1 are right. By function: 0.4, 0.5, 0.1 are all right.
  EXPECT_EQ(samplers["timer"]["samples"], 10);
  EXPECT_NEAR(samplers["timer"]["error_by_instruction"], 0.6, 1e-12);
  EXPECT_NEAR(samplers["timer"]["error_by_function"], 0, 1e-12);
  // Dispatch says 0.9 of the second and 0.1 of machine mode: 0.3 + 0.1; by function 0.4 + 0.1.
  EXPECT_NEAR(samplers["dispatch"]["error_by_instruction"], 0.6, 1e-12);
  EXPECT_NEAR(samplers["dispatch"]["error_by_function"], 0.5, 1e-12);
  EXPECT_EQ(samplers["next_commit"]["samples"], 0);
  EXPECT_TRUE(samplers["next_commit"]["error_by_instruction"].is_null());
  EXPECT_NEAR(samplers["time_proportional"]["error_by_instruction"], 0, 1e-12);
  EXPECT_EQ(samplers["time_proportional"]["storage_bits"], 328);
}

TEST(TruthReport, TheFileHasEveryInstructionTheMostFirst) {
  EXPECT_EQ("\n" + report_of(sample_truth()).csv().second, R"(
pc,symbol,line,loop,cycles_840,timer_840,dispatch_840,next_commit_840,time_proportional_840
0x104,main+0x4,a.c:1,,25200,0,7560,0,2520
0x204,"leaf<a, b>+0x4",a.c:2,0x204,25200,0,0,0,2520
0x200,"leaf<a, b>+0x0",,,16800,4200,0,0,1680
0x100,main+0x0,a.c:1,,8400,3360,0,0,840
,[machine mode],,,8400,840,840,0,840
)");
}

TEST(TruthReport, WithoutSamplersThereIsOnlyTheTruth) {
  platform::TruthOutcome outcome = sample_truth();
  outcome.period = 0;
  for (TimeParts& parts : outcome.parts) parts.samples = {};
  outcome.machine.samples = {};
  const json truth = report_of(outcome).json();
  EXPECT_TRUE(truth["samplers"].empty());
  EXPECT_TRUE(truth["functions"][0]["sampled"].empty());
  EXPECT_THAT(report_of(outcome).csv().second, HasSubstr("pc,symbol,line,loop,cycles_840\n"));
  EXPECT_EQ("\n" + truth_table(truth), R"(
where the cycles go             cycles    share
leaf<a, b>                          50  50.00 %
main                                40  40.00 %
[machine mode]                      10  10.00 %
)");
}

TEST(TruthReport, WhatFoundNoRoomIsARow) {
  platform::TruthOutcome outcome = sample_truth();
  outcome.beyond.cycles = whole(60);
  EXPECT_THAT(rows(report_of(outcome).json()["functions"]), HasSubstr("[other pages]=60.0 "));
  EXPECT_THAT(report_of(outcome).csv().second, HasSubstr("\n,[other pages],,,50400,"));
}

TEST(TruthReport, HasNoMoreRowsThanItsLimit) {
  platform::TruthOutcome outcome;
  for (uint64_t i = 0; i < 2 * TruthReport::kMostRows; ++i) {
    outcome.instructions.push_back({0x1000 + 4 * i, 4});
    outcome.parts.push_back({whole(i + 1), {}});
  }
  const profile::ProgramNames names = {[](uint64_t pc) { return profile::hexadecimal(pc); }, {}};
  const auto itself = [](uint64_t pc) { return pc; };
  const json truth = TruthReport(outcome, itself, names).json();
  EXPECT_EQ(truth["functions"].size(), TruthReport::kMostRows);
  EXPECT_EQ(truth["functions"][0]["cycles"], 200.0);
  EXPECT_THAT(truth_table(truth), HasSubstr("\nmore functions are in result.json\n"));
}

TEST(TruthTable, HasTheFiguresOfEachSamplerBelowItsColumn) {
  EXPECT_EQ("\n" + truth_table(report_of(sample_truth()).json()), R"(
where the cycles go             cycles    share             timer          dispatch       next_commit time_proportional
leaf<a, b>                          50  50.00 %           50.00 %            0.00 %                 -           50.00 %
main                                40  40.00 %           40.00 %           90.00 %                 -           40.00 %
[machine mode]                      10  10.00 %           10.00 %           10.00 %                 -           10.00 %
samples                                                        10                10                 0                10
error by function                                          0.00 %           50.00 %                 -            0.00 %
error by instruction                                      60.00 %           60.00 %                 -            0.00 %
bits in the core                                                0               193                65               328
)");
}

TEST(TruthTable, ClipsNamesThatAreTooLong) {
  json truth = report_of(sample_truth()).json();
  truth["functions"][0]["name"] = std::string(200, 'x');
  EXPECT_THAT(truth_table(truth), HasSubstr("\nxxxxxxxxxxxxxxxxx...xxxxxxxx "));
  EXPECT_THAT(truth_table(truth), Not(HasSubstr(std::string(26, 'x'))));
}

}  // namespace
}  // namespace strobe::result
