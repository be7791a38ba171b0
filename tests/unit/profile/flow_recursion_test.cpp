// Recursion in the frequencies of a whole program: functions that call one another, with and
// without an end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "sw/profile/flow/calls/recursion.h"
#include "tests/unit/profile/flow_programs.h"

namespace strobe::profile {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(FlowRecursion, IsALoopOverFunctions) {
  TestProgram program;
  const uint32_t main = program.add("main", 2, {{0, 1, 0}, {1, kOutside, 0}});
  const uint32_t odd = program.add("odd", 3, kOneInFour);
  const uint32_t even = program.add("even", 3, kOneInFour);
  const uint32_t leaf = program.add("leaf", 1, {{0, kOutside, 0}});
  program.call(main, 0, odd);
  program.call(odd, 1, even);
  program.call(even, 1, odd);
  program.call(even, 0 + 2, leaf);
  program.edge(even, 2).kind = FlowKind::kLeaves;
  program.flow.functions[even].calls.back().tail = true;
  const ProgramProfile profile = program.solve();
  // odd = 1 + even / 4, even = odd / 4.
  EXPECT_THAT(profile.entries,
              ElementsAre(near(1), near(16.0 / 15), near(4.0 / 15), near(4.0 / 15)));
  EXPECT_THAT(profile.limited, IsEmpty());
}

TEST(FlowRecursion, WithoutAnEndIsCutAtTheLimitOrRefused) {
  // Each entry calls the function ten times in the mean.
  TestProgram program;
  const uint32_t main = program.add("main", 4, kTenTimes);
  program.call(main, 1, main);
  const ProgramProfile profile = program.solve({kLeastPrior, 100});
  EXPECT_NEAR(profile.entries[main], 100, 1e-3);
  EXPECT_THAT(profile.limited, ElementsAre(main));
  EXPECT_EQ(refusal(program, {kLeastPrior, kNoLoopLimit}),
            "main: the biases say that its recursion has no end; set a limit of iterations");
}

TEST(FlowRecursion, OfManyFunctionsSolvesItsEquations) {
  std::mt19937_64 random(test_seed());
  std::uniform_real_distribution<> share(0, 1);
  const size_t size = 12;
  std::vector<double> calls(size * size), entering(size);
  for (double& each : calls) each = share(random) < 0.4 ? share(random) / 6 : 0;
  for (size_t i = 0; i < size; ++i) calls[i * size + (i + 1) % size] = 0.1;
  for (double& each : entering) each = share(random);
  for (const double growth : {1.0, 10.0}) {
    for (double& each : calls) each *= growth;
    const Recursion result = solve_recursion(calls, entering, 4096);
    EXPECT_EQ(result.limited, growth > 1);
    if (growth > 1) {
      // Scaled down: finite, and every function is entered.
      for (const double entries : result.entries) EXPECT_TRUE(entries > 0 && entries < 1e6);
      continue;
    }
    for (size_t j = 0; j < size; ++j) {
      double entries = entering[j];
      for (size_t i = 0; i < size; ++i) entries += result.entries[i] * calls[i * size + j];
      EXPECT_NEAR(result.entries[j], entries, 1e-12 * entries);
    }
  }
}

TEST(FlowRecursion, WithoutAnEndTakesWhatWasCounted) {
  // g calls itself twice in three of its entries, by the biases of a sample: a tree that grows
  // without an end. The rare branch of g was seen completely: it was executed in 20 entries of the
  // 200 that there were, as the sample says, too.
  TestProgram program;
  const uint32_t main = program.add("main", 2, {{0, 1, 0}, {1, kOutside, 0}});
  const uint32_t g = program.add("g", 6,
                                 {{0, 1, 10},
                                  {0, 2, 90},
                                  {1, 2, 0},
                                  {1, 2, 20},
                                  {2, 3, 66},
                                  {2, 5, 34},
                                  {3, 4, 0},
                                  {4, 5, 0},
                                  {5, kOutside, 0}});
  program.call(main, 0, g);
  program.call(g, 3, g);
  program.call(g, 4, g);
  const MarkovOptions options{kLeastPrior, 4096};
  const auto solve = [&](std::vector<uint64_t> complete) {
    return program_profile(program.flow, Profile(program.seen), "main",
                           {options, program.all_branches(), std::move(complete)});
  };
  const ProgramProfile without = solve({}), with = solve({TestProgram::last(g, 1)});
  EXPECT_THAT(without.limited, ElementsAre(g));
  EXPECT_GT(without.entries[g], 1000);
  EXPECT_THAT(with.limited, IsEmpty());
  EXPECT_THAT(with.entries, ElementsAre(near(1), DoubleNear(200, 1)));
}

TEST(FlowRecursion, TakesFromCallsWhatWasNotCounted) {
  // g and h call each other without an end; of h nothing was counted, of g 50 entries.
  TestProgram program;
  const uint32_t main = program.add("main", 2, {{0, 1, 0}, {1, kOutside, 0}});
  const uint32_t g = program.add("g", 3, {{0, 1, 50}, {0, 2, 0}, {1, 2, 0}, {2, kOutside, 0}});
  const uint32_t h = program.add("h", 3, {{0, 1, 0}, {1, 2, 0}, {2, kOutside, 0}});
  program.call(main, 0, g);
  program.call(g, 1, h);
  program.call(h, 0, g);
  program.call(h, 1, g);
  const ProgramProfile profile =
      program_profile(program.flow, Profile(program.seen), "main",
                      {{0.5, 4096}, program.all_branches(), {TestProgram::last(g, 0)}});
  EXPECT_THAT(profile.entries, ElementsAre(near(1), near(50), near(50)));
}

TEST(FlowRecursion, OfTooManyFunctionsIsRefused) {
  TestProgram program;
  const uint32_t size = kMostRecursive + 1;
  for (uint32_t f = 0; f < size; ++f) {
    program.add(f == 0 ? "main" : "f" + std::to_string(f), 3, kOneInFour);
    program.call(f, 1, f + 1 < size ? f + 1 : 0);
  }
  EXPECT_EQ(refusal(program, {}),
            "main: it and 2048 other functions call one another; expected at most 2048 together");
}

}  // namespace
}  // namespace strobe::profile
