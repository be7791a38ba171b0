// The results of ephemeral instrumentation from made-up measurements: the numbers on the page are
// those, and a verdict follows from its interval.
#include "sw/reproduce/ephemeral/ephemeral.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "sw/reproduce/ephemeral/ephemeral_limits.h"

namespace strobe::reproduce::ephemeral {
namespace {

const Claim& claim_with(const Reproduction& reproduction, const std::string& text) {
  const auto found = std::find_if(
      reproduction.claims.begin(), reproduction.claims.end(),
      [&](const Claim& claim) { return claim.statement.find(text) != std::string::npos; });
  if (found == reproduction.claims.end()) throw std::runtime_error("no claim with " + text);
  return *found;
}

bool differs(const Claim& claim) { return !claim.holds && !claim.undecided; }

void expect_rows_fit(const Reproduction& reproduction) {
  for (const Table& one : reproduction.tables) {
    for (const auto& row : one.rows) EXPECT_EQ(row.size(), one.header.size()) << one.title;
  }
}

const PaperTable& wc() { return kTables[0]; }

/// A program that does what the paper's wc does, a little more or less.
template <class Of>
Of like_wc(uint64_t more) {
  Of program;
  program.name = "p";
  program.training_cycles = 1'000'000;
  program.original = 110'000;
  program.local = 100'000;
  program.complete = 72'300 + more;
  return program;
}

Trained profile_of_wc(uint64_t training_cycles, uint64_t more) {
  return {training_cycles + more, 72'300 + more, 0.9, 0.01};
}

std::vector<Persistences> programs_like_wc(uint64_t count = kPrograms) {
  constexpr uint64_t kTraining[] = {1'039'000, 1'040'000, 1'038'000, 1'066'000};
  std::vector<Persistences> programs;
  for (uint64_t i = 0; i < count; ++i) {
    Persistences program = like_wc<Persistences>(10 * i);
    for (size_t p = 0; p < program.by.size(); ++p) {
      program.by[p] = profile_of_wc(kTraining[p], 10 * i);
    }
    program.own_input = program.complete;
    if (i % 2 == 0) program.bolt = 104'000;
    programs.push_back(program);
  }
  return programs;
}

TEST(EphemeralTables, WhatThePaperMeasuredHolds) {
  const Reproduction found = table(wc(), programs_like_wc());
  EXPECT_EQ(found.name, "ephemeral-table2");
  EXPECT_EQ(found.claims.size(), 1u + 4 + 4);
  for (const Claim& claim : found.claims) EXPECT_TRUE(claim.holds) << claim.statement;
}

TEST(EphemeralTables, TheNumbersAreThoseOfTheCycles) {
  const Reproduction found = table(wc(), programs_like_wc());
  EXPECT_EQ(found.tables.at(0).rows.at(0),
            (std::vector<std::string>{"complete", "72.30 %", "72.4 +- 0.0 %", "-", "-"}));
  EXPECT_EQ(found.tables.at(0).rows.at(4),
            (std::vector<std::string>{"persistence 10000", "72.30 %", "72.4 +- 0.0 %", "6.60 %",
                                      "6.6 +- 0.0 %"}));
  expect_rows_fit(found);
}

TEST(EphemeralPrograms, BoltHasTheMeanOfTheProgramsThatItCanLayOut) {
  std::vector<Persistences> measured = programs_like_wc(3);
  const Table with = programs(measured).tables.at(1);
  EXPECT_EQ(with.header.back(), "BOLT");
  EXPECT_EQ(with.rows.at(0).back(), "104.00 %");
  EXPECT_EQ(with.rows.at(1).back(), "-");
  EXPECT_EQ(with.rows.at(3).back(), "104.0 +- 0.0 %");
  for (Persistences& program : measured) program.bolt.reset();
  EXPECT_EQ(programs(measured).tables.at(1).rows.at(3).back(), "-");
}

TEST(EphemeralTables, ALostCellIsNoClaim) {
  const Reproduction espresso = table(kTables[3], programs_like_wc());
  EXPECT_EQ(espresso.claims.size(), 1u + 0 + 4);
  EXPECT_EQ(espresso.tables.at(0).rows.at(1).at(1), "lost");
}

TEST(EphemeralTables, AProfileThatIsWorthLessDiffers) {
  std::vector<Persistences> programs = programs_like_wc();
  for (Persistences& program : programs) program.by[0].test_cycles += 8'100;
  const Reproduction as_wc = table(wc(), programs);
  EXPECT_TRUE(differs(claim_with(as_wc, "persistence 10 gives")));
  EXPECT_TRUE(claim_with(as_wc, "persistence 100 gives").holds);
  EXPECT_TRUE(claim_with(table(kTables[1], programs), "persistence 10 gives").holds)
      << "compress loses as much in the paper";
}

TEST(EphemeralTables, AnOverheadBesideThePapersDiffers) {
  std::vector<Persistences> programs = programs_like_wc();
  for (Persistences& program : programs) program.by[3].training_cycles += 30'000;
  EXPECT_TRUE(differs(claim_with(table(wc(), programs), "persistence 10000 costs")));
}

TEST(EphemeralPrograms, TheNumbersAreThoseOfTheCycles) {
  const Reproduction found = reproduce::ephemeral::programs(programs_like_wc());
  const Table& cycles = found.tables.at(0);
  EXPECT_EQ(cycles.rows.at(0), (std::vector<std::string>{"p", "72.30 %", "72.30 %", "72.30 %",
                                                         "72.30 %", "72.30 %", "72.30 %"}));
  EXPECT_EQ(found.tables.at(1).rows.at(0),
            (std::vector<std::string>{"p", "3.90 %", "4.00 %", "3.80 %", "6.60 %", "110.00 %",
                                      "104.00 %"}));
  for (const Claim& claim : found.claims) EXPECT_TRUE(claim.holds) << claim.statement;
  expect_rows_fit(found);
}

TEST(EphemeralPrograms, AProfileOfTheTestInputMayBeWorthMore) {
  std::vector<Persistences> programs = programs_like_wc();
  for (Persistences& program : programs) program.own_input -= 3'000;
  EXPECT_TRUE(
      differs(claim_with(reproduce::ephemeral::programs(programs), "a profile of another input")));
}

TEST(EphemeralPrograms, TheAimNeedsTheMeanAndTheNumberOfPrograms) {
  const auto aim = [](const std::vector<Persistences>& of, const char* text) {
    return claim_with(reproduce::ephemeral::programs(of), text);
  };
  std::vector<Persistences> programs = programs_like_wc();
  EXPECT_TRUE(aim(programs, "programs get faster").holds) << "all twelve are";
  for (size_t i = 0; i < 6; ++i) programs[i].complete = programs[i].local + 1;
  EXPECT_TRUE(aim(programs, "programs get faster").undecided) << "six of twelve could be fewer";
  EXPECT_TRUE(aim(programs, "geometric mean").undecided) << "0.72 or 1: the interval is wide";
  for (Persistences& program : programs) program.complete = program.local - 1;
  EXPECT_TRUE(differs(aim(programs, "geometric mean"))) << "faster by too little";
  for (size_t i = 0; i < 11; ++i) programs[i].complete = programs[i].local + 1;
  EXPECT_TRUE(differs(aim(programs, "programs get faster"))) << "one is faster";
  const std::vector<Persistences> eleven = programs_like_wc(kPrograms - 1);
  EXPECT_TRUE(aim(eleven, "geometric mean").undecided);
  EXPECT_TRUE(aim(eleven, "programs get faster").undecided);
}

std::vector<EpochLengths> epochs_like_wc() {
  std::vector<EpochLengths> programs;
  for (uint64_t i = 0; i < kPrograms; ++i) {
    EpochLengths program = like_wc<EpochLengths>(10 * i);
    for (size_t e = 0; e < kEpochs.size(); ++e) {
      program.by[e] = profile_of_wc(1'300'000 - 100'000 * e, 10 * i);
      program.by[e].bias_error = 0.01 * static_cast<double>(e + 1);
    }
    program.jittered = program.by[1];
    programs.push_back(program);
  }
  return programs;
}

TEST(EphemeralEpochs, ShortOnesCostMoreAndSeeMore) {
  const Reproduction found = epochs(epochs_like_wc());
  for (const Claim& claim : found.claims) EXPECT_TRUE(claim.holds) << claim.statement;
  EXPECT_EQ(found.tables.at(0).rows.at(0),
            (std::vector<std::string>{"0.1 M", "30.0 +- 0.0 %", "1.0 +- 0.0 %", "90.0 +- 0.0 %",
                                      "72.4 +- 0.0 %"}));
  expect_rows_fit(found);
}

TEST(EphemeralEpochs, JitterThatCostsSomethingDiffers) {
  std::vector<EpochLengths> programs = epochs_like_wc();
  for (EpochLengths& program : programs) program.jittered.training_cycles += 20'000;
  EXPECT_TRUE(differs(claim_with(epochs(programs), "jitter changes the overhead")));
}

TEST(EphemeralAliasing, AVerdictFollowsFromTheErrors) {
  Aliasing measured{13'188.2, 13'188, 800, 0.5, {0.5, 0.49, 0.48, 0.5}, {0.01, 0.02, 0.03, 0.01}};
  const Reproduction found = aliasing(measured);
  for (const Claim& claim : found.claims) EXPECT_TRUE(claim.holds) << claim.statement;
  EXPECT_EQ(found.tables.at(0).header.at(1), "epochs of 13188 cycles");
  EXPECT_EQ(found.tables.at(0).rows.at(1), (std::vector<std::string>{"3", "49.0", "2.0"}));
  EXPECT_EQ(found.tables.at(0).rows.back().at(1), "49.2 +- 1.5 %");
  expect_rows_fit(found);
  std::swap(measured.in_step, measured.jittered);
  for (const Claim& claim : aliasing(measured).claims) EXPECT_TRUE(differs(claim));
}

const std::map<std::string, double> kAreas = {
    {"stratified-2048", 62'592}, {"hps-gated-stratified", 62'592}, {"random-256", 45'186}};

/// Every profile costs 2 % and keeps `share` of a gain of 27.7 %; the complete one costs 30 %.
std::vector<Profilers> profilers_like_wc(double share) {
  std::vector<Profilers> programs;
  for (uint64_t i = 0; i < kPrograms; ++i) {
    Profilers program = like_wc<Profilers>(10 * i);
    const double gain = share * static_cast<double>(program.local - program.complete);
    program.by.fill({1'020'000 + 10 * i, program.local - static_cast<uint64_t>(gain), 0.9, {}});
    program.by[kComplete] = {1'300'000 + 10 * i, program.complete, 1, {}};
    programs.push_back(program);
  }
  return programs;
}

TEST(EphemeralProfilers, EachHasItsGainOverheadAndArea) {
  const Reproduction found = profilers(profilers_like_wc(0.95), kAreas);
  for (const Claim& claim : found.claims) EXPECT_TRUE(claim.holds) << claim.statement;
  const Table& table = found.tables.at(0);
  EXPECT_EQ(table.rows.at(kComplete).back(), "-");
  EXPECT_EQ(table.rows.at(kComplete).at(5), "100 %");
  EXPECT_EQ(table.rows.at(kRandom).at(0), "random");
  EXPECT_EQ(table.rows.at(kRandom).at(2), "2.0 +- 0.0 %");
  EXPECT_EQ(table.rows.at(kRandom).at(5), "95 %");
  EXPECT_EQ(table.rows.at(kRandom).back(), "45.2 kGE");
  expect_rows_fit(found);
}

TEST(EphemeralProfilers, AProfileThatKeepsTooLittleDiffers) {
  const Reproduction found = profilers(profilers_like_wc(0.8), kAreas);
  for (const ProfilerIndex i : {kStratified, kGated, kBursty, kEphemeral, kRandom}) {
    EXPECT_TRUE(differs(claim_with(found, std::string(kProfilerKinds[i].name) + " keeps")));
  }
}

TEST(EphemeralProfilers, OfAGainThatMayBeNoneNothingIsDecided) {
  std::vector<Profilers> programs = profilers_like_wc(1);
  for (size_t i = 0; i < programs.size(); ++i) {
    programs[i].by[kComplete].test_cycles = programs[i].local + (i % 2 == 0 ? 100 : -100);
  }
  const Reproduction found = profilers(programs, kAreas);
  EXPECT_TRUE(claim_with(found, "stratified keeps").undecided);
}

}  // namespace
}  // namespace strobe::reproduce::ephemeral
