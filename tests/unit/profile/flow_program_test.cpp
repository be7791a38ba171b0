// Frequencies of a whole program: entries of functions by calls, calls that do not come back, and
// the result in the form of a profile.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "sw/profile/flow/calls/idle.h"
#include "sw/profile/flow/calls/returning.h"
#include "tests/unit/profile/flow_programs.h"

namespace strobe::profile {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Each function but the last calls a later one in two of its blocks.
void add_calls(TestProgram* program, std::mt19937_64* random) {
  const auto size = static_cast<uint32_t>(program->flow.functions.size());
  for (uint32_t f = 0; f + 1 < size; ++f) {
    const FlowFunction& function = program->flow.functions[f];
    std::vector<uint32_t> blocks;
    for (uint32_t b = 0; b < function.blocks.size(); ++b) {
      const EdgeRange edges = edges_of(function, b);
      if (edges.last - edges.first == 1 && edges.first->to != kOutside) blocks.push_back(b);
    }
    std::shuffle(blocks.begin(), blocks.end(), *random);
    if (blocks.size() > 2) blocks.resize(2);
    for (const uint32_t block : blocks) {
      program->call(f, block, f + 1 + static_cast<uint32_t>((*random)() % (size - 1 - f)));
    }
  }
}

TEST(FlowProgram, AFunctionIsEnteredAsOftenAsItIsCalled) {
  TestProgram program;
  const uint32_t main = program.add("main", 4, kTenTimes);
  const uint32_t g = program.add("g", 3, kOneInFour);
  const uint32_t h = program.add("h", 1, {{0, kOutside, 0}});
  program.add("unused", 4, kTenTimes);
  program.call(main, 1, g);
  program.call(g, 1, h);
  const ProgramProfile profile = program.solve();
  EXPECT_THAT(profile.entries, ElementsAre(near(1), near(10), near(2.5), 0));
  // Frequencies inside a function stay those of one entry.
  EXPECT_THAT(profile.functions[g].blocks, ElementsAre(near(1), near(0.25), near(1)));
  EXPECT_THAT(profile.functions[3].blocks[1], near(10));
  const FrequencyTable table(program.flow, profile);
  EXPECT_NEAR(table.block(TestProgram::pc(g, 1)), 2.5, 1e-6);
  EXPECT_NEAR(table.edge(TestProgram::last(g, 0), TestProgram::pc(g, 2)), 7.5, 1e-6);
  EXPECT_EQ(table.block(TestProgram::pc(g, 1) + 2), 0);
  EXPECT_EQ(table.edge(TestProgram::last(g, 0), TestProgram::pc(g, 0)), 0);
}

TEST(FlowProgram, AMachineWithAStackExecutesTheBlocksSoOften) {
  const uint64_t seed = test_seed();
  for (uint32_t round = 0; round < 8; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    std::mt19937_64 random(seed + round);
    TestProgram program;
    for (uint32_t f = 0; f < 4; ++f) {
      const BiasGraph graph = round % 2 == 0 ? StructuredGraph(seed + 10 * round + f, 8, 3).graph()
                                             : random_graph(seed + 10 * round + f, 6, 3);
      program.add(f == 0 ? "main" : "f" + std::to_string(f), graph.blocks(), graph.edges);
    }
    add_calls(&program, &random);
    const ProgramProfile profile = program.solve({0.5, kNoLoopLimit});
    constexpr uint32_t kGroups = 40, kRuns = 10;  // the groups tell how much the mean varies
    Machine machine(program, 0.5, seed + round);
    std::vector<std::vector<std::vector<uint64_t>>> after(1, machine.visits);
    for (uint32_t group = 0; group < kGroups; ++group) {
      for (uint32_t run = 0; run < kRuns; ++run) machine.run();
      after.push_back(machine.visits);
    }
    for (uint32_t f = 0; f < 4; ++f) {
      for (uint32_t b = 0; b < program.flow.functions[f].blocks.size(); ++b) {
        double sum = 0, squares = 0;
        for (uint32_t group = 0; group < kGroups; ++group) {
          const double mean =
              static_cast<double>(after[group + 1][f][b] - after[group][f][b]) / kRuns;
          sum += mean / kGroups;
          squares += mean * mean / kGroups;
        }
        const double error = std::sqrt(std::max(0.0, squares - sum * sum) / kGroups);
        EXPECT_NEAR(profile.entries[f] * profile.functions[f].blocks[b], sum, 5.5 * error + 0.01)
            << "function " << f << ", block " << b;
      }
    }
  }
}

TEST(FlowProgram, ACallThatDoesNotComeBackEndsThePath) {
  TestProgram program;
  const uint32_t main = program.add("main", 3, kOneInFour);
  const uint32_t fail = program.add("fail", 2, {{0, 1, 0}, {1, 1, 0}});
  const uint32_t wraps = program.add("wraps", 2, {{0, 1, 0}, {1, kOutside, 0}});
  program.call(main, 1, wraps);
  program.call(wraps, 0, fail);
  EXPECT_THAT(returning(program.flow), ElementsAre(true, false, false));
  const ProgramProfile profile = program.solve({kLeastPrior, 1000});
  EXPECT_THAT(profile.entries, ElementsAre(near(1), near(0.25), near(0.25)));
  EXPECT_THAT(profile.functions[main].blocks, ElementsAre(near(1), near(0.25), near(0.75)));
  EXPECT_THAT(profile.functions[wraps].blocks, ElementsAre(near(1), 0));
  EXPECT_THAT(profile.functions[main].edges, ElementsAre(near(0.25), near(0.75), 0, near(0.75)));
  EXPECT_THAT(profile.functions[fail].endless, ElementsAre(1));
}

TEST(FlowProgram, ATailCallIsMadeByTheWaysThatLeave) {
  // A branch to another function: taken once in four times.
  TestProgram program;
  const uint32_t main = program.add("main", 2, {{0, kOutside, 1}, {0, 1, 3}, {1, kOutside, 0}});
  const uint32_t g = program.add("g", 1, {{0, kOutside, 0}});
  program.flow.functions[main].calls.push_back({0, g, true});
  EXPECT_THAT(program.solve().entries, ElementsAre(near(1), near(0.25)));
  // To a function that does not return, main still returns by its other way.
  TestProgram stops = program;
  stops.edge(g, 0).kind = FlowKind::kStop;
  EXPECT_THAT(returning(stops.flow), ElementsAre(true, false));
}

TEST(FlowProgram, AnIndirectCallGoesWhereItWasSeen) {
  TestProgram program;
  const uint32_t main = program.add("main", 4, kTenTimes);
  const uint32_t g = program.add("g", 3, kOneInFour);
  const uint32_t h = program.add("h", 3, kOneInFour);
  program.call(main, 1, kOutside);
  program.seen.push_back({Tuple{TestProgram::last(main, 1), TestProgram::pc(g, 0), 3}, 30});
  program.seen.push_back({Tuple{TestProgram::last(main, 1), TestProgram::pc(h, 0), 3}, 10});
  const ProgramProfile profile = program.solve();
  EXPECT_THAT(profile.entries, ElementsAre(near(1), near(7.5), near(2.5)));
  EXPECT_THAT(profile.unresolved, IsEmpty());
}

TEST(FlowProgram, AnIndirectCallThatWasNotSeenGoesToEveryFunctionItMayMean) {
  TestProgram program;
  const uint32_t main = program.add("main", 4, kTenTimes);
  program.add("g", 3, kOneInFour);
  program.add("h", 1, {{0, kOutside, 0}});
  program.add("never_executed", 3, {{0, 1, 0}, {0, 2, 0}, {1, 2, 0}, {2, kOutside, 0}});
  program.add("not_taken", 1, {{0, kOutside, 0}});
  for (const uint32_t taken : {1, 2, 3}) program.flow.functions[taken].address_taken = true;
  program.call(main, 1, kOutside);
  const ProgramProfile profile = program.solve();
  EXPECT_THAT(profile.entries, ElementsAre(near(1), near(5), near(5), 0, 0));
  EXPECT_THAT(profile.unresolved, ElementsAre(TestProgram::last(main, 1)));
}

TEST(FlowProgram, WhatWasWatchedAndNeverSeenWasNotExecuted) {
  // Block 1 calls a function whose branch was never seen: neither was executed. A profile of
  // samples does not know that, and gives the way its prior.
  TestProgram program;
  const uint32_t main =
      program.add("main", 4, {{0, 1, 0}, {0, 2, 9}, {1, 2, 0}, {2, 3, 0}, {3, kOutside, 0}});
  const uint32_t fails =
      program.add("fails", 3, {{0, 1, 0}, {0, 2, 0}, {1, 2, 0}, {2, kOutside, 0}});
  const uint32_t ends = program.add("ends", 1, {{0, kOutside, 0}});
  program.call(main, 1, fails);
  program.call(main, 2, ends);
  const MarkovOptions options{0.5, 4096};
  EXPECT_THAT(program.solve(options).entries, ElementsAre(near(1), 0, near(1)));
  EXPECT_THAT(program.solve(options).functions[main].blocks, ElementsAre(1, 0, 1, 1));
  const ProgramProfile sampled =
      program_profile(program.flow, Profile(program.seen), "main", {options, {}, {}});
  EXPECT_THAT(sampled.entries, ElementsAre(near(1), near(0.05), near(1)));
}

TEST(FlowProgram, ABlockBeforeAnIdleOneIsIdleUnlessACallStandsBetween) {
  TestProgram program;
  const uint32_t main =
      program.add("main", 4, {{0, 1, 0}, {1, 2, 0}, {2, 3, 0}, {2, 2, 0}, {3, kOutside, 0}});
  const uint32_t g = program.add("g", 1, {{0, kOutside, 0}});
  EXPECT_THAT(idle_blocks(program.flow, SeenWays(Profile()), program.all_branches())[main],
              ElementsAre(true, true, true, false));
  program.call(main, 1, g);
  EXPECT_THAT(idle_blocks(program.flow, SeenWays(Profile()), program.all_branches())[main],
              ElementsAre(false, false, true, false));
}

TEST(FlowProgram, AWatchedCallThatWasNotSeenWasNotMade) {
  // In block 1, which the branch of block 0 has not led to, is an indirect call.
  TestProgram program;
  const uint32_t main = program.add("main", 3, {{0, 1, 0}, {0, 2, 3}, {1, 2, 0}, {2, kOutside, 0}});
  program.add("g", 3, kOneInFour);
  program.flow.functions[1].address_taken = true;
  program.call(main, 1, kOutside);
  std::vector<uint64_t> watched = program.all_branches();
  const auto solve = [&] {
    return program_profile(program.flow, Profile(program.seen), "main", {{}, watched, {}});
  };
  EXPECT_GT(solve().entries[1], 0.1);
  EXPECT_THAT(solve().unresolved, ElementsAre(TestProgram::last(main, 1)));
  watched.insert(watched.begin() + 1, TestProgram::last(main, 1));
  EXPECT_EQ(solve().entries[1], 0);
  EXPECT_THAT(solve().unresolved, IsEmpty());
}

TEST(FlowProgram, WhatWasSeenCompletelyNeedsNoPrior) {
  // Ten checks that are executed once each and do not fail come before a loop.
  TestProgram program;
  std::vector<BiasEdge> edges;
  constexpr uint32_t kChecks = 10;
  for (uint32_t check = 0; check < kChecks; ++check) {
    edges.push_back({check, check + 1, 1});
    edges.push_back({check, kOutside, 0});
  }
  edges.insert(edges.end(), {{kChecks, kChecks, 99}, {kChecks, kOutside, 1}});
  const uint32_t main = program.add("main", kChecks + 1, edges);
  const auto loop = [&](const std::vector<uint64_t>& complete) {
    return program_profile(program.flow, Profile(program.seen), "main", {{}, {}, complete})
        .functions[main]
        .blocks.back();
  };
  EXPECT_NEAR(loop({}), 101 / 1.5 * std::pow(0.75, kChecks), 1e-3);
  EXPECT_NEAR(loop(program.all_branches()), 100, 1e-3);
}

TEST(FlowProgram, ALoopThatWasNotExecutedDoesNotBecomeEndless) {
  // The branch 2 of the loop was never seen: its way out, to the idle block 3, stays possible.
  TestProgram program;
  const uint32_t main = program.add(
      "main", 5,
      {{0, 1, 0}, {1, 2, 0}, {2, 1, 0}, {2, 3, 0}, {3, 4, 0}, {3, 3, 0}, {4, kOutside, 0}});
  program.call(main, 1, program.add("g", 1, {{0, kOutside, 0}}));
  const ProgramProfile profile = program.solve({0.5, 4096});
  EXPECT_THAT(profile.functions[main].blocks,
              ElementsAre(near(1), near(2), near(2), near(2), near(1)));
  EXPECT_THAT(profile.functions[main].endless, IsEmpty());
}

TEST(FlowProgram, AnIndirectJumpThatLeavesItsLabelsCountsAsATailCall) {
  TestProgram program;
  const uint32_t main = program.add(
      "main", 3, {{0, 1, 6}, {0, 2, 2}, {0, kOutside, 0}, {1, kOutside, 0}, {2, kOutside, 0}});
  const uint32_t g = program.add("g", 1, {{0, kOutside, 0}});
  for (FlowEdge& edge : program.flow.functions[main].edges) {
    if (edge.from != 0) continue;
    edge.kind = edge.to == kOutside ? FlowKind::kLeaves : FlowKind::kTable;
    if (edge.to == kOutside) edge.target = 0;
  }
  std::vector<FlowEdge>& edges = program.flow.functions[main].edges;
  std::rotate(edges.begin(), edges.begin() + 2, edges.begin() + 3);  // the one that leaves is first
  program.flow.functions[main].calls.push_back({0, kOutside, true});
  program.flow.functions[g].address_taken = true;
  // Where no such jump was seen, the labels are all.
  EXPECT_THAT(program.solve().entries, ElementsAre(near(1), 0));
  EXPECT_THAT(program.solve().unresolved, IsEmpty());
  program.seen.push_back({Tuple{TestProgram::last(main, 0), TestProgram::pc(g, 0), 0}, 8});
  EXPECT_THAT(program.solve().entries, ElementsAre(near(1), near(0.5)));
  EXPECT_THAT(program.solve().functions[main].blocks,
              ElementsAre(near(1), near(0.375), near(0.125)));
}

TEST(FlowProgram, ARootThatIsNotThereIsRefused) {
  TestProgram program;
  program.add("start\n", 1, {{0, kOutside, 0}});
  EXPECT_EQ(refusal(program, {}),
            "the program has no function 'main'; name the one where it begins");
}

TEST(FlowProgram, TheProfileOfItsBranchesHasTheirFrequencies) {
  TestProgram program;
  const uint32_t main = program.add("main", 4, kTenTimes);
  const uint32_t g = program.add("g", 3, kOneInFour);
  program.call(main, 1, g);
  const Profile profile = branch_profile(program.flow, program.solve(), /*tag=*/5, /*total=*/2000);
  const auto tuple = [](uint32_t f, uint32_t from, uint32_t to) {
    return Tuple{TestProgram::last(f, from), TestProgram::pc(f, to), 5};
  };
  // 10 executions of each branch: 1000 of 2000 events.
  EXPECT_EQ(profile.size(), 4u);
  EXPECT_EQ(profile.count(tuple(main, 2, 1)), 900u);
  EXPECT_EQ(profile.count(tuple(main, 2, 3)), 100u);
  EXPECT_EQ(profile.count(tuple(g, 0, 1)), 250u);
  EXPECT_EQ(profile.count(tuple(g, 0, 2)), 750u);
  EXPECT_TRUE(branch_profile(ControlFlow(), ProgramProfile(), 0, 100).empty());
}

TEST(FlowProgram, ReturnsAndUnknownCodeAreNoBranches) {
  TestProgram program;
  program.add("main", 4, kTenTimes);
  const Tuple branch{TestProgram::last(0, 2), TestProgram::pc(0, 1), 1};
  const Profile profile(
      Entries{{branch, 5}, {Tuple{TestProgram::last(0, 3), 0x40, 1}, 7}, {Tuple{1, 2, 1}, 9}});
  const Profile left = of_branches(profile, program.flow);
  EXPECT_EQ(left.size(), 1u);
  EXPECT_EQ(left.count(branch), 5u);
}

TEST(FlowProgram, AnExhaustiveProfileGivesItsOwnFrequenciesBack) {
  const uint64_t seed = test_seed();
  TestProgram program;
  for (uint32_t f = 0; f < 4; ++f) {
    const BiasGraph graph = StructuredGraph(seed + f, 30, 3).graph();
    program.add(f == 0 ? "main" : "f" + std::to_string(f), graph.blocks(), graph.edges);
  }
  std::mt19937_64 random(seed);
  add_calls(&program, &random);
  Machine machine(program, 0.5, seed);
  for (int i = 0; i < 20; ++i) machine.run();
  // What a selector of edges counts: each branch and where it went.
  TestProgram counted = program;
  counted.seen.clear();
  for (const auto& [way, count] : machine.branches) {
    counted.seen.push_back({Tuple{way.first, way.second, 0}, count});
  }
  const ProgramProfile profile = counted.solve({kLeastPrior, kNoLoopLimit});
  for (uint32_t f = 0; f < 4; ++f) {
    for (uint32_t b = 0; b < machine.visits[f].size(); ++b) {
      const double per_run = static_cast<double>(machine.visits[f][b]) / 20;
      EXPECT_NEAR(profile.entries[f] * profile.functions[f].blocks[b], per_run,
                  1e-6 * per_run + 1e-6);
    }
  }
}

}  // namespace
}  // namespace strobe::profile
