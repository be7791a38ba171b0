// Tables 2 to 6 of ephemeral instrumentation from made-up measurements: the numbers on the page are
// those, and a verdict follows from its interval.
#include "sw/reproduce/ephemeral/ephemeral.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

namespace strobe::reproduce::ephemeral {
namespace {

const Claim& claim_beginning(const Reproduction& reproduction, const std::string& beginning) {
  const auto found =
      std::find_if(reproduction.claims.begin(), reproduction.claims.end(),
                   [&](const Claim& claim) { return claim.statement.rfind(beginning, 0) == 0; });
  if (found == reproduction.claims.end()) throw std::runtime_error("no claim " + beginning);
  return *found;
}

const PaperTable& wc() { return kTables[0]; }

/// A program that does what the paper's wc does, a little more or less.
Measured like_wc(uint64_t more) {
  Measured program;
  program.program = "p";
  program.training_cycles = 1'000'000;
  program.local = 100'000;
  program.complete = 72'300 + more;
  constexpr uint64_t kTraining[] = {1'039'000, 1'040'000, 1'038'000, 1'066'000};
  for (size_t i = 0; i < program.ephemeral.size(); ++i) {
    program.ephemeral[i] = {kTraining[i] + more, 72'300 + more, 0.01};
  }
  return program;
}

std::vector<Measured> six() {
  std::vector<Measured> programs;
  for (uint64_t more = 0; more < 6; ++more) programs.push_back(like_wc(10 * more));
  return programs;
}

TEST(EphemeralTables, WhatThePaperMeasuredHolds) {
  const Reproduction found = table(wc(), six());
  EXPECT_EQ(found.name, "ephemeral-table2");
  EXPECT_EQ(found.claims.size(), 1u + 4 + 4 + 1);
  for (const Claim& claim : found.claims) EXPECT_TRUE(claim.holds) << claim.statement;
}

TEST(EphemeralTables, TheNumbersAreThoseOfTheCycles) {
  const Reproduction found = table(wc(), six());
  const Table& cycles = found.tables.at(0);
  EXPECT_EQ(cycles.rows.at(0), (std::vector<std::string>{"wc (paper)", "72.30 %", "72.30 %",
                                                         "72.30 %", "72.30 %", "72.30 %"}));
  EXPECT_EQ(cycles.rows.at(1).at(1), "72.30 %");
  EXPECT_EQ(cycles.rows.at(2).at(1), "72.31 %");
  const Table& costs = found.tables.at(1);
  EXPECT_EQ(costs.rows.at(1),
            (std::vector<std::string>{"p", "3.90 %", "4.00 %", "3.80 %", "6.60 %"}));
  for (const Table& one : found.tables) {
    for (const auto& row : one.rows) EXPECT_EQ(row.size(), one.header.size());
  }
}

TEST(EphemeralTables, ALostCellIsNoClaim) {
  const Reproduction espresso = table(kTables[3], six());
  EXPECT_EQ(espresso.claims.size(), 1u + 0 + 4 + 1);
  EXPECT_EQ(espresso.tables.at(0).rows.at(0).at(2), "-");
}

TEST(EphemeralTables, AProfileThatIsWorthLessDiffers) {
  std::vector<Measured> programs = six();
  for (Measured& program : programs) program.ephemeral[0].test_cycles += 8'100;
  const Reproduction as_wc = table(wc(), programs);
  EXPECT_FALSE(claim_beginning(as_wc, "persistence 10 gives").holds);
  EXPECT_FALSE(claim_beginning(as_wc, "persistence 10 gives").undecided);
  EXPECT_TRUE(claim_beginning(as_wc, "persistence 100 gives").holds);
  EXPECT_TRUE(claim_beginning(table(kTables[1], programs), "persistence 10 gives").holds)
      << "compress loses as much in the paper";
}

TEST(EphemeralTables, AnOverheadBesideThePapersDiffers) {
  std::vector<Measured> programs = six();
  for (Measured& program : programs) program.ephemeral[3].training_cycles += 30'000;
  const Claim& claim = claim_beginning(table(wc(), programs), "persistence 10000 costs");
  EXPECT_FALSE(claim.holds);
  EXPECT_FALSE(claim.undecided);
}

TEST(EphemeralTables, TheAimNeedsTheMeanAndTheNumberOfPrograms) {
  std::vector<Measured> programs = six();
  EXPECT_TRUE(claim_beginning(table(wc(), programs), "(our own aim)").holds);
  programs.back().complete = programs.back().local;
  EXPECT_FALSE(claim_beginning(table(wc(), programs), "(our own aim)").holds) << "five are faster";
  for (Measured& program : programs) program.complete = program.local - 1;
  EXPECT_FALSE(claim_beginning(table(wc(), programs), "(our own aim)").holds) << "by too little";
}

}  // namespace
}  // namespace strobe::reproduce::ephemeral
