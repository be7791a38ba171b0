// Control flow in addresses of the linked program: of assembly by its labels, and of programs with
// the C and C++ libraries by what objdump shows.
#include "sw/object/analysis/linked_flow.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "sw/object/file/link_record.h"
#include "tests/unit/object/decoded.h"

namespace strobe::object {
namespace {

using testing::Contains;
using testing::IsEmpty;

/// A program that is linked from the files that its link command names.
struct LinkedProgram {
  explicit LinkedProgram(const std::vector<std::string>& command) : program(inputs(command)) {
    std::vector<std::filesystem::path> names;
    for (uint32_t i = 0; i < program.objects().size(); ++i) {
      ObjectFile file = program.objects()[i].file;
      table.add_anchors(i, &file);
      names.emplace_back(folder / (std::to_string(i) + ".o"));
      write_bytes(names.back(), file.serialize());
    }
    link_objects(record, names, elf());
    table.read(bytes_of_file(elf()), "program");
    flow = linked_flow(program, table);
    std::istringstream lines(run("riscv64-linux-gnu-nm " + elf()).out);
    std::string address, kind, name;
    while (lines >> address >> kind >> name) {
      symbols.emplace(name, std::strtoull(address.c_str(), nullptr, 16));
    }
  }

  std::vector<LinkInput> inputs(const std::vector<std::string>& command) {
    record.file = folder / "program.link";
    record.command = command;
    return link_inputs(record, folder / "first");
  }

  std::string elf() const { return folder / "program"; }
  const FlowFunction& function(const std::string& name) const {
    for (const FlowFunction& each : flow.functions) {
      if (each.name == name) return each;
    }
    throw std::runtime_error("no function " + name);
  }

  Folder folder;
  LinkRecord record;
  Program program;
  AddressTable table;
  ControlFlow flow;
  std::map<std::string, uint64_t> symbols;
};

/// Assembly, linked alone. The function _start sets gp first.
struct Assembly : Folder {
  explicit Assembly(const std::string& text)
      : linked([&] {
          write_bytes(*this / "test.o", assembled(text).serialize());
          return std::vector<std::string>{"riscv64-linux-gnu-gcc", "-static", "-nostdlib",
                                          *this / "test.o"};
        }()) {}

  uint64_t at(const std::string& label) const { return linked.symbols.at(label); }

  /// The edges from the instruction at a label: target and kind.
  std::map<uint64_t, FlowKind> from(const std::string& name, const std::string& label) const {
    std::map<uint64_t, FlowKind> found;
    const FlowFunction& function = linked.function(name);
    for (const FlowEdge& edge : function.edges) {
      const FlowBlock& block = function.blocks[edge.from];
      if (block.last != at(label)) continue;
      found[edge.target] = edge.kind;
      if (edge.to == kOutside) continue;
      EXPECT_EQ(function.blocks[edge.to].first, edge.target);
    }
    return found;
  }

  /// The callee of the call at a label, "?" when it is not known, with " tail" after a tail call.
  std::string callee(const std::string& name, const std::string& label) const {
    const FlowFunction& function = linked.function(name);
    for (const FlowCall& call : function.calls) {
      if (function.blocks[call.block].last != at(label)) continue;
      const std::string callee =
          call.callee == kOutside ? "?" : linked.flow.functions[call.callee].name;
      return callee + (call.tail ? " tail" : "");
    }
    return "";
  }

