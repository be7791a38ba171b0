// Functions laid out in another order: what the program then computes, and that all that refers to
// the old code follows.
#include "sw/object/edit/rebuild.h"

#include <gtest/gtest.h>

#include <optional>

#include "tests/unit/object/objects.h"

namespace strobe::object {
namespace {

/// A program that exits with what f makes of a0 = 0, and what becomes of f.
struct Rebuilt {
  explicit Rebuilt(const std::string& f, const std::string& rest = "")
      : file(assembled(".globl _start\n.type _start,@function\n_start:\n" + std::string(kSetGp) +
                       " li a0,0\n call f\n li a7,93\n ecall\n.size _start,.-_start\n"
                       ".globl f\n.type f,@function\nf:\n" +
                       f + ".size f,.-f\n" + rest)),
        code(&file, section_named(file, ".text")) {
    for (const Function& function : code.functions()) {
      if (function.start == value_of(file, "f")) body.function = function;
    }
  }

  /// The n-th instruction of f, going to a label of the body where it branches.
  void take(uint32_t n, uint32_t target = kNone) {
    NewInstruction made;
    made.from = static_cast<uint32_t>(code.at(body.function.start)) + n;
    made.target = target;
    body.instructions.push_back(made);
  }
  void jump(uint32_t target) {
    NewInstruction made;
    made.target = target;
    body.instructions.push_back(made);
  }

  int result() {
    rebuild(&file, code, {body});
    const std::string text = behavior(file, kAlone);
    if (text.rfind("exit ", 0) != 0) throw std::runtime_error("the program says " + text);
    return std::stoi(text.substr(5));
  }

  ObjectFile file;
  Code code;
  NewBody body;
};

const char* const kAddThenDouble = " addi a0,a0,5\n slli a0,a0,1\n ret\n";

TEST(Rebuild, InstructionsStandInTheNewOrder) {
  Rebuilt same(kAddThenDouble), swapped(kAddThenDouble);
  for (const uint32_t one : {0, 1, 2}) same.take(one);
  for (const uint32_t one : {1, 0, 2}) swapped.take(one);
  EXPECT_EQ(same.result(), 10);
  EXPECT_EQ(swapped.result(), 5);
}

TEST(Rebuild, AnInstructionMayBeCopiedOrLeftOut) {
  Rebuilt edit(kAddThenDouble);
  for (const uint32_t one : {0, 0, 0, 2}) edit.take(one);
  EXPECT_EQ(edit.result(), 15);
}

TEST(Rebuild, AWordStandsInThePlaceOfTheOriginal) {
  Rebuilt edit(kAddThenDouble);
  for (const uint32_t one : {0, 1, 2}) edit.take(one);
  edit.body.instructions[0].word = 0x00950513;  // addi a0,a0,9: four bytes instead of two
  EXPECT_EQ(edit.result(), 18);
}

TEST(Rebuild, BranchesAndJumpsGoToLabelsOfTheBody) {
  // The last two come first: label 0 is the add, label 1 the return.
  Rebuilt edit(" bnez a0,1f\n addi a0,a0,5\n1: ret\n");
  edit.jump(2);
  edit.take(2);
  edit.take(1);
  edit.jump(1);
  edit.take(0, 1);
  edit.jump(0);
  edit.body.labels = {2, 1, 4};
  EXPECT_EQ(edit.result(), 5);
}

TEST(Rebuild, EachCopyOfALowHalfBelongsToItsOwnHighHalf) {
  Rebuilt edit("1: auipc a1,%pcrel_hi(value)\n lw a2,%pcrel_lo(1b)(a1)\n add a0,a0,a2\n ret\n",
               ".data\n.word 1,2,3\nvalue: .word 21\n");
  for (const uint32_t one : {0, 1, 2, 0, 1, 2, 3}) edit.take(one);
  edit.body.instructions[1].auipc = 0;
  edit.body.instructions[4].auipc = 3;
  EXPECT_EQ(edit.result(), 42);
}

TEST(Rebuild, WhatRefersToAPlaceInsideFollowsItsLabel) {
  // The address of `inside` is in memory; the body has it in another place.
  Rebuilt edit(" lla a1,table\n ld a1,0(a1)\n jr a1\n nop\ninside: addi a0,a0,7\n ret\n",
               ".data\n.balign 8\ntable: .dword inside\n");
  const uint32_t inside = 5;  // lla is two instructions
  for (const uint32_t one : {0, 1, 2, 3, 4, 4, 4}) edit.take(one);
  edit.body.instructions[1].auipc = 0;
  edit.body.labels = {7};
  edit.take(inside);
  edit.take(inside + 1);
  edit.body.references[value_of(edit.file, "inside")] = 0;
  EXPECT_EQ(edit.result(), 7);
}

TEST(Rebuild, TheDescriptionOfTheFrameHasTheNewRows) {
  Rebuilt edit(
      ".cfi_startproc\n addi sp,sp,-16\n.cfi_def_cfa_offset 16\n nop\n addi sp,sp,16\n"
      ".cfi_def_cfa_offset 0\n ret\n.cfi_endproc\n");
  const std::optional<FrameRows> old = rows_of(edit.file, read_frames(edit.file).front());
  ASSERT_TRUE(old && old->rows.size() == 3);
  for (const uint32_t one : {0, 1, 1, 1, 2, 3}) edit.take(one);
  edit.body.has_frame = true;
  edit.body.initial_row = old->initial;
  edit.body.rows = {{0, old->rows[0].row}, {1, old->rows[1].row}, {5, old->rows[2].row}};
  EXPECT_EQ(edit.result(), 0);
  const std::optional<FrameRows> now = rows_of(edit.file, read_frames(edit.file).front());
  ASSERT_TRUE(now && now->rows.size() == 3);
  const uint64_t start = value_of(edit.file, "f");
  EXPECT_EQ(now->rows[1].offset - start, 2u);
  EXPECT_EQ(now->rows[2].offset - start, 10u) << "five instructions of two bytes";
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(now->rows[i].row, old->rows[i].row);
}

}  // namespace
}  // namespace strobe::object
