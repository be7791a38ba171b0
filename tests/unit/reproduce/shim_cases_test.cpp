// The results of SHIM's two programs from made-up measurements: the producer of one word and the
// phases of a collector.
#include <gtest/gtest.h>

#include "sw/reproduce/shim/shim_phases.h"
#include "sw/reproduce/shim/shim_producer.h"
#include "tests/unit/reproduce/shim_claims.h"

namespace strobe::reproduce::shim {
namespace {

std::vector<Produced> produced(double overhead) {
  std::vector<Produced> all;
  for (const double more : {-0.01, 0., 0.01}) {
    Produced one;
    one.alone = 1'000'000;
    one.observed = static_cast<uint64_t>(1e6 * (1 + overhead * (1 + more)));
    one.writes = 20'000;
    one.invalidations = static_cast<uint64_t>(20'000 * overhead);
    all.push_back(one);
  }
  return all;
}

/// @param fast  overhead where both are fast; slow: where one of them is slow
Producer measured(double fast, double slow) {
  return {produced(fast), produced(slow), produced(fast),
          produced(slow), produced(slow), produced(slow)};
}

TEST(ShimProducer, OnTwoCoresIsDisturbedOnlyWhereBothAreFast) {
  const Reproduction like_paper = producer(measured(1.0, 0.01), false);
  for (const Claim& claim : like_paper.claims) EXPECT_TRUE(claim.holds) << claim.statement;
  expect_rows_fit(like_paper);
  const Reproduction always = producer(measured(1.0, 1.0), false);
  EXPECT_TRUE(differs(claim_with(always, "a slower producer")));
  EXPECT_TRUE(differs(claim_with(always, "a slower observer")));
  EXPECT_TRUE(differs(claim_with(always, "more invalidations"))) << "as many";
  const Reproduction never = producer(measured(0, 0), false);
  EXPECT_TRUE(differs(claim_with(never, "more than 5 %")));
}

TEST(ShimProducer, OnOneCoreIsDisturbedLessByASlowObserver) {
  const Reproduction like_paper = producer(measured(1.0, 0.1), true);
  for (const Claim& claim : like_paper.claims) EXPECT_TRUE(claim.holds) << claim.statement;
  const Reproduction none = producer(measured(0, 0), true);
  for (const Claim& claim : none.claims) EXPECT_TRUE(differs(claim)) << claim.statement;
}

/// @param above  share of the requests in samples with a high rate
Phase phase_of(double ipc, double bandwidth, double low, double above = 0.96) {
  Phase phase;
  for (int i = 0; i < 10; ++i) {
    const double more = i % 2 == 0 ? 1.01 : 0.99;
    phase.ipc.push_back(ipc * more);
    phase.bandwidth.push_back(bandwidth * more);
    phase.low_bandwidth.push_back(low * more * 10);
    phase.low.push_back(low * more);
    phase.above.push_back(above * more);
    phase.correlation.push_back(-0.8 * more);
  }
  phase.samples.assign(kRates, 30);
  phase.samples.front() = 3;
  phase.cycles.assign(kRates, 1000);
  phase.requests.assign(kRates, 20);
  phase.line = {{0, 1, 2}, {100, 0.5, 3}};
  return phase;
}

std::vector<Collector> like_paper() {
  return {{phase_of(0.59, 0.91, 0.14), phase_of(1.48, 0.4, 0.01)},
          {phase_of(0.83, 1.09, 0.05), phase_of(1.29, 0.4, 0.01)},
          {phase_of(0.56, 0.68, 0.30), phase_of(1.15, 0.4, 0.01)},
          {phase_of(0.80, 0.80, 0.10), phase_of(1.29, 0.4, 0.01)}};
}

TEST(ShimPhases, HoldWithThePapersNumbers) {
  std::vector<Collector> machines = like_paper();
  for (double& bandwidth : machines[kSlow].stacks.low_bandwidth) bandwidth *= 6;
  for (unsigned figure = 14; figure < kTimeLines; ++figure) {
    const Reproduction found = case_study(machines, figure);
    EXPECT_FALSE(found.claims.empty()) << figure;
    for (const Claim& claim : found.claims) EXPECT_TRUE(claim.holds) << claim.statement;
    EXPECT_EQ(found.figures.size(), 2u);
    expect_rows_fit(found);
  }
  for (const Claim& claim : time_lines(machines).claims) EXPECT_TRUE(claim.holds);
}

TEST(ShimPhases, DifferWhereAMachineChangesNothing) {
  Phase phase = phase_of(1, 1, 0.1, 0.5);
  phase.correlation.assign(10, 0.1);
  const std::vector<Collector> machines(kMachines, {phase, phase});
  const Reproduction same = case_study(machines, 14);
  for (const char* text : {"IPC, ", "requests in", "requests double"}) {
    EXPECT_TRUE(differs(claim_with(same, text))) << text;
  }
  EXPECT_TRUE(claim_with(same, "vanish").undecided);
  EXPECT_TRUE(differs(claim_with(case_study(machines, 15), "95 %")));
  EXPECT_TRUE(claim_with(case_study(machines, 15), "no clear change").holds);
  EXPECT_TRUE(claim_with(case_study(machines, 16), "falls by more").undecided);
  EXPECT_TRUE(differs(claim_with(case_study(machines, 18), "IPC")));
  for (const Claim& claim : time_lines(machines).claims) EXPECT_TRUE(differs(claim));
}

TEST(ShimPhases, ABandwidthThatChangesIsNotUnaffected) {
  std::vector<Collector> machines = like_paper();
  machines[kFastPlain].globals = phase_of(1.15, 0.2, 0.01);
  machines[kSlow].globals = phase_of(1.29, 0.6, 0.01);
  EXPECT_TRUE(differs(claim_with(case_study(machines, 17), "unaffected")));
  EXPECT_TRUE(differs(claim_with(case_study(machines, 15), "no clear change")));
  machines[kFastPlain].stacks = phase_of(0.40, 0.85, 0.3);
  EXPECT_TRUE(differs(claim_with(case_study(machines, 16), "falls by more")));
  machines[kSlow].stacks = phase_of(0.83, 1.09, 0.2);
  EXPECT_TRUE(differs(claim_with(case_study(machines, 14), "vanish")));
}

TEST(ShimPhases, TheFiguresHaveTheBucketsAndTheTimeLine) {
  const Reproduction found = case_study(like_paper(), 14);
  EXPECT_EQ(found.figures[0].name, "shim-fig14a");
  EXPECT_EQ(found.figures[0].curves[0].points.size(), kRates);
  const Curve& bandwidth = found.figures[1].curves[0];
  EXPECT_EQ(bandwidth.points.size(), kRates - 1) << "a bucket with 3 samples is left out";
  EXPECT_DOUBLE_EQ(bandwidth.points.front().first, 0.1);
  EXPECT_DOUBLE_EQ(bandwidth.points.front().second, 2);
  const Reproduction line = time_lines(like_paper());
  EXPECT_EQ(line.figures[0].curves[1].points.back(), (std::pair<double, double>(100, 3)));
  EXPECT_EQ(claim_with(line, "globals").ours.substr(0, 9), "-0.80 +- ");
}

}  // namespace
}  // namespace strobe::reproduce::shim
