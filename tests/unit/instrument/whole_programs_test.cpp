// Whole programs with the library that they use, edited at random, for bursty tracing, for
// ephemeral instrumentation and for software signals: they do what they did, under qemu and under
// strobe. The fetched ones are among them where they are.
#include "tests/whole_programs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "sw/files/scratch_folder.h"
#include "sw/instrument/bursty/bursts.h"
#include "sw/instrument/bursty/instrumented_program.h"
#include "sw/instrument/ephemeral/hooked_program.h"
#include "sw/instrument/signals/signaled_program.h"
#include "sw/object/edit/editor.h"
#include "sw/object/edit/encode.h"
#include "tests/tree.h"

namespace strobe::instrument {
namespace {

namespace fs = std::filesystem;
using object::Code;
using object::Place;

class WholePrograms : public testing::TestWithParam<Subject> {
 protected:
  static std::string under_qemu(const std::string& program) {
    return strobe::under_qemu(program, GetParam());
  }
  std::string under_strobe(const std::string& program) const {
    return strobe::under_strobe(program, GetParam(), folder_.path());
  }

  files::ScratchFolder folder_;
};

TEST_P(WholePrograms, ABurstAnywhereChangesNoOutput) {
  const std::string expected = under_qemu(GetParam().elf);
  ASSERT_THAT(expected, testing::HasSubstr("exit 0"));
  // The link of the objects as they are gives the program itself, or this throws.
  InstrumentedProgram program = instrument_program(
      linked_program(GetParam().elf, ""), in_build("guest/bursty/fold.o"), variant("EC+L4"));
  const std::string edited = (folder_ / "edited").string();
  for (const auto& [checks, instrumented] :
       {std::pair(0x7fffffffu, 1u), {1u, 0x7fffffffu}, {7u, 3u}, {1000u, 50u}}) {
    set_bursts(&program.elf, checks, instrumented);
    put(edited, program.elf);
    EXPECT_EQ(under_qemu(edited), expected) << checks << ":" << instrumented;
  }
  const std::string original = under_strobe(GetParam().elf);
  EXPECT_THAT(original, testing::EndsWith("exit 0\n"));
  EXPECT_TRUE(under_strobe(edited) == original);
}

TEST_P(WholePrograms, HookedBranchesChangeNoOutput) {
  const std::string expected = under_qemu(GetParam().elf);
  ASSERT_THAT(expected, testing::HasSubstr("exit 0"));
  const HookedProgram made = make_hooked_program(linked_program(GetParam().elf, ""),
                                                 in_build("guest/ephemeral/unhook.o"), {});
  const std::string edited = (folder_ / "edited").string();
  // qemu translates a page anew whenever a stub on it counts.
  for (const uint64_t persistence : {1, 50, 1000}) {
    HookedProgram program = made;
    hook_all(&program, persistence);
    put(edited, program.elf);
    EXPECT_EQ(under_qemu(edited), expected) << persistence;
  }
  HookedProgram by_page = made;
  hook_pages(&by_page, 50);
  put(edited, by_page.elf);
  EXPECT_EQ(under_qemu(edited), expected) << "by page";
  EXPECT_TRUE(under_strobe(edited) == under_strobe(GetParam().elf));
}

TEST_P(WholePrograms, SignalsChangeNoOutput) {
  const std::string expected = under_qemu(GetParam().elf);
  ASSERT_THAT(expected, testing::HasSubstr("exit 0"));
  const std::string edited = (folder_ / "edited").string();
  put(edited, make_signaled_program(linked_program(GetParam().elf, ""), {}).elf);
  EXPECT_EQ(under_qemu(edited), expected);
  const std::string original = under_strobe(GetParam().elf);
  EXPECT_THAT(original, testing::EndsWith("exit 0\n"));
  EXPECT_TRUE(under_strobe(edited) == original);
}

TEST_P(WholePrograms, AHundredThousandNoOpsChangeNoOutput) {
  const std::string expected = under_qemu(GetParam().elf);
  const LinkedProgram linked = linked_program(GetParam().elf, "");
  object::Program program(object::link_inputs(linked.record, folder_ / "original"));
  uint64_t instructions = 0, inserted = 0;
  for (const object::ProgramFunction& function : program.functions()) {
    instructions += (function.function.end - function.function.start) / 4;
  }
  constexpr uint64_t kNoOps = 100'000;
  std::mt19937_64 random(1);
  object::Snippet no_op;
  no_op.add(object::addi(object::kZero, object::kZero, 0));
  std::vector<fs::path> objects;
  for (object::ProgramObject& object : program.objects()) {
    for (const Code& code : object.codes) {
      object::Editor editor(&object.file, code);
      for (const object::Function& function : code.functions()) {
        for (size_t i = code.at(function.start);
             i < code.instructions().size() && code.instructions()[i].offset < function.end; ++i) {
          const object::Instruction& instruction = code.instructions()[i];
          if (instruction.glued) continue;
          for (uint64_t n =
                   kNoOps / instructions + (random() % instructions < kNoOps % instructions);
               n > 0; --n) {
            editor.insert(instruction.offset,
                          random() % 2 == 0 ? Place::kBeforeLabels : Place::kAfterLabels, no_op);
            ++inserted;
          }
        }
      }
      editor.apply();
    }
    objects.push_back(folder_ / (std::to_string(objects.size()) + ".o"));
    put(objects.back(), object.file.serialize());
  }
  EXPECT_GT(inserted, kNoOps / 2);
  const std::string edited = (folder_ / "edited").string();
  object::link_objects(linked.record, objects, edited);
  EXPECT_EQ(under_qemu(edited), expected);
  const std::string original = under_strobe(GetParam().elf);
  EXPECT_THAT(original, testing::EndsWith("exit 0\n"));
  EXPECT_TRUE(under_strobe(edited) == original);
  std::cout << inserted << " no-ops in " << instructions << " instructions\n";
}

INSTANTIATE_TEST_SUITE_P(Each, WholePrograms, testing::ValuesIn(subjects()),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace strobe::instrument
