// Frequencies of the chain: loops, irreducible graphs, limits, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <limits>

#include "sw/profile/flow/elimination.h"
#include "sw/profile/flow/loop_solver.h"
#include "sw/profile/flow/markov.h"
#include "tests/unit/profile/flow_graphs.h"

namespace strobe::profile {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr MarkovOptions kPlain = {kLeastPrior, kNoLoopLimit};

std::string refusal(const BiasGraph& graph, const MarkovOptions& options = {}) {
  try {
    edge_profile(graph, options);
  } catch (const FlowError& error) {
    return error.what();
  }
  return "";
}

/// The largest difference relative to the reference, of blocks that are executed at all.
double relative_error(const EdgeProfile& profile, const EdgeProfile& reference) {
  double largest = 0;
  for (size_t i = 0; i < profile.blocks.size(); ++i) {
    if (reference.blocks[i] == 0) {
      EXPECT_EQ(profile.blocks[i], 0);
      continue;
    }
    largest = std::max(largest, std::abs(profile.blocks[i] / reference.blocks[i] - 1));
  }
  return largest;
}

/// What enters each block leaves it, and one execution in all leaves the function.
void expect_conserved(const BiasGraph& graph, const EdgeProfile& profile) {
  std::vector<double> in(graph.blocks()), out(graph.blocks());
  double left = 0;
  in[0] = 1;
  for (size_t i = 0; i < graph.edges.size(); ++i) {
    out[graph.edges[i].from] += profile.edges[i];
    (graph.edges[i].to == kOutside ? left : in[graph.edges[i].to]) += profile.edges[i];
  }
  for (uint32_t b = 0; b < graph.blocks(); ++b) {
    EXPECT_NEAR(in[b], profile.blocks[b], 1e-9 * profile.blocks[b]) << "into block " << b;
    EXPECT_NEAR(out[b], profile.blocks[b], 1e-9 * profile.blocks[b]) << "out of block " << b;
  }
  EXPECT_NEAR(left, 1, 1e-9);
}

bool is_reducible(const BiasGraph& graph) {
  const LoopNest nest = find_loops(make_chain(graph, 0.5));
  return std::all_of(nest.loops.begin(), nest.loops.end(),
                     [](const NestedLoop& loop) { return loop.headers.size() <= 1; });
}

TEST(FlowMarkov, TheWeightsOfAGraphFollowFromItsBiases) {
  // A loop of ten iterations around a branch that goes to block 2 in three of four times.
  const BiasGraph graph = graph_of(6, {{0, 1, 0},
                                       {1, 2, 3},
                                       {1, 3, 1},
                                       {2, 4, 0},
                                       {3, 4, 0},
                                       {4, 1, 9},
                                       {4, 5, 1},
                                       {5, kOutside, 0}});
  const EdgeProfile profile = edge_profile(graph, kPlain);
  const std::vector<double> blocks = {1, 10, 7.5, 2.5, 10, 1};
  const std::vector<double> edges = {1, 7.5, 2.5, 7.5, 2.5, 9, 1, 1};
  for (size_t i = 0; i < blocks.size(); ++i) EXPECT_NEAR(profile.blocks[i], blocks[i], 1e-7) << i;
  for (size_t i = 0; i < edges.size(); ++i) EXPECT_NEAR(profile.edges[i], edges[i], 1e-7) << i;
  EXPECT_THAT(profile.unseen, IsEmpty());
  EXPECT_THAT(profile.unreached, IsEmpty());
}

TEST(FlowMarkov, IsTheStationaryDistributionOfTheChainWithAnEdgeFromExitToEntry) {
  const BiasGraph graph = random_graph(test_seed(), 30, 50);
  const EdgeProfile profile = edge_profile(graph, {0.5, kNoLoopLimit});
  std::vector<double> pi = profile.blocks, next(graph.blocks());
  double sum = 0;
  for (const double each : pi) sum += each;
  for (double& each : pi) each /= sum;
  const std::vector<uint32_t> first = first_edges(graph);
  for (uint32_t b = 0; b < graph.blocks(); ++b) {
    const uint32_t ways = first[b + 1] - first[b];
    double n = 1;
    for (uint32_t e = first[b]; e < first[b + 1]; ++e)
      n += static_cast<double>(graph.edges[e].seen);
    for (uint32_t e = first[b]; e < first[b + 1]; ++e) {
      const double seen = static_cast<double>(graph.edges[e].seen);
      const double p = ways == 1 ? 1 : (seen + 1.0 / ways) / n;
      const uint32_t to = graph.edges[e].to;
      next[to == kOutside ? 0 : to] += pi[b] * p;
      EXPECT_NEAR(profile.edges[e], profile.blocks[b] * p, 1e-12 * profile.blocks[b]);
    }
  }
  for (uint32_t b = 0; b < graph.blocks(); ++b) EXPECT_NEAR(next[b], pi[b], 1e-12) << b;
}

TEST(FlowMarkov, EqualsTheReferenceOnReducibleAndIrreducibleGraphs) {
  const uint64_t seed = test_seed();
  double largest[2] = {0, 0};
  uint32_t irreducible = 0;
  for (uint32_t round = 0; round < 40; ++round) {
    const bool structured = round % 2 == 0;
    const BiasGraph graph = structured
                                ? StructuredGraph(seed + round, 20 + 4 * round, 1u << 30).graph()
                                : random_graph(seed + round, 5 + 2 * round, 1000);
    const EdgeProfile profile = edge_profile(graph, {0.5, kNoLoopLimit});
    const EdgeProfile reference = reference_profile(graph, 0.5);
    const double error = relative_error(profile, reference);
    EXPECT_LT(error, 1e-9) << "round " << round;
    largest[structured ? 0 : 1] = std::max(largest[structured ? 0 : 1], error);
    expect_conserved(graph, profile);
    const bool reducible = is_reducible(graph);
    EXPECT_TRUE(reducible || !structured) << "round " << round;
    irreducible += reducible ? 0 : 1;
  }
  EXPECT_GT(irreducible, 10u);
  std::cout << "largest relative difference: " << largest[0] << " on structured graphs, "
            << largest[1] << " on graphs without structure\n";
}

TEST(FlowMarkov, KeepsItsPrecisionWhereALoopLeavesOnceInABillion) {
  const BiasGraph graph = graph_of(
      4, {{0, 1, 0}, {1, 2, 999999999}, {1, 3, 1}, {2, 1, 999999999}, {2, 2, 1}, {3, kOutside, 0}});
  const EdgeProfile profile = edge_profile(graph, {1, kNoLoopLimit});
  EXPECT_LT(relative_error(profile, reference_profile(graph, 1)), 1e-14);
  EXPECT_NEAR(profile.blocks[1], 1000000002.0 / 2, 1e-6);
}

TEST(FlowMarkov, ACycleThatIsEnteredAtTwoBlocksHasItsScale) {
  // As in the function yyparse_1 that LLVM's frequencies miss by a factor of 276: the cycle 1, 2, 3
  // is entered at 1 and at 2 and leaves once in 585.19 times.
  const BiasGraph graph = graph_of(
      4, {{0, 1, 59}, {0, 2, 41}, {1, 2, 0}, {2, 3, 0}, {3, 1, 58419}, {3, kOutside, 100}});
  const EdgeProfile profile = edge_profile(graph, kPlain);
  EXPECT_NEAR(profile.blocks[1], 584.78, 1e-4);
  EXPECT_NEAR(profile.blocks[2], 585.19, 1e-4);
  EXPECT_NEAR(profile.blocks[3], 585.19, 1e-4);
  EXPECT_LT(relative_error(profile, reference_profile(graph, kLeastPrior)), 1e-12);
}

TEST(FlowMarkov, ParallelEdgesAddUp) {
  // Two entries of a jump table lead to block 1.
  const BiasGraph graph =
      graph_of(3, {{0, 1, 30}, {0, 1, 20}, {0, 2, 50}, {1, kOutside, 0}, {2, kOutside, 0}});
  const EdgeProfile profile = edge_profile(graph, kPlain);
  EXPECT_NEAR(profile.blocks[1], 0.5, 1e-9);
  EXPECT_NEAR(profile.edges[0], 0.3, 1e-9);
  EXPECT_NEAR(profile.edges[1], 0.2, 1e-9);
}

TEST(FlowMarkov, AWayThatWasNeverSeenTakesThePriorAndIsReportedWhereNoneWas) {
  const BiasGraph graph = graph_of(5, {{0, 1, 0},
                                       {0, 2, 9},
                                       {1, kOutside, 0},
                                       {2, 3, 0},
                                       {2, 4, 0},
                                       {2, kOutside, 0},
                                       {3, kOutside, 0},
                                       {4, kOutside, 0}});
  const EdgeProfile profile = edge_profile(graph, {0.5, kNoLoopLimit});
  EXPECT_DOUBLE_EQ(profile.edges[0], 0.5 / 10);
  EXPECT_DOUBLE_EQ(profile.edges[1], 9.5 / 10);
  // Three ways share the prior that two ways have.
  EXPECT_DOUBLE_EQ(profile.edges[3], 0.95 / 3);
  EXPECT_THAT(profile.unseen, ElementsAre(2));
}

TEST(FlowMarkov, BlocksThatNothingLeadsToHaveFrequencyZeroAndAreReported) {
  const BiasGraph graph =
      graph_of(4, {{0, 3, 0}, {1, 2, 5}, {1, 1, 5}, {2, 1, 0}, {3, kOutside, 0}});
  const EdgeProfile profile = edge_profile(graph);
  EXPECT_THAT(profile.blocks, ElementsAre(1, 0, 0, 1));
  EXPECT_THAT(profile.edges, ElementsAre(1, 0, 0, 0, 1));
  EXPECT_THAT(profile.unreached, ElementsAre(1, 2));
}

TEST(FlowMarkov, ALoopWithoutAWayOutRunsToTheLimitAndIsReported) {
  // One call in four serves forever.
  const BiasGraph graph =
      graph_of(4, {{0, 1, 1}, {0, 3, 3}, {1, 2, 0}, {2, 1, 0}, {3, kOutside, 0}});
  const EdgeProfile profile = edge_profile(graph, {kLeastPrior, 1000});
  EXPECT_NEAR(profile.blocks[1], 250, 1e-5);
  EXPECT_NEAR(profile.blocks[2], 250, 1e-5);
  EXPECT_NEAR(profile.blocks[3], 0.75, 1e-8);
  EXPECT_THAT(profile.endless, ElementsAre(1));
  EXPECT_THAT(profile.limited, IsEmpty());
}

TEST(FlowMarkov, WithoutALimitALoopWithoutAWayOutIsRefusedWithItsPlace) {
  const BiasGraph graph =
      graph_of(4, {{0, 1, 1}, {0, 3, 3}, {1, 2, 0}, {2, 1, 0}, {3, kOutside, 0}});
  EXPECT_EQ(refusal(graph, kPlain),
            "f: at 0x1004 begins a loop without a way out, whose blocks have no finite frequency; "
            "set a limit of iterations");
}

TEST(FlowMarkov, TheLimitShortensALoopAndKeepsTheProportionsInside) {
  // A loop that leaves once in 10^5 iterations, by block 3 twice as often as by block 2.
  const BiasGraph graph = graph_of(6, {{0, 1, 0},
                                       {1, 2, 75},
                                       {1, 3, 25},
                                       {2, 1, 7499950},
                                       {2, 4, 50},
                                       {3, 1, 2499900},
                                       {3, 5, 100},
                                       {4, kOutside, 0},
                                       {5, kOutside, 0}});
  const EdgeProfile free = edge_profile(graph, kPlain);
  const EdgeProfile bound = edge_profile(graph, {kLeastPrior, 1000});
  EXPECT_NEAR(free.blocks[1], 66667, 1);
  EXPECT_NEAR(bound.blocks[1], 1000, 1e-6);
  EXPECT_THAT(bound.limited, ElementsAre(1));
  EXPECT_THAT(free.limited, IsEmpty());
  // What comes after the loop is as before, and inside nearly so.
  EXPECT_NEAR(bound.blocks[4], free.blocks[4], 1e-9);
  EXPECT_NEAR(bound.blocks[5], free.blocks[5], 1e-9);
  EXPECT_NEAR(bound.blocks[2] / bound.blocks[1], 0.75, 0.001);
  expect_conserved(graph, bound);
}

TEST(FlowMarkov, TheLimitHoldsForEveryLoopOfStructuredGraphsAndConservesFlow) {
  const uint64_t seed = test_seed();
  uint64_t limited = 0;
  for (uint32_t round = 0; round < 60; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    const BiasGraph graph = StructuredGraph(seed + round, 60, 1u << 20).graph();
    Chain chain = make_chain(graph, 0.5);
    const LoopNest nest = find_loops(chain);
    LoopSolver solver(&chain, nest);
    solver.limit(50);
    limited += solver.limited().size();
    const EdgeProfile profile = edge_profile(graph, {0.5, 50});
    expect_conserved(graph, profile);
    for (uint32_t loop = 1; loop < nest.loops.size(); ++loop) {
      const uint32_t header = nest.loops[loop].headers[0];
      double entered = header == 0 ? 1 : 0;
      for (size_t i = 0; i < graph.edges.size(); ++i) {
        if (graph.edges[i].to != header) continue;
        uint32_t inside = nest.loop_of[graph.edges[i].from];
        while (inside != kOutside && inside != loop) inside = nest.loops[inside].parent;
        if (inside == kOutside) entered += profile.edges[i];
      }
      EXPECT_LE(profile.blocks[header], 50 * entered * (1 + 1e-9)) << "loop at block " << header;
    }
    // The elimination solves the limited chain too.
    const uint32_t size = graph.blocks();
    std::vector<double> moves(size_t{size} * size), leaves = chain.ends, entering(size);
    for (size_t i = 0; i < graph.edges.size(); ++i) {
      const BiasEdge& edge = graph.edges[i];
      (edge.to == kOutside ? leaves[edge.from] : moves[size_t{edge.from} * size + edge.to]) +=
          chain.probability[i];
    }
    entering[0] = 1;
    EdgeProfile reference;
    reference.blocks = Elimination(size, moves, leaves).visits(entering);
    EXPECT_LT(relative_error(profile, reference), 1e-9);
  }
  EXPECT_GT(limited, 20u);
}

TEST(FlowMarkov, TheLimitHoldsApproximatelyForALoopWithTwoHeaders) {
  const BiasGraph graph =
      graph_of(4, {{0, 1, 1}, {0, 2, 1}, {1, 2, 0}, {2, 3, 0}, {3, 1, 999999}, {3, kOutside, 1}});
  const EdgeProfile profile = edge_profile(graph, {kLeastPrior, 100});
  EXPECT_NEAR(profile.blocks[1] + profile.blocks[2], 100, 2);
  EXPECT_THAT(profile.limited, ElementsAre(1));
  expect_conserved(graph, profile);
}

TEST(FlowMarkov, AProbabilityTooSmallForANumberCountsAsNone) {
  // The way out of the loop needs fifty branches that were not seen to go there.
  std::vector<BiasEdge> edges;
  for (uint32_t b = 0; b < 50; ++b) {
    edges.push_back({b, 0, uint64_t{1} << 60});
    edges.push_back({b, b + 1 < 50 ? b + 1 : kOutside, 0});
  }
  const BiasGraph graph = graph_of(50, edges);
  EXPECT_THAT(refusal(graph, kPlain), HasSubstr("f: at 0x1000 begins a loop without a way out"));
  const EdgeProfile profile = edge_profile(graph, {kLeastPrior, 100});
  EXPECT_NEAR(profile.blocks[0], 100, 1e-6);
  EXPECT_THAT(profile.endless, ElementsAre(0));
}

TEST(FlowMarkov, BadGraphsAndOptionsAreRefusedWithTheirPlace) {
  EXPECT_EQ(refusal(graph_of(0, {})), "f: it has no block; expected an entry at least");
  EXPECT_EQ(refusal(graph_of(2, {{0, 2, 0}, {1, kOutside, 0}})),
            "f: an edge goes from block 0 to 2; expected numbers below 2");
  EXPECT_EQ(refusal(graph_of(2, {{0, 1, 0}})),
            "f: at 0x1004: no edge leaves the block; expected one, to the outside where the "
            "function ends");
  BiasGraph mixed = graph_of(2, {{0, 1, 0}, {1, kOutside, 0}});
  std::swap(mixed.edges[0], mixed.edges[1]);
  EXPECT_EQ(refusal(mixed),
            "f: at 0x1000: its edges come after those of block 1; expected the edges in the order "
            "of blocks");
  const BiasGraph graph = graph_of(1, {{0, kOutside, 0}});
  EXPECT_EQ(refusal(graph, {0, 4096}), "f: the prior is 0; expected 1e-09 to 1e+09");
  EXPECT_EQ(refusal(graph, {std::numeric_limits<double>::quiet_NaN(), 4096}),
            "f: the prior is nan; expected 1e-09 to 1e+09");
  EXPECT_EQ(refusal(graph, {0.5, 1}),
            "f: the limit of iterations is 1; expected 0 for none, or 2 to 1e+12");
}

TEST(FlowMarkov, ACycleWithTooManyHeadersIsRefused) {
  std::vector<BiasEdge> edges;
  const uint32_t headers = kMostHeaders + 1;
  for (uint32_t b = 1; b <= headers; ++b) {
    edges.push_back({0, b, 1});
    edges.push_back({b, b < headers ? b + 1 : 1, 1});
    edges.push_back({b, kOutside, 1});
  }
  EXPECT_EQ(refusal(graph_of(headers + 1, edges)),
            "f: at 0x1004 begins a loop that is entered at 1025 blocks; expected at most 1024; "
            "leave the function out");
}

/// The shortest of three times, in seconds.
double seconds_for(const BiasGraph& graph) {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    edge_profile(graph);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    least = std::min(least, took.count());
  }
  return least;
}

TEST(FlowMarkov, TheTimeGrowsWithTheSizeOfTheGraph) {
  const BiasGraph small = StructuredGraph(1, 10000, 1000).graph();
  const BiasGraph large = StructuredGraph(1, 100000, 1000).graph();
  const double for_small = seconds_for(small), for_large = seconds_for(large);
  const double growth = static_cast<double>(large.blocks()) / small.blocks();
  std::cout << small.blocks() << " blocks: " << for_small << " s, " << large.blocks()
            << " blocks: " << for_large << " s\n";
  // A quadratic solver would take growth times more for each block.
  EXPECT_LT(for_large, 4 * growth * for_small);
}

}  // namespace
}  // namespace strobe::profile
