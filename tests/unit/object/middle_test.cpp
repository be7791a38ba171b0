// What refers to a place at which no instruction begins: the middle of one, or what is outside of
// the section.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sw/object/analysis/program.h"
#include "tests/unit/object/decoded.h"
#include "tests/unit/object/edit.h"

namespace strobe::object {
namespace {

using testing::HasSubstr;

const char* const kLong = "f_long: lui a0, 0x12345\n  beqz a0, f_out\n  addi a0, a0, 7\nf_out: ret";

/// The graph of f, with other text that refers to it.
FlowGraph graph_with(const std::string& rest) {
  return Decoded(function_text("f", "  nop\n" + std::string(kLong)) + rest).graph("f");
}

TEST(Middle, AnAddressThereIsAnObstacle) {
  const std::string g = function_text("g", "  bnez a0, f_long + 2\n  ret");
  EXPECT_EQ(graph_with(".data\n.dword f_long\n").obstacle(), "");
  EXPECT_THAT(
      graph_with(".data\n.dword f_long + 2\n").obstacle(),
      HasSubstr("an address in data leads into the middle of an instruction, 4 bytes from"));
  EXPECT_THAT(graph_with(function_text("g", "  la a0, f_long + 2\n  ret")).obstacle(),
              HasSubstr("an address leads into the middle of an instruction, 4 bytes from"));
  EXPECT_THAT(graph_with(g).obstacle(), HasSubstr("a branch of another function leads into"));
}

TEST(Middle, ARelocationOfAnInstructionThereIsRefused) {
  const std::pair<const char*, const char*> places[] = {
      {"R_RISCV_RVC_BRANCH", "a branch of its size"},
      {"R_RISCV_JAL", "a jump of its size"},
      {"R_RISCV_CALL_PLT", "auipc and jalr"},
      {"R_RISCV_PCREL_HI20", "the beginning of an instruction"},
      {"R_RISCV_ALIGN", "the beginning of an instruction"}};
  for (const auto& [type, expected] : places) {
    const std::string text =
        "  nop\n" + std::string(kLong) + "\n.reloc f_long + 2, " + type + ", f_out";
    try {
      Decoded decoded(function_text("f", text));
      ADD_FAILURE() << type << " was accepted";
    } catch (const ObjectError& error) {
      EXPECT_THAT(error.what(), HasSubstr("test.o: f+0x4: a relocation of type "));
      EXPECT_THAT(error.what(), HasSubstr(std::string("expected it at ") + expected + ", got"));
    }
  }
  const std::string none =
      "  nop\n" + std::string(kLong) + "\n.reloc f_long + 2, R_RISCV_NONE, f_out";
  EXPECT_NO_THROW(Decoded(function_text("f", none)));
}

TEST(Middle, TheSecondInstructionOfACallIsOne) {
  const Decoded decoded(function_text("f", "  beqz a0, pair + 4\npair: call g\n  ret"));
  EXPECT_THAT(decoded.graph("f").obstacle(), HasSubstr("a branch leads into the middle"));
}

TEST(Middle, ATagInTheLowestBitOfAPointerIsNotAPlace) {
  const Decoded decoded(function_text("f", "  nop\n" + std::string(kLong)) +
                        ".data\n.dword f + 1, f_long + 1\n");
  const FlowGraph graph = decoded.graph("f");
  EXPECT_EQ(graph.obstacle(), "");
  EXPECT_TRUE(graph.blocks().at(graph.block_of(decoded.at("f_long"))).entry);
  EXPECT_THAT(decoded.object.references.functions,
              testing::ElementsAre(symbol_named(decoded.object.file, "f")));
}

TEST(Middle, AFunctionThatBeginsOrEndsThereIsLeftAlone) {
  const std::string f = ".type f,@function\nf: lui a0, 0x12345\n";
  for (const std::string& size :
       {".size f, 2\n  ret\n", ".size f, 1\n  ret\n", "pair: call g\n.size f, pair + 4 - f\n"}) {
    const Decoded decoded(f + size);
    const Code& code = *decoded.object.code_of(section_named(decoded.object.file, ".text"));
    EXPECT_TRUE(code.functions().empty()) << size;
    ASSERT_EQ(code.left_alone().size(), 1u) << size;
    EXPECT_EQ(code.left_alone()[0].reason,
              "it does not begin and end at instructions of its section");
  }
}

/// Where the words of section .data lead, as offsets of .text.
std::vector<int64_t> pointers(const ObjectFile& file) {
  std::vector<int64_t> found;
  for (const Relocation& one : file.sections[section_named(file, ".data")].relocations) {
    found.push_back(static_cast<int64_t>(file.symbols[one.symbol].value) + one.addend);
  }
  return found;
}

TEST(Editor, APointerIntoAnInstructionKeepsItsDistanceToTheInstruction) {
  Edit edit(calling("  lui a0, 0x12345\nsecond: lui a1, 0x12345\n  ret\n") +
            ".data\n.dword f + 1, f + 3, second + 2, f + 6\n.dword f - 100, last, last + 8\n"
            ".text\nlast:\n");
  const auto f = static_cast<int64_t>(edit.at("f")), size = int64_t{edit.at("last")};
  edit.editor.insert(edit.at("f"), Place::kBeforeLabels, no_ops(3));
  edit.editor.insert(edit.at("second"), Place::kAfterLabels, no_ops(5));
  edit.editor.apply();
  const int64_t to = f + 12, end = size + 32;
  EXPECT_EQ(edit.at("f"), to);
  EXPECT_THAT(pointers(edit.file),
              testing::ElementsAre(to + 1, to + 3, to + 6, to + 6, f - 100, end, end + 8));
}

TEST(Editor, ASymbolInAnInstructionKeepsItsDistanceToTheInstruction) {
  Edit edit(calling("  lui a0, 0x12345\n  lui a1, 0x12345\n  ret\n") +
            ".set inside, f + 6\n.set far_out, f + 0x1000\n");
  const uint32_t f = edit.at("f"), far_out = edit.at("far_out");
  edit.editor.insert(f, Place::kBeforeLabels, no_ops(3));
  edit.editor.apply();
  EXPECT_EQ(edit.at("inside"), f + 12 + 6);
  EXPECT_EQ(edit.at("far_out"), far_out + 12);
}

TEST(Editor, ATaggedPointerStillCallsTheFunction) {
  // Its lowest bit is a tag, which the jump drops.
  Edit edit(".globl _start\n.type _start,@function\n_start:\n" + std::string(kSetGp) +
            " ld a5, tagged\n jalr a5\n li a7,93\n ecall\n.size _start,.-_start\n"
            ".type f,@function\nf: li a0, 1\n  ret\n.size f,.-f\n"
            ".data\n.balign 8\ntagged: .dword f + 1\n");
  ASSERT_EQ(result_of(edit.file), 1);
  edit.editor.insert(edit.at("f"), Place::kAfterLabels, no_ops(1));
  edit.editor.insert(edit.at("f") + 2, Place::kAfterLabels, add_to_a0(4));
  edit.editor.apply();
  EXPECT_EQ(result_of(edit.file), 5);
}

TEST(Middle, ACallBeyondTheBeginningOfAFunctionIsNoCallOfIt) {
  Program program({{"test.o", assembled(function_text("f", "  call g + 4\n  tail g + 4") +
                                        function_text("g", "  lui a0, 0x12345\n  ret"))
                                  .serialize()}});
  const Code& code = program.objects()[0].codes.at(0);
  for (const Instruction& instruction : code.instructions()) {
    if (instruction.target_symbol == kNone) continue;
    EXPECT_EQ(instruction.target_addend, 4);
    EXPECT_EQ(program.callee_of(0, instruction), kNone);
    EXPECT_NE(instruction.flow, Flow::kTailCall);
  }
  EXPECT_EQ(program.calls().nodes.at(0).callees, std::vector<uint32_t>{1});
}

}  // namespace
}  // namespace strobe::object
