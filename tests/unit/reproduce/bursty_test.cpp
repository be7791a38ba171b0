// Figures 6 to 8 of "Bursty Tracing" from made-up measurements: the numbers on the page are those,
// and a verdict follows from its interval.
#include "sw/reproduce/bursty/bursty.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace strobe::reproduce::bursty {
namespace {

using testing::HasSubstr;

/// The claim whose statement begins so.
const Claim& claim_of(const Reproduction& reproduction, const std::string& beginning) {
  const auto found =
      std::find_if(reproduction.claims.begin(), reproduction.claims.end(),
                   [&](const Claim& claim) { return claim.statement.rfind(beginning, 0) == 0; });
  if (found == reproduction.claims.end()) throw std::runtime_error("no claim " + beginning);
  return *found;
}

Cost cost(uint64_t cycles, uint64_t instructions = 1000) { return {cycles, instructions, 2048, 3}; }

/// A program whose variants cost what the paper's do, a little more or less.
Basic basic(const std::string& name, uint64_t more) {
  Basic program;
  program.program = name;
  program.original = {10000, 8000, 1024, 2};
  constexpr uint64_t kCycles[] = {11600, 11200, 11000, 10900, 11300, 11200, 11000, 10500};
  for (size_t i = 0; i < program.variants.size(); ++i)
    program.variants[i] = cost(kCycles[i] + more);
  return program;
}

TEST(ByInterval, AClaimHoldsDiffersOrIsUndecided) {
  const Claim holds = claim_by_interval("s", {0.10, 0.11, 0.12}, 0.05, 0.20, "why");
  EXPECT_TRUE(holds.holds);
  EXPECT_FALSE(holds.undecided);
  EXPECT_THAT(holds.ours, HasSubstr("11.0 +- 2.5 %"));
  EXPECT_EQ(holds.why, "");
  const Claim differs = claim_by_interval("s", {0.10, 0.11, 0.12}, 0.20, 0.30, "why");
  EXPECT_FALSE(differs.holds);
  EXPECT_FALSE(differs.undecided);
  EXPECT_EQ(differs.why, "why");
  const Claim undecided = claim_by_interval("s", {0.10, 0.11, 0.12}, 0.11, 0.30, "why");
  EXPECT_FALSE(undecided.holds);
  EXPECT_TRUE(undecided.undecided);
  EXPECT_TRUE(claim_by_interval("s", {0.10}, 0.0, 1.0, "").undecided)
      << "one program has no interval";
}

TEST(ByInterval, ThePageSaysUndecided) {
  Reproduction reproduction;
  reproduction.claims = {claim_by_interval("s", {0.10, 0.11, 0.12}, 0.11, 0.30, "why")};
  EXPECT_THAT(to_markdown(reproduction), HasSubstr("| undecided |"));
  EXPECT_THAT(verdict_lines(reproduction), testing::StartsWith("undecided: s; ours: "));
}

TEST(BurstyFigure6, TheOverheadsAreThoseOfTheCycles) {
  const Reproduction figure = fig6({basic("a", 0), basic("b", 20), basic("c", 10)});
  const std::vector<std::string>& row = figure.tables.front().rows.front();
  EXPECT_EQ(row.front(), "a");
  EXPECT_EQ(row[1], "16.00 %");
  EXPECT_EQ(row.back(), "5.00 %");
  EXPECT_TRUE(claim_of(figure, "and 15.9 %").holds);
  EXPECT_TRUE(claim_of(figure, "leaving out the checks of leaves").holds);
  EXPECT_TRUE(claim_of(figure, "(our own aim)").holds);
  EXPECT_EQ(figure.tables.back().rows.front()[2], "2.00") << "growth of the code";
}

TEST(BurstyFigure6, WhatDoesNotSaveIsNoSaving) {
  std::vector<Basic> programs = {basic("a", 0), basic("b", 20), basic("c", 10)};
  for (Basic& program : programs) program.variants[kPreferred] = program.variants[kOrig];
  const Reproduction figure = fig6(programs);
  EXPECT_FALSE(claim_of(figure, "both together").holds);
  EXPECT_FALSE(claim_of(figure, "(our own aim)").holds);
  EXPECT_FALSE(claim_of(figure, "(our own aim)").undecided);
}

Quality quality(double exact) {
  Quality quality;
  quality.exact = quality.pairs = quality.symbols = exact;
  quality.events = 50;
  quality.exhaustive = 1000;
  quality.p50 = 10;
  quality.returns = 1000;
  quality.accidental = 1;
  return quality;
}

Settings settings(double more) {
  Settings program;
  program.program = "p";
  program.original = cost(10000);
  program.checking = cost(10500);
  program.instrumented = cost(30500);
  for (size_t i = 0; i < kSettings.size(); ++i) {
    program.quality[i] = quality(0.01 * static_cast<double>(kSettings[i].n_instr0) + more);
    program.cost[i] =
        cost(static_cast<uint64_t>(10500 + kSettings[i].rate() * 20000));  // equation 4
  }
  for (Rival& rival : program.rivals) rival = {quality(0.3), cost(10100)};
  return program;
}

TEST(BurstyFigure7, LongerBurstsAreBetterAndTheOverheadIsThatOfEquation4) {
  const Reproduction figure = fig7({settings(0.1), settings(0.11), settings(0.12)});
  EXPECT_TRUE(
      claim_of(figure, "longer bursts at the same rate are better: 200:10 than 20:1").holds);
  EXPECT_TRUE(figure.checks.at(0).ok) << figure.checks.at(0).ours;
  EXPECT_TRUE(claim_of(figure, "the overhead is that of equation 4 at 1000:50").holds);
  EXPECT_TRUE(claim_of(figure, "returns to the wrong copy").holds);
  EXPECT_EQ(figure.tables.front().header[1], "20:1");
  EXPECT_EQ(figure.tables.front().rows.front()[1], "11.00 %");
}

TEST(BurstyFigure8, AWorseProgramIsNamed) {
  Variants good, bad;
  good.program = "good";
  bad.program = "bad";
  for (size_t i = 0; i < kVariants.size(); ++i) good.quality[i] = bad.quality[i] = quality(0.5);
  bad.quality[kPreferred] = quality(0.1);
  const auto with = [&](size_t worse) {
    std::vector<Variants> programs(14, good);
    std::fill_n(programs.begin(), worse, bad);
    return claim_of(fig8(programs), "EC+L4 gives profiles as good");
  };
  EXPECT_TRUE(with(0).holds);
  EXPECT_TRUE(with(2).undecided) << "twelve of fourteen could be fewer than three quarters of all";
  EXPECT_FALSE(with(9).holds);
  EXPECT_FALSE(with(9).undecided);
  EXPECT_THAT(with(2).why, HasSubstr("bad by 40.00 %"));
}

TEST(BurstyFigure6, TheOverheadOfNearlyEveryProgramIsInThePapersRange) {
  const auto with = [](size_t outside) {
    std::vector<Basic> programs(14, basic("a", 0));
    for (size_t i = 0; i < outside; ++i) programs[i].variants[kOrig].cycles = 10'100;
    return claim_of(fig6(programs), "with every check (orig)");
  };
  EXPECT_TRUE(with(0).holds);
  EXPECT_TRUE(with(2).undecided);
  EXPECT_THAT(with(2).ours, HasSubstr("in 12 of 14 programs; 13.86 % (1.00 % to 16.00 %)"));
  EXPECT_FALSE(with(9).holds);
  EXPECT_FALSE(with(9).undecided);
}

}  // namespace
}  // namespace strobe::reproduce::bursty
