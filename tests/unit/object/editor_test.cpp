// Insertions, replacements and redirections: which paths execute them, and that all that counts
// offsets follows. Where behavior says more than bytes, the object is linked and run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "sw/object/file/relocation_kinds.h"
#include "tests/unit/object/edit.h"

namespace strobe::object {
namespace {

using testing::HasSubstr;

// The loop runs three times and is entered by falling into it.
const char* const kLoop =
    "  li a1, 3\n"
    "again:\n"
    "  addi a1, a1, -1\n"
    "  bnez a1, again\n"
    "  ret\n";

TEST(Editor, AfterLabelsWhoeverComesExecutesTheInsertion) {
  Edit edit(calling(kLoop));
  edit.editor.insert(edit.at("again"), Place::kAfterLabels, add_to_a0(1));
  edit.editor.apply();
  EXPECT_EQ(result_of(edit.file), 3);
}

TEST(Editor, BeforeLabelsOnlyWhoFallsInExecutesTheInsertion) {
  Edit edit(calling(kLoop));
  edit.editor.insert(edit.at("again"), Place::kBeforeLabels, add_to_a0(1));
  edit.editor.apply();
  EXPECT_EQ(result_of(edit.file), 1);
}

TEST(Editor, InsertionsOfOnePlaceStandInTheOrderOfTheCalls) {
  Edit edit(calling("  ret\n"));
  Snippet twice;
  twice.add(0x00151513);  // slli a0, a0, 1
  const uint32_t f = edit.at("f");
  edit.editor.insert(f, Place::kAfterLabels, add_to_a0(5));
  edit.editor.insert(f, Place::kAfterLabels, twice);
  edit.editor.insert(f, Place::kAfterLabels, add_to_a0(1));
  edit.editor.apply();
  EXPECT_EQ(result_of(edit.file), 11);
}

TEST(Editor, LabelsAndSizesFollow) {
  Edit edit(calling(kLoop));
  const uint32_t f = edit.at("f"), again = edit.at("again");
  const uint64_t size = edit.file.symbols[symbol_named(edit.file, "f")].size;
  edit.editor.insert(0, Place::kAfterLabels, no_ops(1));
  edit.editor.insert(again, Place::kBeforeLabels, no_ops(2));
  edit.editor.insert(again, Place::kAfterLabels, no_ops(1));
  edit.editor.apply();
  EXPECT_EQ(edit.at("_start"), 0u);
  EXPECT_EQ(edit.at("f"), f + 4);
  EXPECT_EQ(edit.at("again"), again + 12);
  EXPECT_EQ(edit.file.symbols[symbol_named(edit.file, "f")].size, size + 12);
}

TEST(Editor, SaysWhereEachInstructionWent) {
  Edit edit(calling(kLoop));
  const uint32_t again = edit.at("again");
  edit.editor.insert(again, Place::kAfterLabels, no_ops(1));
  const size_t count = edit.code.instructions().size();
  const std::vector<Moved> moved = edit.editor.apply();
  ASSERT_EQ(moved.size(), count);
  for (size_t i = 0; i < count; ++i) {
    EXPECT_EQ(moved[i].from, edit.code.instructions()[i].offset);
    EXPECT_EQ(moved[i].to, moved[i].from + (moved[i].from >= again ? 4 : 0));
  }
}

TEST(Editor, AReplacementTakesTheInstructionAndItsRelocationWithIt) {
  Edit edit(calling("  j other\n  ret\nother:\n  addi a0, a0, 7\n  ret\n"));
  edit.editor.replace(edit.at("f"), add_to_a0(2));
  edit.editor.apply();
  EXPECT_TRUE(edit.relocations(R_RISCV_RVC_JUMP).empty());
  EXPECT_EQ(result_of(edit.file), 2);
}

TEST(Editor, ALoopReachesTheReplacementOfItsFirstInstruction) {
  Edit edit(calling(kLoop));
  Snippet both = add_to_a0(1);
  both.add(0xfff58593);  // addi a1, a1, -1
  edit.editor.replace(edit.at("again"), both);
  edit.editor.apply();
  EXPECT_EQ(result_of(edit.file), 3);
}

TEST(Editor, AnInstructionCanBeReplacedByNothing) {
  Edit edit(calling("  addi a0, a0, 7\n  ret\n"));
  const size_t size = edit.section().bytes.size();
  edit.editor.replace(edit.at("f"), {});
  edit.editor.apply();
  EXPECT_LT(edit.section().bytes.size(), size);
  EXPECT_EQ(result_of(edit.file), 0);
}

TEST(Editor, ARedirectedCallBranchOrJumpGoesElsewhere) {
  const std::string f =
      "  j there\n"
      "here:\n  addi a0, a0, 1\n  ret\n"
      "there:\n  addi a0, a0, 2\n  ret\n";
  for (const bool redirected : {false, true}) {
    Edit edit(calling(f));
    if (redirected) edit.editor.redirect(edit.at("f"), symbol_named(edit.file, "here"));
    edit.editor.apply();
    EXPECT_EQ(result_of(edit.file), redirected ? 1 : 2);
  }
  Edit call(calling(f));
  for (const Instruction& instruction : call.code.instructions()) {
    if (instruction.relocation != kNone &&
        is_far_call(call.section().relocations[instruction.relocation].type)) {
      call.editor.redirect(instruction.offset, symbol_named(call.file, "here"));
    }
  }
  call.editor.apply();
  EXPECT_EQ(result_of(call.file), 1);
}

TEST(Editor, ALowHalfStillFindsItsAuipcAfterAnInsertionInFrontOfIt) {
  const std::string f =
      "  lla a1, value\n  lw a0, 0(a1)\n  ret\n"
      ".data\n.balign 8\n  .dword 99\nvalue: .word 6\n.text\n";
  for (const Place place : {Place::kBeforeLabels, Place::kAfterLabels}) {
    Edit edit(calling(f));
    edit.editor.insert(edit.at("f"), place, no_ops(3));
    edit.editor.apply();
    ASSERT_EQ(edit.relocations(R_RISCV_PCREL_LO12_I).size(), 2u);  // the other one sets gp
    EXPECT_EQ(edit.file.symbols[edit.relocations(R_RISCV_PCREL_LO12_I)[1].symbol].value,
              edit.relocations(R_RISCV_PCREL_HI20)[1].offset);
    EXPECT_EQ(result_of(edit.file), 6);
  }
}

TEST(Editor, AnInsertionBetweenAuipcAndLowHalfLeavesThePairWhole) {
  Edit edit(calling("  lla a1, value\n  lw a0, 0(a1)\n  ret\n.data\nvalue: .word 6\n.text\n"));
  edit.editor.insert(edit.at("f") + 4, Place::kAfterLabels, no_ops(3));
  edit.editor.apply();
  EXPECT_EQ(result_of(edit.file), 6);
}

TEST(Editor, ALowHalfMayNameItsAuipcByTheFunction) {
  Edit edit(
      calling("  auipc a1, %pcrel_hi(value)\n  addi a1, a1, %pcrel_lo(f)\n  lw a0, 0(a1)\n"
              "  ret\n.data\nvalue: .word 6\n.text\n"));
  edit.editor.insert(edit.at("f"), Place::kAfterLabels, no_ops(3));
  edit.editor.apply();
  EXPECT_EQ(result_of(edit.file), 6);
}

TEST(Editor, AnAlignmentIsKeptWhole) {
  Edit edit(calling("  addi a0, a0, 1\n  .balign 16\naligned:\n  addi a0, a0, 2\n  ret\n"));
  const std::vector<Relocation> before = edit.relocations(R_RISCV_ALIGN);
  ASSERT_EQ(before.size(), 1u);
  edit.editor.insert(edit.at("f"), Place::kAfterLabels, no_ops(3));
  const auto padding = static_cast<uint32_t>(before[0].offset);
  edit.editor.insert(padding, Place::kAfterLabels, no_ops(1));
  EXPECT_THROW(edit.editor.insert(padding + 2, Place::kAfterLabels, no_ops(1)),
               std::invalid_argument);
  edit.editor.apply();
  const std::vector<Relocation> after = edit.relocations(R_RISCV_ALIGN);
  ASSERT_EQ(after.size(), 1u);
  EXPECT_EQ(after[0].addend, before[0].addend);
  EXPECT_EQ(after[0].offset, before[0].offset + 16);
  EXPECT_EQ(result_of(edit.file), 3);
}

TEST(Editor, NothingGoesBetweenTheTwoInstructionsOfACall) {
  Edit edit(calling("  mv s0, ra\n  call g\n  mv ra, s0\n  ret\ng:\n  ret\n"));
  unsigned calls = 0;
  for (const Instruction& instruction : edit.code.instructions()) {
    if (!instruction.glued) continue;
    ++calls;
    EXPECT_THROW(edit.editor.insert(instruction.offset, Place::kAfterLabels, no_ops(1)),
                 std::invalid_argument);
    EXPECT_THROW(edit.editor.insert(instruction.offset, Place::kBeforeLabels, no_ops(1)),
                 std::invalid_argument);
  }
  EXPECT_EQ(calls, 2u);
}

TEST(Editor, NothingGoesIntoTheMiddleOfAnInstruction) {
  Edit edit(calling("  lui a0, 0x12345\n  ret\n"));
  EXPECT_THROW(edit.editor.insert(edit.at("f") + 2, Place::kAfterLabels, no_ops(1)),
               std::invalid_argument);
  EXPECT_THROW(edit.editor.insert(edit.at("f") + 1, Place::kAfterLabels, no_ops(1)),
               std::invalid_argument);
  EXPECT_THROW(edit.editor.insert(0x10000, Place::kAfterLabels, no_ops(1)), std::invalid_argument);
  EXPECT_THROW(edit.editor.replace(edit.at("f") + 2, no_ops(1)), std::invalid_argument);
  EXPECT_THROW(edit.editor.redirect(edit.at("f"), 1), std::invalid_argument);
}

TEST(Editor, AnInsertionAtTheEndIsAFunctionOfItsOwn) {
  Edit edit(calling("  ret\n"));
  const auto end = static_cast<uint32_t>(edit.section().bytes.size());
  const uint32_t added = edit.file.add_label(edit.text, 0, "added");
  Snippet snippet = add_to_a0(9);
  snippet.add(0x00008067);  // ret
  snippet.labels.emplace_back(added, 0);
  snippet.ends.emplace_back(added, snippet.size());
  const uint64_t size = edit.file.symbols[symbol_named(edit.file, "f")].size;
  edit.editor.insert(end, Place::kAfterLabels, snippet);
  edit.editor.insert(edit.at("f"), Place::kAfterLabels, jump_to(added));
  edit.editor.apply();
  EXPECT_EQ(edit.at("added"), end + 4);
  EXPECT_EQ(edit.file.symbols[added].size, 8u);
  EXPECT_EQ(edit.file.symbols[symbol_named(edit.file, "f")].size, size + 4);
  EXPECT_EQ(result_of(edit.file), 9);
}

TEST(Editor, ATargetThatIsCountedFromALabelFollows) {
  // The assembler writes ".+8" as a label and the addend 8.
  const std::string f =
      "  beq a0, zero, .+8\n"
      "inner: addi a0, a0, 16\n"
      "  addi a0, a0, 1\n"
      "  ret\n";
  ObjectFile file = assembled(calling(".option norvc\n" + f));
  ASSERT_EQ(result_of(file), 1);
  Edit edit(file);
  edit.editor.insert(edit.at("inner"), Place::kBeforeLabels, no_ops(3));
  edit.editor.apply();
  EXPECT_EQ(result_of(edit.file), 1);
}

TEST(Editor, AnAddressThatIsCountedFromAFunctionFollows) {
  const std::string f =
      "  la a1, address\n  ld a1, 0(a1)\n  jr a1\n"
      "inner:\n  addi a0, a0, 16\n  addi a0, a0, 1\n  ret\n"
      ".data\naddress: .dword f + 20\n.text\n";
  ObjectFile file = assembled(calling(".option norvc\n" + f));
  ASSERT_EQ(result_of(file), 1);
  Edit edit(file);
  edit.editor.insert(edit.at("inner"), Place::kBeforeLabels, no_ops(3));
  edit.editor.apply();
  EXPECT_EQ(result_of(edit.file), 1);
}

TEST(Editor, AnAddressThatIsCountedFromTheSectionFollows) {
  Edit edit(calling("  ret\n.data\naddress: .dword .text + 4\n.text\n"));
  edit.editor.insert(0, Place::kAfterLabels, no_ops(2));
  const uint32_t data = section_named(edit.file, ".data");
  const auto where = [&] {
    const Relocation& relocation = edit.file.sections[data].relocations.at(0);
    return edit.file.symbols[relocation.symbol].value + static_cast<uint64_t>(relocation.addend);
  };
  const uint64_t before = where();
  edit.editor.apply();
  EXPECT_EQ(where(), before + 8);
}

TEST(Editor, DataBetweenFunctionsIsLeftAsItIs) {
  Edit edit(
      calling("  lla a1, table\n  lw a0, 4(a1)\n  ret\n  .balign 4\n"
              "table: .word 0x00000063, 21, 0x0000006f\n  .byte 1, 2, 3\n  .balign 2\n"));
  edit.editor.insert(edit.at("f"), Place::kAfterLabels, no_ops(1));
  edit.editor.apply();
  EXPECT_EQ(result_of(edit.file), 21);
}

TEST(Editor, AFunctionWithoutASizeIsLeftAloneAndNamed) {
  ObjectFile file = assembled(".globl f\n.type f,@function\nf: ret\n");
  const Code code(&file, section_named(file, ".text"));
  EXPECT_TRUE(code.functions().empty());
  ASSERT_EQ(code.left_alone().size(), 1u);
  EXPECT_EQ(code.left_alone()[0].place, "test.o: f");
  EXPECT_THAT(code.left_alone()[0].reason, HasSubstr(".size"));
}

TEST(Editor, ControlLeavesEachInstructionAsItsFlowSays) {
  ObjectFile file = assembled(
      calling("  beqz a0, f_end\n  j f_end\n  call g\n  jalr a0\n  tail g\n  jr a0\n  ret\n"
              "  ebreak\nf_end:\n  nop\n"));
  const Code code(&file, section_named(file, ".text"));
  std::vector<Flow> flows;
  for (const Instruction& instruction : code.instructions()) {
    const bool first_of_call =
        instruction.relocation != kNone &&
        is_far_call(file.sections[code.section()].relocations[instruction.relocation].type);
    if (instruction.offset >= value_of(file, "f") && !first_of_call) {
      flows.push_back(instruction.flow);
    }
  }
  EXPECT_THAT(flows, testing::ElementsAre(Flow::kBranch, Flow::kJump, Flow::kCall,
                                          Flow::kIndirectCall, Flow::kTailCall, Flow::kIndirectJump,
                                          Flow::kReturn, Flow::kStop, Flow::kNext));
}

/// Inserts up to `most` no-ops before a quarter of all instructions of functions.
void insert_at_random(ObjectFile* file, unsigned seed, unsigned most) {
  std::mt19937 random(seed);
  for (const uint32_t section : code_sections(*file)) {
    const Code code(file, section);
    Editor editor(file, code);
    for (const Function& function : code.functions()) {
      for (const Instruction& instruction : code.instructions()) {
        if (instruction.offset < function.start || instruction.offset >= function.end ||
            instruction.glued || random() % 4 != 0) {
          continue;
        }
        Snippet snippet = no_ops(static_cast<unsigned>(random() % most));
        if (random() % 2 == 0) add_compressed(&snippet, kCompressedNop);
        editor.insert(instruction.offset,
                      random() % 2 == 0 ? Place::kBeforeLabels : Place::kAfterLabels, snippet);
      }
    }
    editor.apply();
  }
}

TEST(Editor, NoOpsAtRandomPlacesChangeNoOutput) {
  const char* const names[] = {"plain_o0.o",    "plain_o2.o",    "plain_medlow.o",
                               "throwing_o0.o", "throwing_o2.o", "differences.o"};
  for (const char* name : names) {
    const std::string flags = std::string(name) == "plain_medlow.o" ? "-no-pie" : "";
    const std::string expected = behavior(compiled(name), flags);
    ASSERT_THAT(expected, HasSubstr("\nexit "));
    for (const unsigned most : {3u, 40u}) {
      SCOPED_TRACE(std::string(name) + ", at most " + std::to_string(most - 1) + " no-ops");
      ObjectFile file = compiled(name);
      insert_at_random(&file, /*seed=*/1, most);
      EXPECT_EQ(behavior(ObjectFile::parse(file.serialize(), name), flags), expected);
    }
  }
}

}  // namespace
}  // namespace strobe::object
