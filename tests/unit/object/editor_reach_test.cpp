// What becomes of a branch or jump whose target an insertion moves out of its reach.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

TEST(Editor, AJumpBeyondOneMebibyteIsAnErrorThatNamesThePlace) {
  Edit edit(calling("  j target\nbetween: nop\ntarget:\n  ret\n"));
  edit.editor.insert(edit.at("between"), Place::kBeforeLabels, no_ops((1u << 18) + 1));
  try {
    edit.editor.apply();
    FAIL() << "the jump was accepted";
  } catch (const ObjectError& error) {
    EXPECT_THAT(error.what(), testing::StartsWith("test.o: f: "));
    EXPECT_THAT(error.what(), HasSubstr("expected at most 1 MiB"));
    EXPECT_THAT(error.what(), HasSubstr("; split the source file"));
  }
}

}  // namespace
}  // namespace strobe::object
