// Traces of blocks: what grows, what is copied, and that no path through a function is lost.
#include "sw/optimize/traces.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace strobe::optimize {
namespace {

using object::kNone;
using Path = std::vector<std::vector<uint32_t>>;

/// A node of ten operations that ends with a branch, or goes on to `next` alone.
FlowNode node(double to_taken, uint32_t taken, double to_next, uint32_t next) {
  FlowNode made;
  made.operations = 10;
  made.taken = taken;
  made.next = next;
  made.to_taken = to_taken;
  made.to_next = to_next;
  made.frequency = to_taken + to_next;
  return made;
}

std::vector<FlowNode> numbered(std::vector<FlowNode> nodes) {
  for (uint32_t i = 0; i < nodes.size(); ++i) nodes[i].block = i;
  nodes[0].entered = true;
  return nodes;
}

/// In these graphs a block dominates those with higher numbers that `dominated` names.
Traces formed(const std::vector<FlowNode>& nodes, const TraceOptions& options = {},
              const std::set<std::pair<uint32_t, uint32_t>>& dominates = {}) {
  return form_traces(nodes, options, [&](uint32_t above, uint32_t below) {
    return above == below || dominates.count({above, below}) != 0;
  });
}

/// The blocks of each trace.
Path blocks_of(const Traces& traces) {
  Path blocks;
  for (const std::vector<uint32_t>& trace : traces.traces) {
    blocks.emplace_back();
    for (const uint32_t one : trace) blocks.back().push_back(traces.nodes[one].block);
  }
  return blocks;
}

/// A diamond: 0 goes to 1 or 2, both to 3.
std::vector<FlowNode> diamond(double left, double right) {
  FlowNode last = node(0, kNone, 0, kNone);
  last.frequency = left + right;
  last.ends_trace = true;
  return numbered(
      {node(left, 1, right, 2), node(left, 3, 0, kNone), node(0, kNone, right, 3), last});
}

TEST(Traces, GrowAlongTheLikelyWayAndCopyTheTail) {
  const Traces traces = formed(diamond(90, 10));
  // The copy of block 3 belongs to the first trace; block 3 itself is left for what comes from 2.
  EXPECT_EQ(blocks_of(traces), (Path{{0, 1, 3}, {2, 3}}));
  EXPECT_DOUBLE_EQ(traces.nodes[traces.traces[0][2]].frequency, 90);
  EXPECT_DOUBLE_EQ(traces.nodes[3].frequency, 10);
}

TEST(Traces, StopWhereNoSuccessorReachesTheThreshold) {
  EXPECT_EQ(blocks_of(formed(diamond(59, 41))).front(), (std::vector<uint32_t>{0}));
  EXPECT_EQ(blocks_of(formed(diamond(61, 39))).front(), (std::vector<uint32_t>{0, 1, 3}));
  TraceOptions strict;
  strict.threshold = 0.95;
  EXPECT_EQ(blocks_of(formed(diamond(90, 10), strict)).front(), (std::vector<uint32_t>{0}));
}

TEST(Traces, StopAtACall) {
  std::vector<FlowNode> nodes = diamond(90, 10);
  nodes[1].ends_trace = true;
  EXPECT_EQ(blocks_of(formed(nodes)).front(), (std::vector<uint32_t>{0, 1}));
}

TEST(Traces, StopWhereAnotherBlockLeadsToTheSuccessorMoreOften) {
  // 0 goes to 2, which 1 reaches more often.
  std::vector<FlowNode> nodes =
      numbered({node(0, kNone, 30, 2), node(0, kNone, 70, 2), node(0, kNone, 0, kNone)});
  nodes[1].entered = true;
  nodes[2].frequency = 100;
  EXPECT_EQ(blocks_of(formed(nodes)), (Path{{2}, {1}, {0}}));
}

TEST(Traces, ABlockThatIsEnteredFromElsewhereKeepsItsOwnCode) {
  std::vector<FlowNode> nodes = numbered({node(0, kNone, 10, 1), node(0, kNone, 0, kNone)});
  nodes[1].frequency = 10;
  nodes[1].entered = true;
  const Traces traces = formed(nodes);
  EXPECT_EQ(traces.traces, (Path{{0, 2}, {1}}));
  EXPECT_EQ(traces.nodes[0].next, 2u);
}

TEST(Traces, ALoopThatRunsLongIsUnrolled) {
  // 0 enters the loop 1, which runs 100 times.
  FlowNode last = node(0, kNone, 0, kNone);
  last.frequency = 1;
  const std::vector<FlowNode> nodes = numbered({node(0, kNone, 1, 1), node(99, 1, 1, 2), last});
  for (const unsigned most : {1u, 2u, 4u}) {
    TraceOptions options;
    options.most_unrolled = most;
    const Traces traces = formed(nodes, options);
    EXPECT_EQ(blocks_of(traces).front(), std::vector<uint32_t>(most, 1));
    const FlowNode& end = traces.nodes[traces.traces[0].back()];
    EXPECT_EQ(end.taken, 1u) << "the last copy goes back to the first";
    double frequency = 0;
    for (const uint32_t one : traces.traces[0]) frequency += traces.nodes[one].frequency;
    EXPECT_NEAR(frequency, 100, 1e-9);
  }
}

TEST(Traces, ALoopThatRunsAFewTimesIsPeeled) {
  FlowNode last = node(0, kNone, 0, kNone);
  last.frequency = 50;
  const std::vector<FlowNode> nodes = numbered({node(0, kNone, 50, 1), node(60, 1, 40, 2), last});
  const Traces traces = formed(nodes);
  EXPECT_EQ(blocks_of(traces), (Path{{1}, {0, 1, 1, 1}, {2}}));
  EXPECT_EQ(traces.nodes[traces.traces[1].back()].taken, 1u) << "more often, it enters the loop";
  TraceOptions none;
  none.most_peeled = 0;
  EXPECT_EQ(blocks_of(formed(nodes, none))[0].front(), 1u);
  EXPECT_EQ(traces.nodes.size(), 6u);
}

/// 0 enters the loop 1, which runs so many times; 2 follows it.
std::vector<FlowNode> loop_of(double trips) {
  FlowNode last = node(0, kNone, 0, kNone);
  last.frequency = 50;
  return numbered({node(0, kNone, 50, 1), node(50 * (trips - 1), 1, 50, 2), last});
}

TEST(Traces, AfterALoopThatAlwaysRunsEquallyOftenTheTraceGoesOn) {
  for (const unsigned trips : {2u, 3u, 4u}) {
    const Traces traces = formed(loop_of(trips));
    std::vector<uint32_t> expected = {0};
    expected.insert(expected.end(), trips, 1);
    expected.push_back(2);
    ASSERT_EQ(blocks_of(traces)[1], expected);
    // Each copy but the last goes on to the next one, always.
    for (unsigned i = 1; i <= trips; ++i) {
      const FlowNode& copy = traces.nodes[traces.traces[1][i]];
      EXPECT_DOUBLE_EQ(copy.to_taken, i < trips ? 50 : 0);
      EXPECT_DOUBLE_EQ(copy.to_next, i < trips ? 0 : 50);
      EXPECT_EQ(copy.taken, i < trips ? traces.traces[1][i + 1] : 1u);
    }
    EXPECT_NEAR(traces.nodes[1].frequency, 0, 1e-9) << "nothing is left for the loop itself";
  }
}

TEST(Traces, ALoopThatRunsNowLongerNowShorterEndsTheTrace) {
  EXPECT_EQ(blocks_of(formed(loop_of(2.1)))[1], (std::vector<uint32_t>{0, 1, 1}));
}

TEST(Traces, ALoopThatHardlyEverRunsTwiceIsPassed) {
  EXPECT_EQ(blocks_of(formed(loop_of(1.4)))[0], (std::vector<uint32_t>{1, 2}));
}

TEST(Traces, ABackEdgeEndsATrace) {
  // 0, 1, 2 is a loop of which 1 is the hottest; the edge from 2 to 0 goes back.
  std::vector<FlowNode> nodes = numbered({node(0, kNone, 90, 1), node(0, kNone, 100, 2),
                                          node(90, 0, 10, 3), node(0, kNone, 0, kNone)});
  nodes[1].entered = true;
  nodes[3].frequency = 10;
  const Traces traces = formed(nodes, {}, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}});
  EXPECT_EQ(blocks_of(traces).front(), (std::vector<uint32_t>{1, 2}));
}

