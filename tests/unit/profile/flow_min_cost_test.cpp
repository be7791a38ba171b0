// The flow that differs least from the counts: by hand, and against a search of all flows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "sw/profile/flow/min_cost_flow.h"
#include "tests/unit/profile/flow_graphs.h"

namespace strobe::profile {
namespace {

using testing::ElementsAre;

std::string inference_refusal(const BiasGraph& graph) {
  try {
    min_cost_flow(graph);
  } catch (const FlowError& error) {
    return error.what();
  }
  return "";
}

/// The cost of the changes; fails the test when the flow is not conserved.
int64_t cost_of(const BiasGraph& graph, const std::vector<double>& flow) {
  const FlowCosts costs;
  const std::vector<uint32_t> first = first_edges(graph);
  std::vector<double> balance(graph.blocks());
  int64_t cost = 0;
  for (size_t i = 0; i < graph.edges.size(); ++i) {
    const BiasEdge& edge = graph.edges[i];
    EXPECT_GE(flow[i], 0);
    balance[edge.from] -= flow[i];
    if (edge.to != kOutside) balance[edge.to] += flow[i];
    if (first[edge.from + 1] - first[edge.from] == 1) continue;
    const auto change = static_cast<int64_t>(flow[i]) - static_cast<int64_t>(edge.seen);
    cost += change < 0       ? -change * costs.decrease
            : edge.seen == 0 ? change * costs.increase_from_zero
                             : change * costs.increase;
  }
  for (uint32_t b = 1; b < graph.blocks(); ++b) EXPECT_EQ(balance[b], 0) << "block " << b;
  EXPECT_LE(balance[0], 0);  // what enters the function leaves its entry
  return cost;
}

/// The least cost of any flow whose counts are at most `most`, by trying all.
int64_t least_cost(const BiasGraph& graph, int64_t most) {
  const FlowCosts costs;
  const std::vector<uint32_t> first = first_edges(graph);
  std::vector<int64_t> balance(graph.blocks() + 1);
  int64_t least = std::numeric_limits<int64_t>::max();
  const std::function<void(size_t, int64_t)> try_from = [&](size_t i, int64_t cost) {
    if (cost >= least) return;
    // The flow of a block is settled with its last edge, unless a later block leads back to it.
    if (i == graph.edges.size()) {
      for (uint32_t b = 1; b < graph.blocks(); ++b) {
        if (balance[b] != 0) return;
      }
      if (balance[0] <= 0) least = cost;
      return;
    }
    const BiasEdge& edge = graph.edges[i];
    const bool only = first[edge.from + 1] - first[edge.from] == 1;
    for (int64_t flow = 0; flow <= most; ++flow) {
      const int64_t change = flow - static_cast<int64_t>(edge.seen);
      const int64_t price = only             ? 0
                            : change < 0     ? -change * costs.decrease
                            : edge.seen == 0 ? change * costs.increase_from_zero
                                             : change * costs.increase;
      balance[edge.from] -= flow;
      balance[std::min(edge.to, graph.blocks())] += flow;
      try_from(i + 1, cost + price);
      balance[edge.from] += flow;
      balance[std::min(edge.to, graph.blocks())] -= flow;
    }
  };
  try_from(0, 0);
  return least;
}

TEST(FlowMinCost, CountsThatConserveFlowStayAsTheyAre) {
  const BiasGraph graph = graph_of(
      5, {{0, 1, 0}, {1, 2, 30}, {1, 3, 10}, {2, 3, 0}, {3, 1, 36}, {3, 4, 4}, {4, kOutside, 0}});
  const EdgeProfile profile = min_cost_flow(graph);
  EXPECT_THAT(profile.edges, ElementsAre(4, 30, 10, 30, 36, 4, 4));
  EXPECT_THAT(profile.blocks, ElementsAre(4, 40, 30, 40, 4));
}

TEST(FlowMinCost, CountsThatDoNotAreChangedWhereItIsCheapest) {
  // The second branch was sampled 80 times, the first 100 times: 20 more of the 60 cost 10 each.
  const BiasGraph graph = graph_of(7, {{0, 1, 90},
                                       {0, 2, 10},
                                       {1, 3, 0},
                                       {2, 3, 0},
                                       {3, 4, 60},
                                       {3, 5, 20},
                                       {4, 6, 0},
                                       {5, 6, 0},
                                       {6, kOutside, 0}});
  const EdgeProfile profile = min_cost_flow(graph);
  EXPECT_EQ(profile.blocks[0], 100);
  EXPECT_EQ(profile.blocks[3], 100);
  EXPECT_EQ(profile.blocks[6], 100);
  EXPECT_EQ(cost_of(graph, profile.edges), 200);
}

TEST(FlowMinCost, NoFlowOfSmallGraphsIsCheaper) {
  const uint64_t seed = test_seed();
  constexpr int64_t kMost = 6;
  uint32_t compared = 0;
  for (uint32_t round = 0; round < 60; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    const BiasGraph graph = random_graph(seed + round, 2 + round % 3, 3);
    if (graph.edges.size() > 7) continue;
    const EdgeProfile profile = min_cost_flow(graph);
    const int64_t cost = cost_of(graph, profile.edges), least = least_cost(graph, kMost);
    EXPECT_LE(cost, least);
    // The search does not see larger counts.
    if (*std::max_element(profile.edges.begin(), profile.edges.end()) > kMost) continue;
    EXPECT_EQ(cost, least);
    ++compared;
  }
  EXPECT_GT(compared, 30u);
}

TEST(FlowMinCost, FlowIsConservedOnStructuredGraphs) {
  const uint64_t seed = test_seed();
  for (uint32_t round = 0; round < 20; ++round) {
    const BiasGraph graph = StructuredGraph(seed + round, 60, 100000).graph();
    const EdgeProfile profile = min_cost_flow(graph);
    EXPECT_GE(cost_of(graph, profile.edges), 0);
    EXPECT_EQ(profile.unreached.size(), 0u);
  }
}

TEST(FlowMinCost, ALoopWithoutAWayOutKeepsWhatTurnsInIt) {
  const BiasGraph graph =
      graph_of(4, {{0, 1, 0}, {0, 3, 5}, {1, 2, 8}, {1, 1, 2}, {2, 1, 0}, {3, kOutside, 0}});
  const EdgeProfile profile = min_cost_flow(graph);
  EXPECT_THAT(profile.edges, ElementsAre(0, 5, 8, 2, 8, 5));
}

TEST(FlowMinCost, BadCountsAndGraphsAreRefused) {
  EXPECT_EQ(inference_refusal(graph_of(2, {{0, 1, 0}})),
            "f: at 0x1004: no edge leaves the block; expected one, to the outside where the "
            "function ends");
  EXPECT_EQ(inference_refusal(graph_of(1, {{0, 0, ~uint64_t{0}}, {0, kOutside, 1}})),
            "f: at 0x1000 and before it, the counts add up to more than 2^62");
  std::vector<BiasEdge> edges;
  for (uint32_t b = 0; b <= kMostBlocks; ++b) edges.push_back({b, kOutside, 0});
  EXPECT_EQ(inference_refusal(graph_of(kMostBlocks + 1, edges)),
            "f: it has 20001 blocks; expected at most 20000");
}

}  // namespace
}  // namespace strobe::profile
