// Copies of functions do what the originals do: every function of a program is copied, the
// original's entry becomes a jump into its copy, and the program is run.
#include "sw/object/edit/duplicate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "sw/object/edit/editor.h"
#include "sw/object/file/frames.h"
#include "sw/object/file/relocation_kinds.h"
#include "tests/unit/object/edit.h"

namespace strobe::object {
namespace {

std::vector<Copy> duplicate_all(ObjectFile* file) {
  std::vector<Function> functions;
  for (const uint32_t section : code_sections(*file)) {
    const Code code(file, section);
    functions.insert(functions.end(), code.functions().begin(), code.functions().end());
  }
  return duplicate(file, functions, ".copy");
}

/// Makes the entry of each original a jump into its copy. With `spoil` the rest of the originals
/// becomes ebreaks, so that arriving there stops the program.
void enter_copies(ObjectFile* file, const std::vector<Copy>& copies, bool spoil) {
  for (const uint32_t section : code_sections(*file)) {
    const Code code(file, section);
    Editor editor(file, code);
    for (const Copy& copy : copies) {
      if (copy.original.section != section) continue;
      editor.insert(copy.original.start, Place::kAfterLabels,
                    jump_to(file->add_label(section, copy.start)));
      if (!spoil) continue;
      for (const Instruction& instruction : code.instructions()) {
        if (instruction.offset < copy.original.start || instruction.offset >= copy.original.end) {
          continue;
        }
        Snippet stop;
        if (instruction.size == 4) {
          stop.add(kEbreak);
        } else {
          add_compressed(&stop, kCompressedEbreak);
        }
        editor.replace(instruction.offset, stop);
      }
    }
    editor.apply();
  }
}

void expect_same_behavior(const std::string& name, bool spoil, const std::string& flags = "") {
  SCOPED_TRACE(name);
  const std::string expected = behavior(compiled(name), flags);
  ASSERT_THAT(expected, testing::HasSubstr("\nexit "));
  ObjectFile file = compiled(name);
  enter_copies(&file, duplicate_all(&file), spoil);
  EXPECT_EQ(behavior(ObjectFile::parse(file.serialize(), name), flags), expected);
}

TEST(Duplicate, CopiesOfAllFunctionsDoWhatTheOriginalsDo) {
  expect_same_behavior("plain_o0.o", /*spoil=*/false);
  expect_same_behavior("plain_o2.o", /*spoil=*/false);
  expect_same_behavior("plain_sections.o", /*spoil=*/false);
}

TEST(Duplicate, NothingComesBackToTheOriginalsBehindTheirEntry) {
  expect_same_behavior("plain_whole.o", /*spoil=*/true);
  expect_same_behavior("plain_medlow.o", /*spoil=*/true, "-no-pie");
  expect_same_behavior("plain_medany.o", /*spoil=*/true, "-no-pie");
}

TEST(Duplicate, ExceptionsPassThroughCopies) {
  expect_same_behavior("throwing_o0.o", /*spoil=*/false);
  expect_same_behavior("throwing_o2.o", /*spoil=*/false);
}

TEST(Duplicate, CopiesOfWhatClangCompilesDoWhatTheOriginalsDo) {
  expect_same_behavior("plain_clang14.o", /*spoil=*/false);
  for (const char* version : {"15", "16", "19"}) {
    expect_same_behavior(std::string("plain_clang") + version + ".o", /*spoil=*/false);
    expect_same_behavior(std::string("throwing_clang") + version + ".o", /*spoil=*/true);
  }
}

TEST(Duplicate, ExceptionsAreHandledInTheCopies) {
  expect_same_behavior("throwing_whole.o", /*spoil=*/true);
}

TEST(Duplicate, ComputedGotoByDifferencesOfLabelsWorksInTheCopy) {
  // Its jumps go to the original: an address of a label stays, as others may be counted from it.
  expect_same_behavior("differences.o", /*spoil=*/false);
}

TEST(Duplicate, ComputedGotoByDifferencesOfLabelsWorksInACopyThatIsEdited) {
  const std::string expected = behavior(compiled("differences.o"));
  ObjectFile file = compiled("differences.o");
  const std::vector<Copy> copies = duplicate_all(&file);
  enter_copies(&file, copies, /*spoil=*/false);
  for (const uint32_t section : code_sections(file)) {
    const Code code(&file, section);
    Editor editor(&file, code);
    for (const Function& function : code.functions()) {
      const std::string& name = file.symbols[function.symbols.front()].name;
      if (name.find(".copy") == std::string::npos) continue;
      for (const Instruction& instruction : code.instructions()) {
        if (instruction.offset > function.start && instruction.offset < function.end &&
            !instruction.glued) {
          editor.insert(instruction.offset, Place::kBeforeLabels, no_ops(1));
        }
      }
    }
    editor.apply();
  }
  EXPECT_EQ(behavior(file), expected);
}

TEST(Duplicate, AnEditOfTheCopiesAloneChangesNoOutput) {
  for (const char* name : {"plain_o2.o", "throwing_o2.o"}) {
    SCOPED_TRACE(name);
    const std::string expected = behavior(compiled(name));
    ObjectFile file = compiled(name);
    enter_copies(&file, duplicate_all(&file), /*spoil=*/false);
    for (const uint32_t section : code_sections(file)) {
      const Code code(&file, section);
      Editor editor(&file, code);
      for (const Function& function : code.functions()) {
        const std::string& symbol = file.symbols[function.symbols.front()].name;
        if (symbol.find(".copy") == std::string::npos) continue;
        for (const Instruction& instruction : code.instructions()) {
          if (instruction.offset >= function.start && instruction.offset < function.end &&
              !instruction.glued) {
            editor.insert(instruction.offset, Place::kAfterLabels, no_ops(1));
          }
        }
      }
      editor.apply();
    }
    EXPECT_EQ(behavior(file), expected);
  }
}

TEST(Duplicate, TheCopyIsTheSameBytesUnderTheNameWithTheSuffix) {
  ObjectFile file = compiled("plain_o2.o");
  const ObjectFile before = file;
  const std::vector<Copy> copies = duplicate_all(&file);
  EXPECT_GE(copies.size(), 10u);
  for (const Copy& copy : copies) {
    const Symbol& original = before.symbols[copy.original.symbols.front()];
    SCOPED_TRACE(original.name);
    const Symbol& symbol = file.symbols[copy.symbol];
    EXPECT_EQ(symbol.name, original.name + ".copy");
    EXPECT_EQ(symbol.type, original.type);
    EXPECT_EQ(symbol.value, copy.start);
    EXPECT_EQ(symbol.size, copy.original.end - copy.original.start);
    EXPECT_EQ(copy.end - copy.start, copy.original.end - copy.original.start);
    const std::vector<uint8_t>& bytes = file.sections[copy.original.section].bytes;
    EXPECT_TRUE(std::equal(bytes.begin() + copy.original.start, bytes.begin() + copy.original.end,
                           bytes.begin() + copy.start));
  }
}

TEST(Duplicate, TheOriginalsStayAsTheyWere) {
  ObjectFile file = compiled("throwing_o2.o");
  const ObjectFile before = file;
  duplicate_all(&file);
  for (size_t i = 1; i < before.sections.size(); ++i) {
    SCOPED_TRACE(before.sections[i].name);
    ASSERT_GE(file.sections[i].bytes.size(), before.sections[i].bytes.size());
    EXPECT_TRUE(std::equal(before.sections[i].bytes.begin(), before.sections[i].bytes.end(),
                           file.sections[i].bytes.begin()));
    ASSERT_GE(file.sections[i].relocations.size(), before.sections[i].relocations.size());
  }
}

/// The places in `section` that relocations name which stand in [begin, end) of another section.
std::vector<uint64_t> places_of(const ObjectFile& file, uint32_t table, uint64_t begin,
                                uint64_t end, uint32_t section) {
  std::vector<uint64_t> places;
  for (const Relocation& relocation : file.sections[table].relocations) {
    if (relocation.offset < begin || relocation.offset >= end || relocation.type == R_RISCV_SUB32) {
      continue;
    }
    const Location where = location_of(file, relocation.symbol, relocation.addend);
    if (where.section == section) places.push_back(where.offset);
  }
  return places;
}

TEST(Duplicate, TheJumpTableOfTheCopyPointsIntoTheCopy) {
  for (const char* name : {"plain_o2.o", "plain_medlow.o", "plain_medany.o"}) {
    SCOPED_TRACE(name);
    ObjectFile file = compiled(name);
    const uint32_t rodata = section_named(file, ".rodata");
    const uint64_t old_end = file.sections[rodata].bytes.size();
    const std::vector<Copy> copies = duplicate_all(&file);
    const auto copy = std::find_if(copies.begin(), copies.end(), [&](const Copy& one) {
      return file.symbols[one.symbol].name == "by_table.copy";
    });
    ASSERT_NE(copy, copies.end());
    // The offsets in the original's table and in the copy's; the function's own address, which a
    // pointer to it holds, is none.
    std::vector<uint64_t> original, copied;
    for (const uint64_t place : places_of(file, rodata, 0, old_end, copy->original.section)) {
      if (place > copy->original.start && place < copy->original.end) {
        original.push_back(place - copy->original.start);
      }
    }
    for (const Relocation& relocation : file.sections[copy->original.section].relocations) {
      const Location table = location_of(file, relocation.symbol, relocation.addend);
      if (relocation.offset < copy->start || relocation.offset >= copy->end ||
          !is_high_half(relocation.type) || table.section != rodata || table.offset < old_end) {
        continue;
      }
      for (const uint64_t place :
           places_of(file, rodata, table.offset, file.sections[rodata].bytes.size(),
                     copy->original.section)) {
        if (copied.size() < original.size()) copied.push_back(place - copy->start);
      }
    }
    EXPECT_GE(original.size(), 10u);
    EXPECT_EQ(copied, original);
  }
}

TEST(Duplicate, TheCopyHasAFrameAndHandlersOfItsOwn) {
  ObjectFile file = compiled("throwing_whole.o");
  const std::vector<Copy> copies = duplicate_all(&file);
  const std::vector<Frame> frames = read_frames(file);
  const std::vector<Handlers> handlers = read_handlers(file, frames);
  const auto frame_at = [&](uint32_t section, uint64_t offset) {
    return std::find_if(frames.begin(), frames.end(), [&](const Frame& frame) {
      return frame.code == Location{section, offset};
    });
  };
  const auto pads_of = [&](const Frame& frame, uint64_t start) {
    std::vector<uint64_t> pads;
    for (const Handlers& table : handlers) {
      if (!(table.begin == frame.handlers)) continue;
      for (const uint32_t pad : table.landing_pads) pads.push_back(pad - start);
    }
    return pads;
  };
  unsigned with_handlers = 0;
  for (const Copy& copy : copies) {
    SCOPED_TRACE(file.symbols[copy.symbol].name);
    const auto original = frame_at(copy.original.section, copy.original.start);
    const auto copied = frame_at(copy.original.section, copy.start);
    ASSERT_NE(original, frames.end());
    ASSERT_NE(copied, frames.end());
    ASSERT_EQ(copied->has_handlers, original->has_handlers);
    if (!original->has_handlers) continue;
    ++with_handlers;
    EXPECT_FALSE(copied->handlers == original->handlers);
    EXPECT_EQ(pads_of(*copied, copy.start), pads_of(*original, copy.original.start));
  }
  EXPECT_GE(with_handlers, 3u);
}

// The rest is what compilers do not write but people do.

/// What a program gives that calls f with a0 = 0, f copied and the original's entry a jump into it.
std::string result_of_copy(const std::string& f, bool spoil) {
  ObjectFile file = assembled(".globl _start\n_start:\n" + std::string(kSetGp) +
                              " li a0,0\n call f\n li a7,93\n ecall\n"
                              ".globl f\n.type f,@function\nf:\n" +
                              f);
  const std::vector<Copy> copies = duplicate_all(&file);
  enter_copies(&file, copies, spoil);
  return behavior(file, kAlone);
}

TEST(Duplicate, AFunctionThatFallsIntoTheNextOneStillDoes) {
  const std::string f =
      "  addi a0, a0, 1\n.size f,.-f\n"
      ".type g,@function\ng:\n  addi a0, a0, 2\n  ret\n.size g,.-g\n";
  EXPECT_EQ(result_of_copy(f, /*spoil=*/true), "exit 3\n");
}

TEST(Duplicate, AFunctionThatEndsInABranchFallsIntoTheNextOne) {
  const std::string f =
      "  addi a0, a0, 1\n  beqz a0, f\n.size f,.-f\n"
      ".type g,@function\ng:\n  addi a0, a0, 2\n  ret\n.size g,.-g\n";
  EXPECT_EQ(result_of_copy(f, /*spoil=*/true), "exit 3\n");
}

TEST(Duplicate, ALowHalfThatNamesItsAuipcByTheFunctionFindsTheCopysOne) {
  const std::string f =
      "  auipc a1, %pcrel_hi(value)\n  addi a1, a1, %pcrel_lo(f)\n  lw a0, 0(a1)\n  ret\n"
      ".size f,.-f\n.data\n.space 0x2468\nvalue: .word 6\n.space 0x4000\n.text\n";
  EXPECT_EQ(result_of_copy(f, /*spoil=*/false), "exit 6\n");
}

TEST(Duplicate, ABranchToTheFunctionsNameStaysInTheCopy) {
  ObjectFile file = assembled(
      ".globl f\n.type f,@function\nf:\n  addi a0, a0, -1\n  bnez a0, f\n  ret\n.size f,.-f\n");
  const std::vector<Copy> copies = duplicate_all(&file);
  ASSERT_EQ(copies.size(), 1u);
  const Code code(&file, copies[0].original.section);
  for (const Instruction& instruction : code.instructions()) {
    if (instruction.flow == Flow::kBranch && instruction.offset >= copies[0].start) {
      EXPECT_EQ(instruction.target, copies[0].start);
    }
  }
}

TEST(Duplicate, ATargetThatIsCountedFromALabelIsTheCopys) {
  const std::string f =
      ".option norvc\n  beq a0, zero, .+8\n  addi a0, a0, 16\n  addi a0, a0, 1\n  ret\n"
      ".size f,.-f\n";
  EXPECT_EQ(result_of_copy(f, /*spoil=*/true), "exit 1\n");
}

TEST(Duplicate, ATableWhoseAddressIsComputedTwiceServesBothCopies) {
  // As gcc does it in a loop: the entry's address is kept, the table's is computed again. The copy
  // is left between the two, as at a check.
  ObjectFile file =
      assembled(".globl _start\n_start:\n" + std::string(kSetGp) +
                " li a0,0\n call f\n li a7,93\n ecall\n"
                ".globl f\n.type f,@function\nf:\n"
                "  lla t1, table\n  addi t1, t1, 4\n  nop\n"
                "between:\n  lla t2, table\n  lw t1, 0(t1)\n  add t1, t1, t2\n  jr t1\n"
                "one: li a0, 1\n  ret\n"
                "two: li a0, 2\n  ret\n"
                ".size f,.-f\n.section .rodata\n.balign 4\n"
                "table: .word one-table, two-table\n");
  const uint32_t text = section_named(file, ".text");
  const uint32_t between = value_of(file, "between");
  ASSERT_EQ(behavior(file, kAlone), "exit 2\n");
  const std::vector<Copy> copies = duplicate_all(&file);
  ASSERT_EQ(copies.size(), 1u);
  const uint32_t in_the_copy = between - copies[0].original.start + copies[0].start;
  const Code code(&file, text);
  Editor editor(&file, code);
  editor.insert(copies[0].original.start, Place::kAfterLabels,
                jump_to(file.add_label(text, copies[0].start)));
  editor.insert(in_the_copy, Place::kAfterLabels, jump_to(file.add_label(text, between)));
  editor.apply();
  EXPECT_EQ(behavior(file, kAlone), "exit 2\n");
}

TEST(Duplicate, ACopyFarFromItsOriginalMovesNothingAndReachesAfterTheNextEdit) {
  // The copies of f and g are more than 1 MiB from the middle of g.
  std::string text = calling("  beqz a0, into\n  ret\n") +
                     ".type g,@function\ng:\n  j into\n.size g,.-g\n"
                     ".type between,@function\nbetween:\n  li a0, 7\ninto: addi a0, a0, 3\n  ret\n"
                     ".size between,.-between\n";
  for (unsigned i = 0; i < 40; ++i) {
    const std::string name = "h" + std::to_string(i);
    text += ".type " + name + ",@function\n" + name + ":\n.rept 15000\n  nop\n.endr\n  ret\n" +
            ".size " + name + ",.-" + name + "\n";
  }
  ObjectFile file = assembled(text);
  ASSERT_EQ(result_of(file), 3);
  const ObjectFile before = file;
  const std::vector<Copy> copies = duplicate_all(&file);
  for (size_t i = 1; i < before.symbols.size(); ++i) {
    EXPECT_EQ(file.symbols[i].value, before.symbols[i].value) << before.symbols[i].name;
  }
  enter_copies(&file, copies, /*spoil=*/false);
  EXPECT_EQ(result_of(file), 3);
}

TEST(Duplicate, DataInsideAFunctionIsDataInTheCopyToo) {
  // The words look like a branch, a jump, and halves of instructions.
  ObjectFile file =
      assembled(".globl _start\n_start:\n" + std::string(kSetGp) +
                " li a0,0\n call f\n li a7,93\n ecall\n"
                ".globl f\n.type f,@function\nf:\n"
                "  lla a1, table\n  j over\n  .balign 4\n"
                "  .half 0x13\ntable: .word 0x63, 21, 0x6f\nover:\n  lw a0, 4(a1)\n  ret\n"
                "  .word 0x63\n.size f,.-f\n"
                ".type g,@function\ng:\n  beqz a0, g\n  ret\n.size g,.-g\n");
  ASSERT_EQ(behavior(file, kAlone), "exit 21\n");
  enter_copies(&file, duplicate_all(&file), /*spoil=*/false);
  EXPECT_EQ(behavior(file, kAlone), "exit 21\n");
}

TEST(Duplicate, AJumpTableThatIsCutOffIsNotReadBeyondItsEnd) {
  ObjectFile file = compiled("plain_medany.o");
  Section& rodata = file.sections[section_named(file, ".rodata")];
  // The relocation of the third entry is left, at the end of the section, but not the entry.
  ASSERT_GT(rodata.relocations.size(), 5u);  // two for each entry
  const uint64_t end = rodata.relocations[4].offset;
  rodata.bytes = {rodata.bytes.begin(), rodata.bytes.begin() + static_cast<ptrdiff_t>(end)};
  while (rodata.relocations.back().offset > end) rodata.relocations.pop_back();
  try {
    duplicate_all(&file);
  } catch (const ObjectError& error) {
    EXPECT_THAT(error.what(), testing::StartsWith("plain_medany.o: "));
  }
}

}  // namespace
}  // namespace strobe::object