/// A random graph in which what flows into a block flows out of it, found by walking.
std::vector<FlowNode> random_graph(std::mt19937* random, std::vector<uint32_t>* walk) {
  const auto below = [random](uint32_t bound) {
    return static_cast<uint32_t>((*random)() % bound);
  };
  const uint32_t count = 3 + below(12);
  std::vector<FlowNode> nodes;
  std::vector<double> bias;
  for (uint32_t i = 0; i < count; ++i) {
    FlowNode made = node(0, below(count), 0, below(count));
    if (i + 1 == count) made.taken = made.next = kNone;
    made.ends_trace = below(6) == 0;
    made.entered = below(8) == 0;
    made.operations = below(20);
    nodes.push_back(made);
    bias.push_back(static_cast<double>(below(100)) / 100);
  }
  uint32_t at = 0;
  for (unsigned step = 0; step < 2000 && at != kNone; ++step) {
    walk->push_back(at);
    nodes[at].frequency += 1;
    const bool taken = static_cast<double>(below(100)) / 100 < bias[at];
    (taken ? nodes[at].to_taken : nodes[at].to_next) += 1;
    at = taken ? nodes[at].taken : nodes[at].next;
  }
  return numbered(nodes);
}

TEST(Traces, NoPathIsLostAndNoneEntersATraceInItsMiddle) {
  std::mt19937 random(/*seed=*/7);
  unsigned copies = 0, longest = 0;
  for (unsigned round = 0; round < 500; ++round) {
    SCOPED_TRACE("seed 7, round " + std::to_string(round));
    std::vector<uint32_t> walk;
    const std::vector<FlowNode> blocks = random_graph(&random, &walk);
    const Traces traces = formed(blocks);
    std::set<uint32_t> placed;
    std::vector<uint32_t> before(traces.nodes.size(), kNone);  // the node before it in its trace
    std::vector<bool> head(traces.nodes.size());
    for (const std::vector<uint32_t>& trace : traces.traces) {
      longest = std::max(longest, static_cast<unsigned>(trace.size()));
      head[trace.front()] = true;
      for (size_t i = 0; i < trace.size(); ++i) {
        ASSERT_TRUE(placed.insert(trace[i]).second) << "in two traces: " << trace[i];
        if (i > 0) before[trace[i]] = trace[i - 1];
      }
    }
    ASSERT_EQ(placed.size(), traces.nodes.size());
    copies += static_cast<unsigned>(traces.nodes.size() - blocks.size());
    for (uint32_t i = 0; i < traces.nodes.size(); ++i) {
      const FlowNode& one = traces.nodes[i];
      for (const uint32_t to : {one.taken, one.next}) {
        ASSERT_TRUE(to == kNone || head[to] || before[to] == i) << i << " enters at " << to;
      }
      // A copy goes where its block goes, or to a copy of that.
      const FlowNode& block = blocks[one.block];
      ASSERT_EQ(one.taken == kNone ? kNone : traces.nodes[one.taken].block, block.taken);
      ASSERT_EQ(one.next == kNone ? kNone : traces.nodes[one.next].block, block.next);
      ASSERT_TRUE(i >= blocks.size() || traces.nodes[i].block == i);
      ASSERT_TRUE(!blocks[one.block].entered || i != one.block || head[i]);
    }
    double frequency = 0;
    for (const FlowNode& one : traces.nodes) frequency += one.frequency;
    ASSERT_NEAR(frequency, static_cast<double>(walk.size()), 1e-6);
  }
  EXPECT_GT(copies, 500u);
  EXPECT_GT(longest, 5u);
}

}  // namespace
}  // namespace strobe::optimize
