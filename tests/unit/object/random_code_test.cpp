// Flow graphs and live registers of random functions against references that follow the
// definitions, and know what the assembly says instead of how it is decoded.
#include <gtest/gtest.h>

#include <iterator>
#include <random>
#include <set>
#include <utility>

#include "sw/object/analysis/flow_graph.h"
#include "sw/object/analysis/liveness.h"
#include "tests/unit/object/decoded.h"

namespace strobe::object {
namespace {

/// A function of blocks "i_0:", "i_1:" and so on, and where each one goes.
struct RandomGraph {
  std::string body;
  std::vector<std::set<uint32_t>> successors;
};

RandomGraph random_graph(const std::string& name, unsigned blocks, std::mt19937* random) {
  RandomGraph graph;
  graph.successors.resize(blocks);
  for (uint32_t i = 0; i < blocks; ++i) {
    const auto to = static_cast<uint32_t>((*random)() % blocks);
    const std::string target = " " + name + "_" + std::to_string(to) + "\n";
    graph.body += name + "_" + std::to_string(i) + ":\n";
    const unsigned kind = (*random)() % 8;
    if (kind < 5) graph.body += "  bnez a0," + target;
    if (kind == 5) graph.body += "  j" + target;
    if (kind == 6) graph.body += "  nop\n  ret\n";
    if (kind == 7) graph.body += "  call g\n";
    if (kind < 6) graph.successors[i].insert(to);
    if ((kind < 5 || kind == 7) && i + 1 < blocks) graph.successors[i].insert(i + 1);
  }
  return graph;
}

/// The blocks that are reached from `begin` by `edges` without passing through `without`.
std::set<uint32_t> reached(const std::vector<std::set<uint32_t>>& edges,
                           const std::set<uint32_t>& begin, uint32_t without) {
  std::set<uint32_t> found;
  std::vector<uint32_t> open(begin.begin(), begin.end());
  while (!open.empty()) {
    const uint32_t block = open.back();
    open.pop_back();
    if (block == without || !found.insert(block).second) continue;
    open.insert(open.end(), edges[block].begin(), edges[block].end());
  }
  return found;
}

void expect_as_defined(const FlowGraph& graph, const std::vector<std::set<uint32_t>>& successors) {
  const auto count = static_cast<uint32_t>(successors.size());
  ASSERT_EQ(graph.blocks().size(), count);
  const std::set<uint32_t> reachable = reached(successors, {0}, kNone);
  std::vector<std::set<uint32_t>> dominated(count), predecessors(count);
  for (uint32_t i = 0; i < count; ++i) {
    const std::vector<uint32_t>& to = graph.blocks()[i].successors;
    EXPECT_EQ(std::set<uint32_t>(to.begin(), to.end()), successors[i]);
    EXPECT_EQ(graph.blocks()[i].reachable, reachable.count(i) != 0);
    if (reachable.count(i) == 0) continue;
    for (const uint32_t successor : successors[i]) predecessors[successor].insert(i);
    // A block dominates those that are not reached without it.
    const std::set<uint32_t> others = reached(successors, {0}, i);
    for (const uint32_t block : reachable) {
      if (others.count(block) == 0) dominated[i].insert(block);
      EXPECT_EQ(graph.dominates(i, block), others.count(block) == 0) << i << " over " << block;
    }
  }
  std::set<std::pair<uint32_t, uint32_t>> back_edges, found_back_edges;
  for (const uint32_t i : reachable) {
    for (const uint32_t successor : successors[i]) {
      if (dominated[successor].count(i) != 0) back_edges.insert({i, successor});
    }
  }
  bool irreducible = false;
  std::set<uint32_t> headers;
  for (const Loop& loop : graph.loops()) {
    if (!loop.reducible) {
      irreducible = true;
      for (const uint32_t latch : loop.latches) {
        EXPECT_EQ(dominated[loop.header].count(latch), 0u);
        EXPECT_EQ(successors[latch].count(loop.header), 1u);
      }
      continue;
    }
    EXPECT_TRUE(headers.insert(loop.header).second) << "two loops with header " << loop.header;
    for (const uint32_t latch : loop.latches) found_back_edges.insert({latch, loop.header});
    std::set<uint32_t> blocks =
        reached(predecessors, {loop.latches.begin(), loop.latches.end()}, loop.header);
    blocks.insert(loop.header);
    EXPECT_EQ(loop.blocks, std::vector<uint32_t>(blocks.begin(), blocks.end()));
  }
  EXPECT_EQ(found_back_edges, back_edges);
  // A graph is reducible if it has no cycle without its back-edges.
  std::vector<std::set<uint32_t>> forward(count);
  for (const uint32_t i : reachable) {
    for (const uint32_t successor : successors[i]) {
      if (back_edges.count({i, successor}) == 0) forward[i].insert(successor);
    }
  }
  bool cycle = false;
  for (const uint32_t i : reachable) cycle |= reached(forward, forward[i], kNone).count(i) != 0;
  EXPECT_EQ(irreducible, cycle);
}

TEST(RandomCode, DominatorsAndLoopsAreAsDefined) {
  constexpr unsigned kFunctions = 150, kMost = 14;
  std::mt19937 random(/*seed=*/3);
  std::vector<RandomGraph> graphs;
  std::string text = function_text("g", "  ret");
  for (unsigned i = 0; i < kFunctions; ++i) {
    const std::string name = "f" + std::to_string(i);
    graphs.push_back(random_graph(name, 2 + static_cast<unsigned>(random() % kMost), &random));
    text += function_text(name, graphs.back().body);
  }
  const Decoded decoded(text);
  unsigned natural = 0, irreducible = 0, unreachable = 0;
  for (unsigned i = 0; i < kFunctions; ++i) {
    SCOPED_TRACE("seed 3:\n" + graphs[i].body);
    const FlowGraph graph = decoded.graph("f" + std::to_string(i));
    expect_as_defined(graph, graphs[i].successors);
    for (const Loop& loop : graph.loops()) ++(loop.reducible ? natural : irreducible);
    for (const Block& block : graph.blocks()) unreachable += block.reachable ? 0 : 1;
  }
  EXPECT_GT(natural, 100u);
  EXPECT_GT(irreducible, 30u);
  EXPECT_GT(unreachable, 30u);
}

Registers random_registers(std::mt19937* random) {
  return Registers{(*random)()} << 32 | (*random)();
}

/// One line of assembly, with what the ISA says that it reads and writes.
struct Line {
  std::string text;
  Registers read = 0, written = 0;
  bool call = false;
};

/// Operands of a pattern: D and S are integer registers, E and T floating-point ones; D and E are
/// written, the others read. Some lines have compressed forms for some registers.
const char* const kPatterns[] = {"add D, S, S",
                                 "subw D, S, S",
                                 "addi D, S, 5",
                                 "slli D, S, 3",
                                 "sltiu D, S, 9",
                                 "lui D, 5",
                                 "mul D, S, S",
                                 "remu D, S, S",
                                 "and D, S, S",
                                 "ld D, 8(S)",
                                 "lbu D, 1(S)",
                                 "sd S, 8(S)",
                                 "sb S, 3(S)",
                                 "fld E, 16(S)",
                                 "fsd T, 16(S)",
                                 "flw E, 4(S)",
                                 "fsw T, 4(S)",
                                 "fadd.d E, T, T",
                                 "fmadd.d E, T, T, T",
                                 "fnmsub.s E, T, T, T",
                                 "fsqrt.d E, T",
                                 "fsgnj.d E, T, T",
                                 "feq.d D, T, T",
                                 "fclass.s D, T",
                                 "fcvt.w.d D, T, rtz",
                                 "fcvt.d.l E, S",
                                 "fcvt.s.d E, T",
                                 "fmv.x.d D, T",
                                 "fmv.d.x E, S",
                                 "lr.d D, (S)",
                                 "sc.d D, S, (S)",
                                 "amoadd.w D, S, (S)",
                                 "amomaxu.d D, S, (S)",
                                 "csrrw D, fcsr, S",
                                 "csrrs D, fcsr, S",
                                 "csrrwi D, fflags, 3",
                                 "fence",
                                 "jalr ra, 0(S)",
                                 "call g"};

Line random_line(std::mt19937* random) {
  const std::string pattern = kPatterns[(*random)() % std::size(kPatterns)];
  Line line;
  for (const char letter : pattern) {
    const unsigned n = (*random)() % 32;
    switch (letter) {
      case 'D':
      case 'S':
        line.text += "x" + std::to_string(n);
        (letter == 'D' ? line.written : line.read) |= x(n);
        break;
      case 'E':
      case 'T':
        line.text += "f" + std::to_string(n);
        (letter == 'E' ? line.written : line.read) |= f(n);
        break;
      default:
        line.text += letter;
    }
  }
  line.call = pattern[0] == 'j' || pattern == "call g";
  return line;
}

TEST(RandomCode, LiveRegistersOfStraightCodeAreWhatItsLinesSay) {
  // The sets of the RISC-V psABI. A call may read arguments, the static chain, sp, gp and tp.
  constexpr Registers kKeptByCalls = 0x0ffc'0300'0ffc'031c;
  constexpr Registers kReadByCall = 0x0003'fc00'0003'fc9c;
  constexpr Registers kResultsAndRa = 0x0000'0c00'0000'0c02;
  constexpr unsigned kFunctions = 60, kLines = 60;
  std::mt19937 random(/*seed=*/7);
  std::vector<std::vector<Line>> functions(kFunctions);
  std::string text = function_text("g", "  ret");
  for (unsigned i = 0; i < kFunctions; ++i) {
    const std::string name = "f" + std::to_string(i);
    std::string body;
    for (unsigned j = 0; j < kLines; ++j) {
      functions[i].push_back(random_line(&random));
      body += functions[i][j].text + "\n";
    }
    text += function_text(name, body + "  ret");
  }
  const Decoded decoded(text);
  for (unsigned i = 0; i < kFunctions; ++i) {
    const std::string name = "f" + std::to_string(i);
    const Registers changed = random_registers(&random) & ~kKeptByCalls;
    const Registers by_call = random_registers(&random) & ~kKeptByCalls;
    const FlowGraph graph = decoded.graph(name);
    const Liveness live(decoded.code_with(name), graph, changed,
                        [&](const Instruction&) { return by_call; });
    Registers expected = ~changed | kResultsAndRa;
    auto index = static_cast<uint32_t>(graph.blocks().back().last);
    for (unsigned j = kLines; j-- > 0;) {
      const Line& line = functions[i][j];
      index -= line.text == "call g" ? 2 : 1;
      if (line.call) expected = (expected & ~by_call & ~x(1)) | kReadByCall;
      expected = ((expected & ~line.written) | line.read) & ~x(0);
      ASSERT_EQ(live.before(index), expected)
          << "seed 7, function " << i << ", line " << j << ": " << line.text;
    }
  }
}

}  // namespace
}  // namespace strobe::object
