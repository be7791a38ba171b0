// Whole programs, profiled and optimized: they do what they did, under qemu and under strobe. The
// fetched ones are among them where they are.
#include "sw/optimize/optimized_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "sc_models/isa/elf/elf_file.h"
#include "sw/files/scratch_folder.h"
#include "sw/files/sha256.h"
#include "sw/object/file/object_file.h"
#include "sw/optimize/bolt.h"
#include "tests/unit/object/objects.h"
#include "tests/whole_programs.h"

namespace strobe::optimize {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// The complete profile of a program's branches. @param folder  for the files of the run
EdgeCounts profile_of(const Subject& subject, const std::filesystem::path& folder) {
  std::ofstream(folder / "profile.yaml") << "profilers: [{ name: complete, kind: periodic, rate: "
                                            "1, selectors: [{ profile: edge }] }]\n"
                                         << run_text(subject.elf, subject);
  const std::string out = (folder / "profile").string();
  const object::Ran ran =
      object::run(in_build("bin/strobe") + " run " + (folder / "profile.yaml").string() +
                  " --quiet --out " + out + " 2>&1");
  if (ran.code != 0) throw std::runtime_error(ran.out);
  return read_edge_counts(out);
}

class WholePrograms : public testing::TestWithParam<Subject> {};

TEST_P(WholePrograms, DoWhatTheyDid) {
  const files::ScratchFolder folder;
  const Subject& subject = GetParam();
  const EdgeCounts counts = profile_of(subject, folder.path());
  const instrument::LinkedProgram program = instrument::linked_program(subject.elf, "");
  const std::string expected = under_qemu(subject.elf, subject);
  ASSERT_THAT(expected, HasSubstr("exit 0"));
  const std::string original = under_strobe(subject.elf, subject, folder.path());
  const std::string edited = (folder / "edited").string();
  double local_cycles = 0;
  for (const bool local : {true, false}) {
    Options options;
    options.local = local;
    const OptimizedProgram optimized =
        optimize_program(program, counts, core::CoreParams(), options);
    EXPECT_GT(optimized.counts.functions, 20u);
    if (local) {
      local_cycles = optimized.counts.cycles;
      EXPECT_EQ(optimized.counts.superblocks, 0u);
    } else {
      EXPECT_GT(optimized.counts.superblocks, 50u);
      EXPECT_LT(optimized.counts.cycles, local_cycles);
    }
    put(edited, optimized.elf);
    EXPECT_EQ(under_qemu(edited, subject), expected) << (local ? "local" : "superblocks");
    EXPECT_TRUE(under_strobe(edited, subject, folder.path()) == original);
  }
}

INSTANTIATE_TEST_SUITE_P(Each, WholePrograms, testing::ValuesIn(subjects()),
                         [](const auto& one) { return one.param.name; });

// llvm-bolt-19 cannot lay out programs with libstdc++ (docs/optimize.md), so this is one in C.
TEST(BoltedProgram, DoesWhatItDid) {
  const files::ScratchFolder folder;
  const Subject subject = {"lz", in_build("guest/workloads/lz.elf"), "tiny", ""};
  const std::string edited = (folder / "edited").string();
  put(edited, lay_out_with_bolt(instrument::linked_program(subject.elf, ""),
                                profile_of(subject, folder.path())));
  const std::string expected = under_qemu(subject.elf, subject);
  ASSERT_THAT(expected, HasSubstr("exit 0"));
  EXPECT_EQ(under_qemu(edited, subject), expected);
  EXPECT_TRUE(under_strobe(edited, subject, folder.path()) ==
              under_strobe(subject.elf, subject, folder.path()));
  EXPECT_NE(files::sha256_of_file(edited), files::sha256_of_file(subject.elf));
}

/// Optimizes a program with exceptions and unwinding through its frames.
void expect_exceptions_in_order(const std::string& compiler) {
  const files::ScratchFolder folder;
  const std::string source = in_source("tests/unit/object/programs/throwing.cpp");
  ASSERT_EQ(
      object::run("cd " + folder.path().string() + " && " + compiler + " -O2 -w -c " + source +
                  " -o throwing.o && riscv64-linux-gnu-g++ -static throwing.o -o "
                  "throwing.elf 2>&1")
          .code,
      0);
  std::ofstream(folder / "throwing.link") << "riscv64-linux-gnu-g++\n-static\nthrowing.o\n";
  const Subject subject = {"throwing", (folder / "throwing.elf").string(), "", ""};
  const EdgeCounts counts = profile_of(subject, folder.path());
  const OptimizedProgram optimized = optimize_program(instrument::linked_program(subject.elf, ""),
                                                      counts, core::CoreParams(), Options());
  const std::string edited = (folder / "edited").string();
  put(edited, optimized.elf);
  EXPECT_EQ(under_qemu(edited, subject), under_qemu(subject.elf, subject));
}

TEST(OptimizedProgram, ExceptionsFindTheirWayThroughIt) {
  expect_exceptions_in_order("riscv64-linux-gnu-g++");
}

// Where nothing can be relaxed, its exception tables have numbers in place of relocations.
TEST(OptimizedProgram, ExceptionsFindTheirWayThroughWhatClangCompiles) {
  expect_exceptions_in_order(
      "clang++-19 --target=riscv64-linux-gnu -march=rv64gc "
      "-isystem /usr/riscv64-linux-gnu/include/c++/12 "
      "-isystem /usr/riscv64-linux-gnu/include/c++/12/riscv64-linux-gnu "
      "-isystem /usr/riscv64-linux-gnu/include");
}

std::string refusal(const std::string& elf, const EdgeCounts& counts) {
  try {
    optimize_program(instrument::linked_program(elf, ""), counts, core::CoreParams(), Options());
  } catch (const std::exception& error) {
    return error.what();
  }
  return "accepted";
}

TEST(OptimizedProgram, AProfileOfAnotherProgramIsRefused) {
  EdgeCounts counts;
  counts.program = "abc";
  EXPECT_THAT(refusal(in_build("guest/workloads/lz.elf"), counts),
              AllOf(HasSubstr("the profile is of another program: expected that of "),
                    HasSubstr("got abc; profile this program")));
}

TEST(OptimizedProgram, AProfileWithoutABranchOfItIsRefused) {
  const std::string elf = in_build("guest/workloads/lz.elf");
  EdgeCounts counts;
  counts.program = isa::ElfFile::open(elf, ~uint64_t{0}).sha256();
  counts.profile = profile::Profile({{Tuple{0x10, 0x14, 0}, 3}});
  EXPECT_THAT(refusal(elf, counts), AllOf(HasSubstr("the profile has no branch of "),
                                          HasSubstr("with a selector {profile: edge}")));
}

TEST(OptimizedProgram, ObjectsWithoutRelocationsAreRefused) {
  const files::ScratchFolder folder;
  std::ofstream(folder / "plain.s") << ".option norelax\n.globl main\n.type main,@function\n"
                                       "main: beqz a0,1f\n li a0,0\n1: ret\n.size main,.-main\n";
  ASSERT_EQ(object::run("cd " + folder.path().string() +
                        " && riscv64-linux-gnu-gcc -c plain.s -o plain.o && "
                        "riscv64-linux-gnu-objcopy --remove-section .rela.text plain.o && "
                        "riscv64-linux-gnu-gcc -static plain.o -o plain.elf 2>&1")
                .code,
            0);
  std::ofstream(folder / "plain.link") << "riscv64-linux-gnu-gcc\n-static\nplain.o\n";
  const std::string elf = (folder / "plain.elf").string();
  EdgeCounts counts;
  counts.program = isa::ElfFile::open(elf, ~uint64_t{0}).sha256();
  EXPECT_THAT(refusal(elf, counts), HasSubstr("a branch or jump without a relocation"));
}

struct BadCall {
  std::string options, expected;
};

TEST(OptimizeCommand, SaysWhatIsWrong) {
  const std::string elf = in_build("guest/workloads/lz.elf");
  const std::string core = " --core " + in_source("configs/cores/hps2005.yaml");
  const std::string rest = " --profile /nowhere --out /tmp/unused.elf";
  for (const BadCall& call : {
           BadCall{elf + rest + core, "/nowhere/manifest.json: cannot be read"},
           {elf + rest + " --core /nowhere.yaml", "/nowhere.yaml"},
           {elf + rest + " --layout bolt", "/nowhere/manifest.json: cannot be read"},
           {elf + rest, "--core is required"},
           {elf + rest + core + " --threshold 0.2", "--threshold"},
           {"/nowhere.elf" + rest + core, "/nowhere"},
       }) {
    const object::Ran ran =
        object::run(in_build("bin/strobe") + " optimize " + call.options + " 2>&1");
    EXPECT_EQ(ran.code, 2) << ran.out;
    EXPECT_THAT(ran.out, HasSubstr(call.expected)) << call.options;
  }
}

}  // namespace
}  // namespace strobe::optimize
