// What goes wrong between biases and frequencies, each on a program that is made for it, and what
// prior and limit do about it. The tests print the tables of docs/edge-profile.md.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>

#include "sw/profile/accuracy/metrics.h"
#include "sw/profile/flow/markov.h"
#include "tests/unit/profile/flow_programs.h"
#include "tests/unit/profile/flow_sampler.h"

namespace strobe::profile {
namespace {

using testing::ElementsAre;

/// Block 1 runs again and again; the function is called many times.
BiasGraph loop_graph() { return graph_of(3, {{0, 1, 0}, {1, 1, 0}, {1, 2, 0}, {2, kOutside, 0}}); }

/// Runs the loop for `trips` iterations a call until `epochs` epochs have passed. Between two
/// calls, other code takes less than `pause`.
BiasGraph sampled_loop(uint64_t trips, const SamplerOptions& options, uint64_t epochs,
                       uint64_t seed, uint64_t pause = 10) {
  EphemeralSampler sampler(loop_graph(), options, seed);
  std::mt19937_64 random(seed);
  const double end = options.epoch * static_cast<double>(epochs);
  double time = 0;
  while (time < end) {
    const double between = static_cast<double>(random() % pause);
    sampler.execute(0, 0, between);
    for (uint64_t trip = 1; trip <= trips; ++trip) sampler.execute(1, trip == trips ? 1 : 0, 1);
    sampler.execute(2, 0, 1);
    time += between + static_cast<double>(trips) + 1;
  }
  return sampler.recorded;
}

/// How long the loop is by its biases.
double iterations(const BiasGraph& graph, double prior, double limit) {
  return edge_profile(graph, {prior, limit}).blocks[1];
}

TEST(FlowHazards, TheLengthOfALoopIsUncertainByTheSquareRootOfItsLengthBySamples) {
  // 100 epochs of 10 executions: 1000 samples.
  std::printf("| iterations | sqrt(T / K) | spread of the estimate |\n|---:|---:|---:|\n");
  for (const uint64_t trips : {10, 100, 1000}) {
    double sum = 0, squares = 0;
    constexpr int kSeeds = 60;
    for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
      const BiasGraph seen = sampled_loop(trips, {10, 10000, 0.1}, 100, seed);
      const double estimate = iterations(seen, 0.5, 1e9) / static_cast<double>(trips);
      sum += estimate / kSeeds;
      squares += estimate * estimate / kSeeds;
    }
    const double spread = std::sqrt(std::max(0.0, squares - sum * sum));
    const double expected = std::sqrt(static_cast<double>(trips) / 1000);
    std::printf("| %llu | %.2f | %.2f |\n", static_cast<unsigned long long>(trips), expected,
                spread);
    EXPECT_LT(spread, expected * 3);
    // Ten executions in a row of a loop of ten iterations see it end once each time.
    if (trips >= 100) {
      EXPECT_GT(spread, expected / 3);
    }
  }
}

TEST(FlowHazards, ATickBetweenTwoCallsOfALoopSamplesItsFirstIterations) {
  // A loop of 100 iterations, of which ten executions are recorded an epoch.
  double estimates[2];
  for (const bool often : {false, true}) {
    const BiasGraph seen = sampled_loop(100, {10, 10000, 0.1}, 3000, 6, often ? 1000 : 10);
    estimates[often ? 1 : 0] = iterations(seen, 0.5, 1e9);
  }
  std::printf(
      "100 iterations: %.0f when ticks fall into the loop, %.0f when five of six fall between "
      "two calls\n",
      estimates[0], estimates[1]);
  EXPECT_NEAR(estimates[0], 100, 20);
  EXPECT_GT(estimates[1], 300);
}

TEST(FlowHazards, ALoopLongerThanItsSamplesSeemsEndless) {
  // Three calls of a loop of a million iterations: no sample sees it end. Prior and limit decide.
  const BiasGraph seen = sampled_loop(1000000, {10, 10000, 0.1}, 300, 1);
  EXPECT_EQ(share_of(seen, 1, 0), 1);
  std::printf("| prior | limit 4096 | limit 10^6 | no limit |\n|---:|---:|---:|---:|\n");
  for (const double prior : {kLeastPrior, 0.1, 0.5, 1.0, 5.0}) {
    const double low = iterations(seen, prior, 4096), high = iterations(seen, prior, 1e6),
                 none = iterations(seen, prior, kNoLoopLimit);
    std::printf("| %g | %.0f | %.0f | %.4g |\n", prior, low, high, none);
    EXPECT_LE(low, 4096 * (1 + 1e-9));
    EXPECT_LE(high, 1e6 * (1 + 1e-9));
    // (n + 2 prior) / prior.
    const double samples = static_cast<double>(seen.edges[1].seen);
    EXPECT_NEAR(none, (samples + 2 * prior) / prior, 1e-6 * none);
  }
}

TEST(FlowHazards, PriorAndLimitHaveAPriceForEachLengthOfLoops) {
  // The estimate over the length, with 300 epochs of 100 executions.
  const std::vector<std::pair<double, double>> settings = {
      {kLeastPrior, kNoLoopLimit}, {0.5, kNoLoopLimit}, {5, kNoLoopLimit}, {0.5, 4096}};
  std::printf(
      "| iterations | prior 0, no limit | prior 1/2, no limit | prior 5, no limit | prior 1/2, "
      "limit 4096 |\n|---:|---:|---:|---:|---:|\n");
  for (const uint64_t trips : {10, 100, 1000, 10000, 100000}) {
    const BiasGraph seen = sampled_loop(trips, {100, 10000, 0.1}, 300, 2);
    std::printf("| %llu |", static_cast<unsigned long long>(trips));
    std::vector<double> estimates;
    for (const auto& [prior, limit] : settings) {
      estimates.push_back(iterations(seen, prior, limit) / static_cast<double>(trips));
      std::printf(" %.3g |", estimates.back());
    }
    std::printf("\n");
    if (trips <= 1000) {
      EXPECT_NEAR(estimates[1], 1, 0.5);
    }
    if (trips == 100000) {
      EXPECT_LE(estimates[3], 0.041);
    }
  }
}

TEST(FlowHazards, ManyWaysOutThatAreNeverTakenAddUpTheirPriors) {
  // A loop of 1000 iterations with checks that never fail: each check's prior is a way out.
  std::printf(
      "| checks in the loop | samples | iterations, prior 1/2 | prior 1/100 |\n"
      "|---:|---:|---:|---:|\n");
  for (const uint32_t checks : {0u, 5u, 20u}) {
    for (const uint64_t samples : {1000u, 100000u}) {
      std::vector<BiasEdge> edges = {{0, 1, 0}};
      for (uint32_t c = 1; c <= checks; ++c) {
        edges.push_back({c, c + 1, samples});
        edges.push_back({c, kOutside, 0});
      }
      edges.push_back({checks + 1, 1, samples - samples / 1000});
      edges.push_back({checks + 1, kOutside, samples / 1000});
      const BiasGraph graph = graph_of(checks + 2, edges);
      const double half = edge_profile(graph, {0.5, 1e6}).blocks[1];
      const double small = edge_profile(graph, {0.01, 1e6}).blocks[1];
      std::printf("| %u | %llu | %.0f | %.0f |\n", checks, static_cast<unsigned long long>(samples),
                  half, small);
      EXPECT_GE(small, half);
      if (checks == 20 && samples == 1000) {
        EXPECT_LT(half, 100);
      }
      if (samples == 100000) {
        EXPECT_NEAR(small, 1000, 20);
      }
    }
  }
}

TEST(FlowHazards, TicksOfTimeSampleThePhasesThatTakeLong) {
  // Two phases execute a branch equally often: taken in 9 of 10 times where an execution takes 1,
  // and in 1 of 10 times where it takes 9.
  const BiasGraph graph = graph_of(3, {{0, 1, 0}, {0, 2, 0}, {1, kOutside, 0}, {2, kOutside, 0}});
  EphemeralSampler sampler(graph, {10, 10000, 0.1}, 3);
  std::mt19937_64 random(3);
  for (uint32_t i = 0; i < 2000000; ++i) {
    const bool slow = i / 100000 % 2 == 1;
    const bool taken = random() % 10 < (slow ? 1u : 9u);
    sampler.execute(0, taken ? 0 : 1, slow ? 9 : 1);
  }
  const double truth = share_of(sampler.truth, 0, 0), seen = share_of(sampler.recorded, 0, 0);
  std::printf("taken: %.3f by executions, %.3f recorded, %.3f by time\n", truth, seen,
              0.9 * 0.1 + 0.1 * 0.9);
  EXPECT_NEAR(truth, 0.5, 0.01);
  EXPECT_NEAR(seen, 0.18, 0.04);
}

TEST(FlowHazards, AnEpochInStepWithTheProgramSeesOneOfItsPhasesOnly) {
  // A branch is taken in the first half of each 10,000 units of time, which is the epoch.
  const BiasGraph graph = graph_of(3, {{0, 1, 0}, {0, 2, 0}, {1, kOutside, 0}, {2, kOutside, 0}});
  const auto recorded = [&](double jitter) {
    EphemeralSampler sampler(graph, {100, 10000, jitter}, 4);
    for (uint32_t i = 0; i < 3000000; ++i) sampler.execute(0, i % 10000 < 5000 ? 0 : 1, 1);
    EXPECT_NEAR(share_of(sampler.truth, 0, 0), 0.5, 1e-9);
    return share_of(sampler.recorded, 0, 0);
  };
  const double fixed = recorded(0), jittered = recorded(0.1);
  std::printf("taken: 0.500 by executions, %.3f with fixed epochs, %.3f with a jitter of 0.1\n",
              fixed, jittered);
  EXPECT_TRUE(fixed < 0.05 || fixed > 0.95);
  EXPECT_NEAR(jittered, 0.5, 0.15);
}

TEST(FlowHazards, TheFirstExecutionsAreNotTheLaterOnes) {
  // As the branch of compress that finds an empty slot: often at first, and ever more rarely.
  const BiasGraph graph = graph_of(3, {{0, 1, 0}, {0, 2, 0}, {1, kOutside, 0}, {2, kOutside, 0}});
  const auto recorded = [&](bool once) {
    EphemeralSampler sampler(graph, {1000, 10000, 0.1, once}, 5);
    std::mt19937_64 random(5);
    for (uint32_t i = 0; i < 1000000; ++i) {
      sampler.execute(0, random() % 1000000 >= i ? 0 : 1, 1);
    }
    EXPECT_NEAR(share_of(sampler.truth, 0, 0), 0.5, 0.01);
    return share_of(sampler.recorded, 0, 0);
  };
  const double once = recorded(true), again = recorded(false);
  std::printf("taken: 0.500 by executions, %.3f hooked once, %.3f hooked in each epoch\n", once,
              again);
  EXPECT_GT(once, 0.99);
  EXPECT_NEAR(again, 0.5, 0.05);
}

TEST(FlowHazards, ABranchThatWasNeverReachedIsReportedAndHasHalfEachWay) {
  const BiasGraph graph =
      graph_of(4, {{0, 1, 0}, {0, 3, 100}, {1, 2, 0}, {1, 3, 0}, {2, 3, 0}, {3, kOutside, 0}});
  const EdgeProfile profile = edge_profile(graph);
  EXPECT_THAT(profile.unseen, ElementsAre(1));
  EXPECT_DOUBLE_EQ(profile.edges[2], profile.edges[3]);
  EXPECT_DOUBLE_EQ(profile.blocks[1], 0.5 / 101);
}

TEST(FlowHazards, FrequenciesForEachEntryDoNotCompareFunctions) {
  // A function that is called 1000 times beside one that is called once.
  TestProgram program;
  const std::vector<BiasEdge> loop = {{0, 1, 0}, {1, 1, 9}, {1, 2, 1}, {2, kOutside, 0}};
  const uint32_t main = program.add(
      "main", 5, {{0, 1, 0}, {1, 2, 0}, {2, 1, 999}, {2, 3, 1}, {3, 4, 0}, {4, kOutside, 0}});
  const uint32_t often = program.add("often", 3, loop), once = program.add("once", 3, loop);
  program.call(main, 1, often);
  program.call(main, 3, once);
  const ProgramProfile with_calls = program.solve();
  ProgramProfile alone = with_calls;
  alone.entries = {1, 1, 1};
  // The truth: 1000 executions of main's branch, 10 of the others' for each call.
  Entries truth;
  const auto add = [&](uint32_t f, uint32_t from, uint32_t to, uint64_t count) {
    truth.push_back({Tuple{TestProgram::last(f, from), TestProgram::pc(f, to), 0}, count});
  };
  add(main, 2, 1, 999), add(main, 2, 3, 1);
  add(often, 1, 1, 9000), add(often, 1, 2, 1000);
  add(once, 1, 1, 9), add(once, 1, 2, 1);
  const double before = overlap(Profile(truth), branch_profile(program.flow, alone, 0, 1000000));
  const double after =
      overlap(Profile(truth), branch_profile(program.flow, with_calls, 0, 1000000));
  std::printf("overlap: %.3f with each function entered once, %.3f with calls in the chain\n",
              before, after);
  EXPECT_LT(before, 0.2);
  EXPECT_GT(after, 0.999);
}

}  // namespace
}  // namespace strobe::profile
