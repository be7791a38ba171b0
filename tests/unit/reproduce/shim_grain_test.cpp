// What three sample rates show, from made-up samples.
#include "sw/reproduce/shim/shim_grain.h"

#include <gtest/gtest.h>

#include "sw/reproduce/shim/shim_grain_values.h"
#include "tests/unit/reproduce/shim_claims.h"

namespace strobe::reproduce::shim {
namespace {

/// Rates that rise evenly.
std::vector<double> rates(double from, double to) {
  std::vector<double> all;
  for (int i = 0; i <= 100; ++i) all.push_back(from + (to - from) * i / 100);
  return all;
}

/// 1000 samples of methods 1 to 4, which have 50, 30, 15 and 5 % of them and rates 1, 2, 3 and 4.
Grain fine() {
  Grain grain{1000, 200'000, rates(0, 4), {}};
  grain.methods = {{1, {500, 100'000, 100'000}},
                   {2, {300, 60'000, 120'000}},
                   {3, {150, 30'000, 90'000}},
                   {4, {50, 10'000, 40'000}}};
  return grain;
}

/// The same methods, at the mean of the program.
Grain coarse() {
  Grain grain = fine();
  grain.rates = rates(1.7, 1.9);
  for (auto& [id, sum] : grain.methods) sum.instructions = sum.cycles * (174 + id) / 100;
  return grain;
}

GrainedProgram program() { return {"p", {fine(), fine(), coarse()}, rates(0, 4), fine().methods}; }

TEST(ShimGrain, HotMethodsHaveNineTenthsOfTheFinestSamples) {
  EXPECT_EQ(hot_methods(program()), (std::vector<uint64_t>{1, 2, 3}));
}

TEST(ShimGrain, AHotMethodIsFoundWhereItIsAmongAsMany) {
  GrainedProgram one = program();
  EXPECT_EQ(found_hot(one, kCoarse), 1);
  std::swap(one.by[kCoarse].methods[3], one.by[kCoarse].methods[4]);
  EXPECT_DOUBLE_EQ(found_hot(one, kCoarse), 2 / 3.);
  one.by[kCoarse].methods.clear();
  EXPECT_EQ(found_hot(one, kCoarse), 0);
}

TEST(ShimGrain, CyclesUnderAWrongMethodAreThoseThatTheSharesDoNotHaveInCommon) {
  GrainedProgram one = program();
  EXPECT_NEAR(wrong_method(one, kFine), 0, 1e-12);
  std::swap(one.truth[1], one.truth[4]);
  EXPECT_NEAR(wrong_method(one, kFine), 0.45, 1e-12);
  one.truth.erase(4);
  EXPECT_NEAR(wrong_method(one, kFine), 1 - (0.1 + 0.3 + 0.15), 1e-12);
}

TEST(ShimGrain, TheErrorOfTheIpcByMethodIsRelativeAndWeightedByTrueCycles) {
  GrainedProgram one = program();
  EXPECT_EQ(ipc_error(one, kFine), 0);
  one.by[kFine].methods[1].instructions *= 2;
  EXPECT_NEAR(*ipc_error(one, kFine), 0.5, 1e-12);
  one.by[kFine].methods[2] = {300, 0, 0};  // no sample was kept
  EXPECT_NEAR(*ipc_error(one, kFine), 100. / 140, 1e-12);
  one.by[kFine].methods.clear();
  EXPECT_EQ(ipc_error(one, kFine), std::nullopt);
}

TEST(ShimGrain, TheDeviationIsOverHotMethods) {
  EXPECT_DOUBLE_EQ(*ipc_deviation(program(), kFine), 1);
  GrainedProgram one = program();
  one.by[kFine].methods[2].cycles = one.by[kFine].methods[3].cycles = 0;
  EXPECT_EQ(ipc_deviation(one, kFine), std::nullopt);
}

TEST(ShimGrain, SamplesOutsideOfTheCoarseBandAreHidden) {
  EXPECT_NEAR(outside(program()), 0.95, 0.011);
  GrainedProgram one = program();
  one.by[kCoarse].rates = rates(0, 4);
  EXPECT_EQ(outside(one), 0);
}

TEST(ShimGrain, CoarseSamplesThatShowTheMeanHoldThePapersClaims) {
  const Reproduction like_paper = grains({program(), program(), program()});
  for (const Claim& claim : like_paper.claims) EXPECT_TRUE(claim.holds) << claim.statement;
  expect_rows_fit(like_paper);
  ASSERT_EQ(like_paper.figures.size(), 3u);
  EXPECT_EQ(like_paper.figures[0].curves[0].points[1], (std::pair<double, double>(2, 80)));
}

TEST(ShimGrain, CoarseSamplesThatShowAllDiffer) {
  GrainedProgram same = program();
  same.by[kCoarse] = fine();
  const Reproduction found = grains({same, same, same});
  for (const char* text : {"narrow band", "hide low", "is uniform", "further from the truth"}) {
    EXPECT_TRUE(differs(claim_with(found, text))) << text;
  }
  GrainedProgram wrong = program();
  wrong.by[kMedium].methods.clear();
  wrong.by[kCoarse].methods.clear();
  for (auto& [id, sum] : wrong.by[kFine].methods) sum.instructions *= 2;
  const Reproduction lost = grains({wrong, wrong, wrong});
  EXPECT_TRUE(differs(claim_with(lost, "one sample in 20")));
  EXPECT_TRUE(differs(claim_with(lost, "one in 400")));
  EXPECT_TRUE(differs(claim_with(lost, "within 10 %")));
  EXPECT_TRUE(claim_with(lost, "is uniform").undecided) << "no value";
}

TEST(ShimGrain, AreUndecidedWithOneProgram) {
  for (const Claim& claim : grains({program()}).claims) EXPECT_TRUE(claim.undecided);
}

}  // namespace
}  // namespace strobe::reproduce::shim
