// Programs with awkward code do what they did, however they are edited.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <utility>

#include "sw/files/scratch_folder.h"
#include "sw/instrument/bursty/bursts.h"
#include "sw/instrument/bursty/instrumented_program.h"
#include "sw/instrument/ephemeral/hooked_program.h"
#include "sw/instrument/signals/signaled_program.h"
#include "sw/optimize/optimizer.h"
#include "tests/unit/object/objects.h"
#include "tests/whole_programs.h"

namespace strobe::instrument {
namespace {

constexpr const char* kGcc = "riscv64-linux-gnu-gcc -O2";

/// A source of programs/, compiled and linked with a record of it.
class Program {
 public:
  explicit Program(const std::string& source, const std::string& compiler = kGcc) {
    run(compiler + " -w -c -o " + path("main.o") + " " +
        in_source("tests/unit/edited/programs/" + source));
    std::ofstream(path("program.link")) << "riscv64-linux-gnu-gcc\n-static\nmain.o\n";
    run("cd " + path("") + " && riscv64-linux-gnu-gcc -static -o program.elf main.o");
    expected_ = output_of(path("program.elf"));
  }

  LinkedProgram linked() const { return linked_program(path("program.elf"), ""); }
  /// What the original prints, and how it ends.
  const std::string& expected() const { return expected_; }
  std::string output(const std::vector<uint8_t>& elf) const {
    put(path("edited"), elf);
    return output_of(path("edited"));
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

 private:
  static void run(const std::string& command) {
    const object::Ran ran = object::run(command + " 2>&1");
    if (ran.code != 0) throw std::runtime_error(command + ": " + ran.out);
  }
  static std::string output_of(const std::string& elf) {
    const object::Ran ran = object::run("timeout 60 qemu-riscv64 " + elf + " 2>&1");
    return ran.out + "exit " + std::to_string(ran.code);
  }

  files::ScratchFolder folder_;
  std::string expected_;
};

std::string reasons(const std::vector<object::LeftAlone>& left_alone) {
  std::string text;
  for (const object::LeftAlone& one : left_alone) {
    if (one.place.find("main.o: ") != std::string::npos)
      text += one.place + ": " + one.reason + "\n";
  }
  return text;
}

/// Edits the program's own object for bursty tracing. @return what was left alone in it
std::string expect_unchanged_when_traced(const Program& program) {
  BurstyOptions options = variant("orig");
  options.library = false;
  options.events = {EventKind::kData, EventKind::kEdge, EventKind::kCall, EventKind::kValue};
  InstrumentedProgram bursty =
      instrument_program(program.linked(), in_build("guest/bursty/fold.o"), options);
  for (const auto& [checks, instrumented] : {std::pair(1u, 0x7fffffffu), {7u, 3u}}) {
    set_bursts(&bursty.elf, checks, instrumented);
    EXPECT_EQ(program.output(bursty.elf), program.expected()) << checks << ":" << instrumented;
  }
  return reasons(bursty.left_alone);
}

void expect_unchanged_when_hooked(const Program& program) {
  EphemeralOptions own;
  own.library = false;
  HookedProgram hooked =
      make_hooked_program(program.linked(), in_build("guest/ephemeral/unhook.o"), own);
  hook_all(&hooked, 50);
  EXPECT_EQ(program.output(hooked.elf), program.expected()) << "ephemeral";
  SignalsOptions signals;
  signals.library = false;
  EXPECT_EQ(program.output(make_signaled_program(program.linked(), signals).elf),
            program.expected())
      << "signals";
}

/// The same, with the optimizer and counts that make every branch worth something.
void expect_unchanged_when_optimized(const Program& program) {
  object::Program objects(object::link_inputs(program.linked().record, program.path("inputs.elf")));
  std::vector<object::LeftAlone> left_alone;
  const auto counts = [](uint32_t, uint32_t, const object::Instruction& branch) {
    const double often = branch.offset % 3 == 0 ? 900 : 30;
    return optimize::BranchCounts{often, 1000 - often};
  };
  optimize::optimize(&objects, counts, optimize::Machine(core::CoreParams()), {}, &left_alone);
  std::vector<std::filesystem::path> files;
  for (const object::ProgramObject& object : objects.objects()) {
    files.push_back(program.path(std::to_string(files.size()) + ".o"));
    put(files.back(), object.file.serialize());
  }
  object::link_objects(program.linked().record, files, program.path("optimized"));
  EXPECT_EQ(program.output(object::bytes_of_file(program.path("optimized"))), program.expected());
}

TEST(EditedPrograms, APointerWithATagKeepsItsTag) {
  const Program program("tagged.c");
  ASSERT_THAT(program.expected(), testing::HasSubstr("\nexit 0"));
  EXPECT_THAT(expect_unchanged_when_traced(program),
              testing::HasSubstr("an address in data leads into"));
  expect_unchanged_when_hooked(program);
  expect_unchanged_when_optimized(program);
}

TEST(EditedPrograms, ASwitchWithCasesInAColdPartWorks) {
  const Program program("split.c", std::string(kGcc) + " -freorder-blocks-and-partition");
  ASSERT_THAT(program.expected(), testing::HasSubstr("stop: five at 700"));
  EXPECT_EQ(expect_unchanged_when_traced(program), "");
  expect_unchanged_when_hooked(program);
  expect_unchanged_when_optimized(program);
}

TEST(EditedPrograms, MoreThanAMebibyteOfCodeInOneObjectIsEdited) {
  const Program program("large.c");
  ASSERT_THAT(program.expected(), testing::HasSubstr("\nexit 0"));
  EXPECT_EQ(expect_unchanged_when_traced(program), "");
  expect_unchanged_when_hooked(program);
}

class ClangPrograms : public testing::TestWithParam<const char*> {};

TEST_P(ClangPrograms, AreEditedAsThoseOfGcc) {
  const std::string compiler = "clang-" + std::string(GetParam()) +
                               " --target=riscv64-linux-gnu -march=rv64gc -O2 -isystem "
                               "/usr/riscv64-linux-gnu/include";
  const Program program("split.c", compiler);
  ASSERT_THAT(program.expected(), testing::HasSubstr("stop: five at 700"));
  EXPECT_EQ(expect_unchanged_when_traced(program), "");
  expect_unchanged_when_optimized(program);
}

INSTANTIATE_TEST_SUITE_P(Versions, ClangPrograms,
                         testing::Values("14 -fno-integrated-as", "15", "16", "19"),
                         [](const auto& one) { return std::string(one.param).substr(0, 2); });

}  // namespace
}  // namespace strobe::instrument
