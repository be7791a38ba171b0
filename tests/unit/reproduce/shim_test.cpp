// The results of SHIM from made-up measurements: the numbers on the page are those, and a verdict
// follows from its interval.
#include "sw/reproduce/shim/shim.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/reproduce/shim_claims.h"

namespace strobe::reproduce::shim {
namespace {

/// Programs that all lose these shares of their time, one a setting, a little more or less.
std::vector<Program> losing(const std::vector<double>& overheads, double spread = 0.001) {
  std::vector<Program> programs;
  for (int i = 0; i < 10; ++i) {
    Program program{"p", {}};
    for (const double overhead : overheads) {
      Observed one;
      one.baseline = 1'000'000;
      one.cycles = static_cast<uint64_t>(1e6 * (1 + overhead + (i % 2 == 0 ? spread : -spread)));
      one.samples = 1000;
      program.by.push_back(one);
    }
    programs.push_back(program);
  }
  return programs;
}

TEST(ShimSignals, HoldWithThePapersOverheadsAndDifferWithoutAny) {
  const Reproduction like_paper = signals(losing({1.0, 0.02, 0.0, 0.61, 0.4, 0.26}));
  for (const Claim& claim : like_paper.claims) EXPECT_TRUE(claim.holds) << claim.statement;
  expect_rows_fit(like_paper);
  const Reproduction none = signals(losing({0, 0, 0, 0, 0, 0}));
  EXPECT_TRUE(differs(claim_with(none, "near 100 %")));
  EXPECT_TRUE(claim_with(none, "at 1213 cycles").holds) << "less than the paper's is not worse";
  EXPECT_TRUE(differs(claim_with(none, "it is 61 %")));
}

TEST(ShimSignals, AreUndecidedWhereTheProgramsDoNotAgree) {
  const Reproduction mixed = signals(losing({1.0, 0.04, 0.0, 0.61, 0.4, 0.26}, 0.9));
  EXPECT_TRUE(claim_with(mixed, "near 100 %").undecided);
}

TEST(ShimRates, AndTheOthersFitTheirTables) {
  const Reproduction ipc = rates(losing({0.47, 0.47, 0.063}));
  for (const Claim& claim : ipc.claims) EXPECT_TRUE(claim.holds) << claim.statement;
  expect_rows_fit(ipc);
  expect_rows_fit(correlation(losing({0.4, 0.3})));
  EXPECT_TRUE(differs(claim_with(remote(losing({0.05})), "essentially nothing")));
  EXPECT_TRUE(claim_with(remote(losing({0.001}, 0.0005)), "essentially nothing").holds);
}

TEST(ShimChanges, ANoCachingReadHasToSaveHalf) {
  const std::vector<double> half = {1.0, 0.4, 1.0, 0.4, 0.0, 0.6, 0.3};
  EXPECT_TRUE(claim_with(changes(losing(half)), "no-caching read").holds);
  const std::vector<double> little = {1.0, 0.6, 1.0, 0.4, 0.0, 0.6, 0.3};
  EXPECT_TRUE(differs(claim_with(changes(losing(little)), "no-caching read")));
  expect_rows_fit(changes(losing(half)));
}

std::vector<Program> corrected(double kept, double left) {
  std::vector<Program> programs = losing(std::vector<double>(correction_settings().size(), 0.1));
  for (Program& program : programs) {
    for (Observed& one : program.by) {
      one.kept = kept;
      one.impossible = 0.1;
      one.impossible_kept = left;
      one.highest = 9;
      one.rate_error = one.distance = 0.1;
      one.precision = one.recall = 0.95;
    }
  }
  return programs;
}

TEST(ShimCorrection, IsJudgedByWhatIsKeptAndWhatIsLeft) {
  const Reproduction few = correction(corrected(0.4, 0));
  EXPECT_TRUE(claim_with(few, "more than half").holds);
  EXPECT_TRUE(differs(claim_with(few, "from 2500 cycles on")));
  EXPECT_TRUE(claim_with(few, "removes all of them").holds);
  EXPECT_TRUE(claim_with(few, "there are impossible rates").holds);
  const Reproduction all = correction(corrected(0.95, 0.001));
  EXPECT_TRUE(differs(claim_with(all, "more than half")));
  EXPECT_TRUE(claim_with(all, "from 2500 cycles on").holds);
  EXPECT_TRUE(differs(claim_with(all, "removes all of them")));
  expect_rows_fit(all);
}

TEST(ShimCorrection, HasNothingToRemoveWhereNoRateIsImpossible) {
  std::vector<Program> possible = corrected(0.4, 0);
  for (Program& program : possible) program.by[0].impossible = 0;
  const Reproduction found = correction(possible);
  EXPECT_TRUE(differs(claim_with(found, "there are impossible rates")));
  EXPECT_TRUE(claim_with(found, "removes all of them").undecided);
  EXPECT_EQ(claim_with(found, "removes all of them").ours, "-");
}

/// The rows of a table by their first cell.
std::vector<std::string> row_of(const Reproduction& reproduction, const std::string& title,
                                const std::string& name) {
  for (const Table& table : reproduction.tables) {
    for (const auto& row : table.rows) {
      if (table.title == title && row.front() == name) return row;
    }
  }
  return {};
}

TEST(ShimOverhead, IsSplitByClassOfTheCpiStack) {
  std::vector<Program> programs = losing({0.4, 0.3});
  for (Program& program : programs) {
    program.by[0].effect = {{"l1", 0.5}, {"dram", -0.1}, {"fu", 0.00001}};
    program.by[1].effect = {{"l1", 0.3}};
  }
  programs[0].by[0].effect["l1"] = 1.5;
  const Reproduction found = correlation(programs);
  const std::string title = "Overhead by class of the CPI stack, mean over the programs";
  using Row = std::vector<std::string>;
  EXPECT_EQ(row_of(found, title, "l1"), Row({"l1", "60.00 %", "30.00 %"}));
  EXPECT_EQ(row_of(found, title, "dram"), Row({"dram", "-10.00 %", "0.00 %"}));
  EXPECT_EQ(row_of(found, title, "fu"), Row()) << "too little to show";
  EXPECT_EQ(row_of(found, title, "all"), Row({"all", "40.00 %", "30.00 %"}));
  expect_rows_fit(found);
}

TEST(ShimCorrelation, ALongerSampleIsComparedProgramByProgram) {
  std::vector<Program> programs = losing({0, 0});
  for (Program& program : programs) {
    program.by[0].samples = 2000;
    program.by[1].samples = 2000 * 495 / 729;
  }
  EXPECT_TRUE(claim_with(correlation(programs), "makes the sample longer").holds);
  for (Program& program : programs) program.by[1].samples = 2000;
  EXPECT_TRUE(differs(claim_with(correlation(programs), "makes the sample longer")));
  EXPECT_TRUE(differs(claim_with(correlation(programs), "costs less"))) << "no difference at all";
}

TEST(ShimRemote, ThePeriodIsNearThePapers) {
  std::vector<Program> programs = losing({0});
  for (Program& program : programs) program.by[0].samples = 1'000'000 / 280;
  EXPECT_TRUE(claim_with(remote(programs), "about 300 cycles").holds);
  for (Program& program : programs) program.by[0].samples = 1'000'000 / 1000;
  EXPECT_TRUE(differs(claim_with(remote(programs), "about 300 cycles")));
}

}  // namespace
}  // namespace strobe::reproduce::shim
