// The results of SHIM from made-up measurements: the numbers on the page are those, and a verdict
// follows from its interval.
#include "sw/reproduce/shim/shim.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

namespace strobe::reproduce::shim {
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
  EXPECT_TRUE(claim_with(few, "every impossible rate").holds);
  const Reproduction all = correction(corrected(0.95, 0.001));
  EXPECT_TRUE(differs(claim_with(all, "more than half")));
  EXPECT_TRUE(claim_with(all, "from 2500 cycles on").holds);
  EXPECT_TRUE(differs(claim_with(all, "every impossible rate")));
  expect_rows_fit(all);
}

Producer produced(double at_first, double at_last) {
  Producer measured;
  for (const double overhead : {at_first, at_last}) {
    Produced one;
    one.alone = 1'000'000;
    one.observed = static_cast<uint64_t>(1e6 * (1 + overhead));
    one.writes = 20'000;
    one.invalidations = static_cast<uint64_t>(20'000 * overhead);
    measured.slower_producer.push_back(one);
    measured.slower_observer.push_back(one);
  }
  return measured;
}

TEST(ShimProducer, HasToBeLeftAloneByASlowObserver) {
  const Reproduction slow = producer(produced(1.0, 0.01), false);
  for (const Claim& claim : slow.claims) EXPECT_TRUE(claim.holds) << claim.statement;
  const Reproduction always = producer(produced(1.0, 1.0), false);
  for (const Claim& claim : always.claims) EXPECT_TRUE(differs(claim)) << claim.statement;
  EXPECT_TRUE(producer(produced(1.0, 0.1), true).claims.front().holds);
  EXPECT_TRUE(differs(producer(produced(1.0, 0.0), true).claims.front()));
  expect_rows_fit(slow);
}

Phase phase_of(double ipc, double bandwidth, double low) {
  Phase phase;
  for (int i = 0; i < 10; ++i) {
    const double more = i % 2 == 0 ? 1.01 : 0.99;
    phase.ipc.push_back(ipc * more);
    phase.bandwidth.push_back(bandwidth * more);
    phase.low.push_back(low * more);
  }
  phase.samples.assign(kRates, 1);
  phase.cycles.assign(kRates, 100);
  phase.requests.assign(kRates, 0);
  phase.requests.back() = 5;
  return phase;
}

TEST(ShimPhases, HoldWithThePapersNumbers) {
  const std::vector<Collector> machines = {{phase_of(0.59, 0.91, 0.3), phase_of(1.48, 0.4, 0.01)},
                                           {phase_of(0.83, 1.09, 0.1), phase_of(1.29, 0.4, 0.01)},
                                           {phase_of(0.56, 0.68, 0.3), phase_of(1.15, 0.4, 0.01)},
                                           {phase_of(0.80, 0.80, 0.1), phase_of(1.29, 0.4, 0.01)}};
  const Reproduction like_paper = phases(machines);
  for (const Claim& claim : like_paper.claims) EXPECT_TRUE(claim.holds) << claim.statement;
  expect_rows_fit(like_paper);
  const Reproduction same =
      phases(std::vector<Collector>(kMachines, {phase_of(1, 1, 0.1), phase_of(1, 1, 0.1)}));
  EXPECT_TRUE(differs(claim_with(same, "stacks, 3.4 to 0.8 GHz: IPC")));
  EXPECT_TRUE(differs(claim_with(same, "globals without prefetchers: IPC")));
}

}  // namespace
}  // namespace strobe::reproduce::shim
