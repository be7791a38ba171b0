// Blocks, dominators and loops of small functions, of random ones against definitions that are
// computed by brute force, and of jump tables as gcc writes them.
#include "sw/object/analysis/flow_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>
#include <utility>

#include "tests/unit/object/decoded.h"

namespace strobe::object {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
using testing::UnorderedElementsAreArray;

/// The graph of the function f, with its blocks found by their labels.
struct GraphOfF {
  explicit GraphOfF(const std::string& body, const std::string& rest = "")
      : decoded(function_text("f", body) + rest), graph(decoded.graph("f")) {}

  uint32_t number(const std::string& label) const { return graph.block_of(decoded.at(label)); }
  const Block& block(const std::string& label) const { return graph.blocks().at(number(label)); }
  /// The loop with this header; fails if there is not exactly one.
  const Loop& loop(const std::string& header) const {
    const Loop* found = nullptr;
    for (const Loop& loop : graph.loops()) {
      if (loop.header != number(header)) continue;
      if (found != nullptr) throw std::runtime_error("two loops at " + header);
      found = &loop;
    }
    if (found == nullptr) throw std::runtime_error("no loop at " + header);
    return *found;
  }

  Decoded decoded;
  FlowGraph graph;
};

TEST(FlowGraph, AnIfWithAnElseIsADiamond) {
  const GraphOfF f(
      "  li a5, 1\n  beqz a0, other\n"
      "then: addi a0, a0, 1\n  j done\n"
      "other: addi a0, a0, 2\n"
      "done: ret");
  ASSERT_EQ(f.graph.blocks().size(), 4u);
  EXPECT_THAT(f.block("f").successors, UnorderedElementsAre(f.number("then"), f.number("other")));
  EXPECT_THAT(f.block("then").successors, ElementsAre(f.number("done")));
  EXPECT_THAT(f.block("other").successors, ElementsAre(f.number("done")));
  EXPECT_THAT(f.block("done").successors, IsEmpty());
  EXPECT_THAT(f.block("done").predecessors,
              UnorderedElementsAre(f.number("then"), f.number("other")));
  for (const char* label : {"f", "then", "other", "done"}) {
    EXPECT_EQ(f.block(label).entry, label == std::string("f")) << label;
    EXPECT_EQ(f.block(label).leaves, label == std::string("done")) << label;
    EXPECT_TRUE(f.block(label).reachable) << label;
  }
  EXPECT_EQ(f.block("f").dominator, kNone);
  EXPECT_EQ(f.block("then").dominator, f.number("f"));
  EXPECT_EQ(f.block("other").dominator, f.number("f"));
  EXPECT_EQ(f.block("done").dominator, f.number("f"));
  EXPECT_TRUE(f.graph.dominates(f.number("f"), f.number("done")));
  EXPECT_TRUE(f.graph.dominates(f.number("done"), f.number("done")));
  EXPECT_FALSE(f.graph.dominates(f.number("then"), f.number("done")));
  EXPECT_THAT(f.graph.loops(), IsEmpty());
  EXPECT_EQ(f.graph.obstacle(), "");
}

TEST(FlowGraph, TheBlocksAreTheInstructionsOfTheFunctionInOrder) {
  const GraphOfF f("  beqz a0, last\n  nop\nlast: ret", function_text("g", "  ret"));
  ASSERT_EQ(f.graph.blocks().size(), 3u);
  EXPECT_EQ(f.graph.blocks()[0].first, f.decoded.at("f"));
  EXPECT_EQ(f.graph.blocks()[0].last, f.decoded.at("f"));
  EXPECT_EQ(f.graph.blocks()[1].first, f.decoded.at("f") + 1);
  EXPECT_EQ(f.graph.blocks()[2].first, f.decoded.at("last"));
  EXPECT_EQ(f.graph.blocks()[2].last, f.decoded.at("g") - 1);
}

TEST(FlowGraph, ACallEndsABlockThatGoesOnAfterIt) {
  const GraphOfF f("  call g\nnext: jalr a0\nlast: ret");
  ASSERT_EQ(f.graph.blocks().size(), 3u);
  EXPECT_EQ(f.block("f").last, f.block("f").first + 1);  // auipc and jalr
  EXPECT_THAT(f.block("f").successors, ElementsAre(f.number("next")));
  EXPECT_THAT(f.block("next").successors, ElementsAre(f.number("last")));
  EXPECT_FALSE(f.block("f").leaves);
  EXPECT_FALSE(f.block("next").leaves);
}

TEST(FlowGraph, ControlLeavesAtTheEndABranchOutATailCallAndAStop) {
  const std::string g = function_text("g", "  nop\ninside_g: ret");
  const GraphOfF falls("  addi a0, a0, 1", g);
  EXPECT_TRUE(falls.block("f").leaves);
  EXPECT_THAT(falls.block("f").successors, IsEmpty());

  const GraphOfF branches("  beqz a0, inside_g\nnext: ret", g);
  EXPECT_TRUE(branches.block("f").leaves);
  EXPECT_THAT(branches.block("f").successors, ElementsAre(branches.number("next")));

  for (const char* last : {"tail g", "j g", "j inside_g", "tail elsewhere", "jr a5", "ebreak"}) {
    const GraphOfF f("  nop\n  " + std::string(last) + "\nafter: ret", g);
    EXPECT_TRUE(f.block("f").leaves) << last;
    EXPECT_THAT(f.block("f").successors, IsEmpty()) << last;
    EXPECT_FALSE(f.block("after").reachable) << last;
    EXPECT_EQ(f.graph.obstacle(), "") << last;
  }
}

TEST(FlowGraph, CodeThatIsNotReachedHasNoDominatorAndNoLoop) {
  const GraphOfF f(
      "  j done\n"
      "dead: addi a0, a0, 1\n  bnez a0, dead\n"
      "  nop\n"
      "done: ret");
  EXPECT_FALSE(f.block("dead").reachable);
  EXPECT_EQ(f.block("dead").dominator, kNone);
  EXPECT_THAT(f.graph.loops(), IsEmpty());
  EXPECT_EQ(f.block("done").dominator, f.number("f"));
}

TEST(FlowGraph, ABlockThatIsALoopIsItsOwnLatch) {
  const GraphOfF f("  li a1, 3\nagain: addi a1, a1, -1\n  bnez a1, again\n  ret");
  ASSERT_EQ(f.graph.loops().size(), 1u);
  const Loop& loop = f.loop("again");
  EXPECT_THAT(loop.latches, ElementsAre(f.number("again")));
  EXPECT_THAT(loop.blocks, ElementsAre(f.number("again")));
  EXPECT_TRUE(loop.reducible);
}

TEST(FlowGraph, ALoopContainsTheBlocksOfTheLoopInside) {
  const GraphOfF f(
      "  li a1, 3\n"
      "outer: li a2, 3\n"
      "inner: beqz a0, skip\n"
      "once: addi a0, a0, 1\n"
      "skip: addi a2, a2, -1\n  bnez a2, inner\n"
      "latch: addi a1, a1, -1\n  bnez a1, outer\n"
      "out: ret");
  ASSERT_EQ(f.graph.loops().size(), 2u);
  EXPECT_THAT(f.loop("inner").latches, ElementsAre(f.number("skip")));
  EXPECT_THAT(f.loop("inner").blocks,
              ElementsAre(f.number("inner"), f.number("once"), f.number("skip")));
  EXPECT_THAT(f.loop("outer").latches, ElementsAre(f.number("latch")));
  EXPECT_THAT(f.loop("outer").blocks,
              ElementsAre(f.number("outer"), f.number("inner"), f.number("once"), f.number("skip"),
                          f.number("latch")));
}

TEST(FlowGraph, TwoLatchesOfOneHeaderAreOneLoop) {
  const GraphOfF f(
      "  nop\n"
      "head: addi a0, a0, -1\n  beqz a0, out\n"
      "first: beq a0, a1, head\n"
      "second: addi a1, a1, 1\n  j head\n"
      "out: ret");
  ASSERT_EQ(f.graph.loops().size(), 1u);
  EXPECT_THAT(f.loop("head").latches, UnorderedElementsAre(f.number("first"), f.number("second")));
  EXPECT_THAT(f.loop("head").blocks,
              ElementsAre(f.number("head"), f.number("first"), f.number("second")));
}

TEST(FlowGraph, ALoopWithTwoEntriesIsNotReducible) {
  const GraphOfF f(
      "  beqz a0, lower\n"
      "upper: addi a0, a0, 1\n"
      "lower: addi a1, a1, -1\n  bnez a1, upper\n"
      "  ret");
  ASSERT_EQ(f.graph.loops().size(), 1u);
  const Loop& loop = f.graph.loops()[0];
  EXPECT_FALSE(loop.reducible);
  EXPECT_THAT(loop.blocks, ElementsAre(f.number("upper"), f.number("lower")));
  ASSERT_EQ(loop.latches.size(), 1u);
  EXPECT_THAT((std::vector<uint32_t>{loop.header, loop.latches[0]}),
              UnorderedElementsAre(f.number("upper"), f.number("lower")));
}

TEST(FlowGraph, ALabelThatAnotherFunctionJumpsToIsAnEntry) {
  // By itself the loop is natural; with the jump of g it has two entries.
  const std::string body = "  nop\nhead: addi a0, a0, -1\nmiddle: bnez a0, head\n  ret";
  const GraphOfF alone(body), entered(body, function_text("g", "  j middle"));
  EXPECT_TRUE(alone.loop("head").reducible);
  EXPECT_TRUE(entered.block("middle").entry);
  EXPECT_EQ(entered.block("middle").dominator, kNone);
  EXPECT_FALSE(entered.graph.dominates(entered.number("f"), entered.number("middle")));
  ASSERT_EQ(entered.graph.loops().size(), 1u);
  EXPECT_FALSE(entered.graph.loops()[0].reducible);
}

/// Numbers of the labels whose addresses data stores, by the relocations of `data`.
std::set<uint32_t> stored_labels(const Decoded& decoded, const FlowGraph& graph,
                                 const std::string& name) {
  const Function& function = decoded.function(name);
  std::set<uint32_t> blocks;
  for (const Section& section : decoded.object.file.sections) {
    if (section.name.rfind(".rodata", 0) != 0 && section.name.rfind(".data.rel.ro", 0) != 0)
      continue;
    for (const Relocation& relocation : section.relocations) {
      if (relocation.type != R_RISCV_ADD32 && relocation.type != R_RISCV_64) continue;
      const Symbol& symbol = decoded.object.file.symbols[relocation.symbol];
      const uint64_t offset = symbol.value + static_cast<uint64_t>(relocation.addend);
      if (symbol.section != function.section || offset <= function.start ||
          offset >= function.end) {
        continue;
      }
      blocks.insert(graph.block_of(
          static_cast<uint32_t>(decoded.code_with(name).at(static_cast<uint32_t>(offset)))));
    }
  }
  return blocks;
}

TEST(FlowGraph, AnIndirectJumpOfGccGoesToTheLabelsOfItsTable) {
  for (const char* name : {"by_table", "by_two_tables", "interpret"}) {
    const Decoded decoded(compiled("plain_o2.o"));
    const FlowGraph graph = decoded.graph(name);
    const std::set<uint32_t> labels = stored_labels(decoded, graph, name);
    EXPECT_GE(labels.size(), 4u) << name;
    unsigned jumps = 0;
    for (const Block& block : graph.blocks()) {
      EXPECT_TRUE(block.reachable) << name;
      if (decoded.code_with(name).instructions()[block.last].flow != Flow::kIndirectJump) continue;
      ++jumps;
      EXPECT_THAT(block.successors, UnorderedElementsAreArray(labels)) << name;
    }
    EXPECT_GE(jumps, 1u) << name;
    EXPECT_EQ(graph.obstacle(), "") << name;
  }
}

TEST(FlowGraph, AnIndirectJumpBesideATableMayLeaveToo) {
  // gcc writes both jumps the same way: a switch, one of whose cases ends in a call of a pointer.
  const GraphOfF f(
      "  lla a4, table\n  slli a0, a0, 3\n  add a4, a4, a0\n  ld a5, 0(a4)\n  jr a5\n"
      "one: ret\n"
      "two: ld a5, 0(a1)\n  jr a5",
      ".section .rodata\ntable: .dword one, two\n");
  EXPECT_TRUE(f.block("two").leaves);
  EXPECT_THAT(f.block("f").successors, UnorderedElementsAre(f.number("one"), f.number("two")));
}

TEST(FlowGraph, AStoredLabelThatNoJumpOfTheFunctionReachesIsAnEntry) {
  const GraphOfF f("  nop\nstored: ret", ".data\n.dword stored\n");
  EXPECT_TRUE(f.block("stored").entry);
  EXPECT_EQ(f.block("stored").dominator, kNone);
  EXPECT_EQ(f.graph.obstacle(), "");
}

TEST(FlowGraph, AnExceptionGoesFromEachCallToTheLandingPads) {
  const Decoded decoded(compiled("throwing_whole.o"));
  const FlowGraph graph = decoded.graph("_Z6middlei");
  std::set<uint32_t> pads;
  for (const uint32_t offset : References::inside(
           decoded.object.references.landing_pads[decoded.function("_Z6middlei").section],
           decoded.function("_Z6middlei"))) {
    pads.insert(graph.block_of(static_cast<uint32_t>(decoded.code_with("_Z6middlei").at(offset))));
  }
  ASSERT_FALSE(pads.empty());
  for (const Block& block : graph.blocks()) {
    const Instruction& last = decoded.code_with("_Z6middlei").instructions()[block.last];
    if (last.flow != Flow::kCall) continue;
    EXPECT_THAT(block.successors, testing::IsSupersetOf(pads));
  }
  for (const uint32_t pad : pads) EXPECT_TRUE(graph.blocks()[pad].reachable);
}

TEST(FlowGraph, AnAddressWithoutARelocationIsAnObstacle) {
  EXPECT_EQ(GraphOfF("  lla a0, f\n  ret").graph.obstacle(), "");
  const GraphOfF f("  auipc a0, 0\n  ret");
  EXPECT_THAT(f.graph.obstacle(), HasSubstr("it computes an address without a relocation; "));
  EXPECT_THAT(f.graph.obstacle(), HasSubstr("'lla'"));
}

TEST(FlowGraph, ABranchIntoTheMiddleOfAnInstructionIsAnObstacle) {
  EXPECT_EQ(GraphOfF("  beqz a0, long + 4\nlong: lui a0, 0x12345\n  ret").graph.obstacle(), "");
  EXPECT_THAT(GraphOfF("  beqz a0, long + 2\nlong: lui a0, 0x12345\n  ret").graph.obstacle(),
              HasSubstr("the middle of an instruction"));
}

}  // namespace
}  // namespace strobe::object
