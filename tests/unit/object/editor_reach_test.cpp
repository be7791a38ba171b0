// What becomes of a branch or jump whose target an insertion moves out of its reach.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "sw/object/file/relocation_kinds.h"
#include "tests/unit/object/edit.h"

namespace strobe::object {
namespace {

using testing::HasSubstr;

// How far a branch reaches and what it becomes beyond; `no_ops` of four bytes go in between.
struct Stretch {
  const char* branch;
  unsigned no_ops;
  uint32_t before, after;  // types of relocation
  bool backwards;
};

TEST(Editor, ABranchThatNoLongerReachesBecomesALongerOne) {
  const Stretch stretches[] = {
      {"beqz a0", 10, R_RISCV_RVC_BRANCH, R_RISCV_RVC_BRANCH, false},
      {"beqz a0", 70, R_RISCV_RVC_BRANCH, R_RISCV_BRANCH, false},
      {"bnez s0", 70, R_RISCV_RVC_BRANCH, R_RISCV_BRANCH, true},
      {"beqz a0", 1100, R_RISCV_RVC_BRANCH, R_RISCV_JAL, false},
      {"bnez s0", 1100, R_RISCV_RVC_BRANCH, R_RISCV_JAL, true},
      {"beq a0, s0", 1000, R_RISCV_BRANCH, R_RISCV_BRANCH, false},
      {"beq a0, s0", 1100, R_RISCV_BRANCH, R_RISCV_JAL, false},
      {"bltu a0, a1", 1100, R_RISCV_BRANCH, R_RISCV_JAL, false},
      {"bge a1, a0", 1100, R_RISCV_BRANCH, R_RISCV_JAL, true},
      {"j", 500, R_RISCV_RVC_JUMP, R_RISCV_RVC_JUMP, false},
      {"j", 600, R_RISCV_RVC_JUMP, R_RISCV_JAL, false},
      {"j", 600, R_RISCV_RVC_JUMP, R_RISCV_JAL, true},
      {"j", 100000, R_RISCV_RVC_JUMP, R_RISCV_JAL, false},
  };
  for (const Stretch& one : stretches) {
    SCOPED_TRACE(std::string(one.branch) + " over " + std::to_string(one.no_ops) + " no-ops" +
                 (one.backwards ? ", backwards" : ""));
    // Taken it gives 1, not taken 2. s0 is 0 when it goes forwards and 1 when backwards.
    const std::string comma = std::string(one.branch) == "j" ? " " : ", ";
    const std::string branch = "branch: " + std::string(one.branch) + comma + "target\n";
    const std::string not_taken = "  addi a0, a0, 2\n  ret\n";
    const std::string taken = "target:\n  addi a0, a0, 1\n  ret\n";
    const std::string f =
        one.backwards ? "  li s0, 1\n  li a1, 1\n  j branch\nback:\n" + taken + "between: nop\n" +
                            branch + not_taken
                      : "  li s0, 0\n  li a1, 1\n" + branch + not_taken + "between: nop\n" + taken;
    ObjectFile file = assembled(calling(f));
    ASSERT_EQ(result_of(file), 1);
    Edit edit(file);
    const auto type_at = [&](uint32_t begin) {
      for (const Relocation& relocation : edit.section().relocations) {
        if (relocation.offset >= begin && (is_branch(relocation.type) || is_jump(relocation.type)))
          return relocation.type;
      }
      return 0u;
    };
    EXPECT_EQ(type_at(edit.at("branch")), one.before);
    edit.editor.insert(edit.at("between"), Place::kBeforeLabels, no_ops(one.no_ops));
    edit.editor.apply();
    EXPECT_EQ(type_at(edit.at("branch")), one.after);
    EXPECT_EQ(result_of(edit.file), 1);
  }
}

TEST(Editor, ABranchThatIsNotTakenIsNotTakenWhenItIsLonger) {
  for (const unsigned count : {70u, 1100u}) {
    Edit edit(
        calling("  bnez a0, target\n  addi a0, a0, 2\n  ret\nbetween: nop\n"
                "target:\n  addi a0, a0, 1\n  ret\n"));
    edit.editor.insert(edit.at("between"), Place::kBeforeLabels, no_ops(count));
    edit.editor.apply();
    EXPECT_EQ(result_of(edit.file), 2);
  }
}

TEST(Editor, ABranchThatWasMadeLongerCanBeEditedAgain) {
  Edit first(
      calling("  beqz a0, target\n  addi a0, a0, 2\n  ret\nbetween: nop\n"
              "target:\n  addi a0, a0, 1\n  ret\n"));
  first.editor.insert(first.at("between"), Place::kBeforeLabels, no_ops(1100));
  first.editor.apply();
  Edit second(ObjectFile::parse(first.file.serialize(), "test.o"));
  for (const Instruction& instruction : second.code.instructions()) {
    if (instruction.offset >= second.at("f") && !instruction.glued &&
        instruction.offset < second.at("f") + 16) {
      second.editor.insert(instruction.offset, Place::kAfterLabels, no_ops(1));
    }
  }
  second.editor.apply();
  EXPECT_EQ(result_of(second.file), 1);
}

TEST(Editor, WhatStandsAtABranchStaysInOrderWhenItIsLonger) {
  // Such a relocation keeps a section from being collected.
  Edit edit(
      calling("branch: beq a0, s0, target\n  .reloc branch, R_RISCV_NONE, f\n  ret\n"
              "between: nop\ntarget:\n  ret\n"));
  edit.editor.insert(edit.at("between"), Place::kBeforeLabels, no_ops(1100));
  edit.editor.apply();
  ASSERT_EQ(edit.relocations(R_RISCV_NONE).size(), 1u);
  const std::vector<uint8_t> written = edit.file.serialize();
  EXPECT_EQ(ObjectFile::parse(written, "test.o").serialize(), written);
}

TEST(Editor, AJumpBeyondOneMebibyteInsideAFunctionIsAnErrorThatNamesIt) {
  for (const char* before : {"", ".type g,@function\ng: ret\n.size g,.-g\n"}) {
    Edit edit(before + calling("  j target\nbetween: nop\ntarget:\n  ret\n"));
    edit.editor.insert(edit.at("between"), Place::kBeforeLabels, no_ops((1u << 18) + 1));
    try {
      edit.editor.apply();
      FAIL() << "the jump was accepted";
    } catch (const ObjectError& error) {
      EXPECT_THAT(error.what(), testing::StartsWith("test.o: f: a jump of 1048"));
      EXPECT_THAT(error.what(), HasSubstr("expected at most 1 MiB, or the end of a function"));
      EXPECT_THAT(error.what(), HasSubstr("; split the function"));
    }
  }
}

TEST(Editor, AJumpOverMebibytesOfFunctionsIsHandedOnBetweenThem) {
  // f jumps forwards over many functions to the last one, which jumps back, by a branch too. What
  // falls into an island passes it.
  std::string text = calling("  li a1, 1\n  j forth\nback: addi a0, a0, 2\n  ret\n");
  for (unsigned i = 0; i < 40; ++i) {
    const std::string name = "g" + std::to_string(i);
    text += (i % 3 == 0 ? ".balign 16\n.type " : ".type ") + name + ",@function\n" + name +
            ": nop\n" + (i % 2 == 0 ? "  ret\n" : "") + ".size " + name + ",.-" + name + "\n";
  }
  text +=
      ".type last,@function\nlast: ret\nforth: addi a0, a0, 1\n  bnez a1, back\n  ebreak\n"
      ".size last,.-last\n";
  for (const unsigned each : {8000u, 12000u, 20000u}) {  // no-ops a function: 1.2, 1.9, 3 MiB
    Edit edit(text);
    for (unsigned i = 0; i < 40; ++i) {
      edit.editor.insert(edit.at("g" + std::to_string(i)), Place::kAfterLabels, no_ops(each));
    }
    edit.editor.apply();
    EXPECT_EQ(result_of(edit.file), 3) << each;
    Edit falls(edit.file);  // g1 runs through everything up to the next return
    const uint32_t g1 = symbol_named(falls.file, "g1");
    falls.editor.insert(falls.at("f"), Place::kAfterLabels, jump_to(g1));
    falls.editor.apply();
    EXPECT_EQ(result_of(falls.file), 0) << each;
  }
}

TEST(Editor, JumpsToOneTargetShareTheirWay) {
  const auto bytes_of_jumps = [](unsigned jumps) {
    std::string text = calling("  beqz a0, over\n  ret\nover:\n" + std::string());
    for (unsigned i = 0; i < jumps; ++i) text += "  bnez a0, forth\n";
    text +=
        ".type g,@function\ng: ret\n.size g,.-g\n.type h,@function\nh: ret\n.size h,.-h\n"
        "forth: ret\n";
    Edit edit(text);
    edit.editor.insert(edit.at("g"), Place::kAfterLabels, no_ops(150000));
    edit.editor.insert(edit.at("h"), Place::kAfterLabels, no_ops(150000));
    edit.editor.apply();
    return edit.section().bytes.size();
  };
  EXPECT_EQ(bytes_of_jumps(9) - bytes_of_jumps(8), 8u);
}

}  // namespace
}  // namespace strobe::object