  LinkedProgram linked;
};

/// A global label before the next instruction.
std::string mark(const std::string& label) { return ".globl " + label + "\n" + label + ":\n"; }

std::string start_function(const std::string& body) {
  return function_text("_start", kSetGp + body);
}

using FlowEdges = std::map<uint64_t, FlowKind>;

TEST(LinkedFlow, BranchesJumpsCallsAndReturnsLeadToTheirAddresses) {
  const Assembly program(start_function(mark("branch") + "  beqz a0, other\n" + mark("then") +
                                        "  addi a0, a0, 1\n  addi a0, a0, 2\n" + mark("jump") +
                                        "  j done\n" + mark("other") + mark("call") + "  call g\n" +
                                        mark("after") + mark("indirect") + "  jalr a5\n" +
                                        mark("done") + "  ret\n") +
                         function_text("g", mark("g_ret") + "  ret"));
  EXPECT_EQ(program.from("_start", "branch"), (FlowEdges{{program.at("then"), FlowKind::kNotTaken},
                                                         {program.at("other"), FlowKind::kTaken}}));
  EXPECT_EQ(program.from("_start", "jump"), (FlowEdges{{program.at("done"), FlowKind::kJump}}));
  // The linker has made one instruction of the call's two.
  EXPECT_EQ(program.at("after") - program.at("call"), 4u);
  EXPECT_EQ(program.from("_start", "call"),
            (FlowEdges{{program.at("after"), FlowKind::kReturned}}));
  EXPECT_EQ(program.callee("_start", "call"), "g");
  EXPECT_EQ(program.from("_start", "indirect"),
            (FlowEdges{{program.at("done"), FlowKind::kReturned}}));
  EXPECT_EQ(program.callee("_start", "indirect"), "?");
  EXPECT_EQ(program.from("_start", "done"), (FlowEdges{{0, FlowKind::kReturn}}));
  EXPECT_EQ(program.from("g", "g_ret"), (FlowEdges{{0, FlowKind::kReturn}}));
  const FlowFunction& g = program.linked.function("g");
  ASSERT_EQ(g.blocks.size(), 1u);
  EXPECT_EQ(g.blocks[0].first, program.at("g"));
  EXPECT_THAT(g.calls, IsEmpty());
}

TEST(LinkedFlow, ABranchToTheNextInstructionHasOneEdge) {
  const Assembly program(
      start_function(mark("branch") + "  beqz a0, next\nnext:\n" + mark("done") + "  ret\n"));
  EXPECT_EQ(program.from("_start", "branch").size(), 1u);
  EXPECT_EQ(program.from("_start", "branch").begin()->first, program.at("done"));
}

TEST(LinkedFlow, TailCallsLeaveWithTheirCallee) {
  const Assembly program(start_function("  beqz a0, last\n" + mark("branch") + "  beqz a1, g\n" +
                                        mark("direct") + "  tail g\nlast:\n" + mark("indirect") +
                                        "  jr a5\n") +
                         function_text("g", "  ret"));
  EXPECT_EQ(program.from("_start", "branch"),
            (FlowEdges{{program.at("g"), FlowKind::kTaken},
                       {program.at("direct"), FlowKind::kNotTaken}}));
  EXPECT_EQ(program.callee("_start", "branch"), "g tail");
  EXPECT_EQ(program.from("_start", "direct"), (FlowEdges{{program.at("g"), FlowKind::kLeaves}}));
  EXPECT_EQ(program.callee("_start", "direct"), "g tail");
  EXPECT_EQ(program.from("_start", "indirect"), (FlowEdges{{0, FlowKind::kLeaves}}));
  EXPECT_EQ(program.callee("_start", "indirect"), "? tail");
}

TEST(LinkedFlow, AJumpTableLeadsToItsLabels) {
  const Assembly program(start_function("  lla a1, table\n  ld a1, 0(a1)\n" + mark("jump") +
                                        "  jr a1\n" + mark("one") + "  li a0, 1\n  ret\n" +
                                        mark("two") + "  li a0, 2\n  ret\n") +
                         ".section .rodata\n.balign 8\ntable: .dword one\n .dword two\n");
  EXPECT_EQ(program.from("_start", "jump"), (FlowEdges{{program.at("one"), FlowKind::kTable},
                                                       {program.at("two"), FlowKind::kTable},
                                                       {0, FlowKind::kLeaves}}));
}

TEST(LinkedFlow, AColdPartBelongsToItsFunction) {
  const Assembly program(
      start_function("  call f\n" + mark("stop") + "  ebreak\n") +
      function_text("f",
                    "  bnez a0, back\n" + mark("away") + "  j cold\n" + mark("back") + "  ret") +
      ".section .text.unlikely,\"ax\"\n.type f.cold,@function\nf.cold:\n nop\ncold:\n" +
      mark("inside") + "  addi a0, a0, 1\n" + mark("return") + "  j back\n.size f.cold,.-f.cold\n");
  const FlowFunction& f = program.linked.function("f");
  EXPECT_EQ(f.blocks[0].first, program.at("f"));
  EXPECT_EQ(program.linked.flow.functions.size(), 2u);
  EXPECT_EQ(program.from("f", "return"), (FlowEdges{{program.at("back"), FlowKind::kJump}}));
  EXPECT_EQ(program.from("f", "away"), (FlowEdges{{program.at("inside"), FlowKind::kJump}}));
  EXPECT_THAT(f.calls, IsEmpty());
  EXPECT_EQ(program.from("_start", "stop"), (FlowEdges{{0, FlowKind::kStop}}));
}

TEST(LinkedFlow, PaddingThatTheLinkerDeletesIsNoBlock) {
  const Assembly program(start_function("  beqz a0, loop\n  nop\n  j done\n.balign 4\nloop:\n" +
                                        mark("head") + "  bnez a1, loop\ndone:\n" + mark("end") +
                                        "  ret\n"));
  for (const FlowBlock& block : program.linked.function("_start").blocks) {
    EXPECT_LT(block.first, block.end);
    EXPECT_LE(block.first, block.last);
    EXPECT_LT(block.last, block.end);
  }
  EXPECT_EQ(program.from("_start", "head"), (FlowEdges{{program.at("head"), FlowKind::kTaken},
                                                       {program.at("end"), FlowKind::kNotTaken}}));
}

/// An instruction as objdump shows it.
struct Shown {
  std::string name;
  uint64_t size = 0, target = 0;
};

std::map<uint64_t, Shown> disassembled(const std::string& elf) {
  std::map<uint64_t, Shown> found;
  std::istringstream lines(run("riscv64-linux-gnu-objdump -d -M no-aliases " + elf).out);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string address, bits, name, operands;
    if (!(words >> address >> bits >> name) || address.back() != ':') continue;
    words >> operands;
    Shown shown{name, bits.size() / 2, 0};
    const size_t comma = operands.rfind(',');
    shown.target =
        std::strtoull(operands.c_str() + (comma == std::string::npos ? 0 : comma + 1), nullptr, 16);
    found[std::strtoull(address.c_str(), nullptr, 16)] = shown;
  }
  return found;
}

class LinkedFlowOf : public testing::TestWithParam<const char*> {};

TEST_P(LinkedFlowOf, EveryBranchAndCallIsWhereObjdumpShowsIt) {
  const LinkedProgram linked({"riscv64-linux-gnu-g++", "-static",
                              in_build(std::string("tests/unit/object/") + GetParam())});
  const std::map<uint64_t, Shown> code = disassembled(linked.elf());
  uint64_t branches = 0, calls = 0;
  for (const FlowFunction& function : linked.flow.functions) {
    SCOPED_TRACE(function.name);
    std::set<uint64_t> firsts;
    for (const FlowBlock& block : function.blocks) firsts.insert(block.first);
    EXPECT_EQ(firsts.size(), function.blocks.size());
    for (uint32_t b = 0; b < function.blocks.size(); ++b) {
      const FlowBlock& block = function.blocks[b];
      ASSERT_TRUE(code.count(block.last) > 0) << std::hex << block.last;
      const Shown& last = code.at(block.last);
      EXPECT_EQ(block.last + last.size, block.end) << std::hex << block.last;
      std::map<uint64_t, FlowKind> edges;
      for (const FlowEdge& edge : edges_of(function, b)) edges[edge.target] = edge.kind;
      EXPECT_FALSE(edges.empty());
      // No other instruction of the block branches, jumps or calls.
      for (auto at = code.find(block.first); at->first != block.last; ++at) {
        EXPECT_FALSE(at->second.name[0] == 'b' || at->second.name.rfind("c.b", 0) == 0 ||
                     at->second.name[0] == 'j' || at->second.name.rfind("c.j", 0) == 0)
            << std::hex << at->first << " " << at->second.name;
      }
      if (last.name[0] == 'b' || last.name.rfind("c.b", 0) == 0) {
        ++branches;
        EXPECT_EQ(edges.count(last.target), 1u) << std::hex << block.last;
        EXPECT_EQ(edges.count(block.end), 1u) << std::hex << block.last;
        EXPECT_LE(edges.size(), 2u);
      } else if (last.name == "jal" || last.name == "c.j") {
        const auto call = std::find_if(function.calls.begin(), function.calls.end(),
                                       [&](const FlowCall& each) { return each.block == b; });
        if (call == function.calls.end() || call->callee == kOutside) continue;
        ++calls;
        EXPECT_EQ(linked.flow.functions[call->callee].blocks[0].first, last.target)
            << std::hex << block.last;
      }
    }
  }
  std::cout << linked.flow.functions.size() << " functions, " << branches << " branches, " << calls
            << " direct calls\n";
  EXPECT_GT(branches, 5000u);
  EXPECT_GT(calls, 2000u);
}

INSTANTIATE_TEST_SUITE_P(
    Programs, LinkedFlowOf, testing::Values("plain_o2.o", "throwing_o2.o"), [](const auto& test) {
      return std::string(test.param).substr(0, std::string(test.param).find('_'));
    });

}  // namespace
}  // namespace strobe::object
