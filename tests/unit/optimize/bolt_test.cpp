// The profile as BOLT reads it, and what is refused before BOLT is asked.
#include "sw/optimize/bolt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "sc_models/isa/elf/elf_file.h"
#include "sc_models/port/address_map.h"
#include "sw/files/scratch_folder.h"
#include "sw/files/sha256.h"
#include "sw/object/file/object_file.h"
#include "sw/profile/reports/bolt_profile.h"
#include "tests/unit/object/objects.h"

namespace strobe::optimize {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// Two objects, each with a local function `step`.
class TwoSteps : public testing::Test {
 protected:
  TwoSteps() {
    source("one", ".globl _start\n_start: jal step\n j _start\n");
    source("two", "nop\n");
    std::ofstream(folder_ / "program.link")
        << "riscv64-linux-gnu-gcc\n-static\n-nostdlib\n-Wl,-Ttext=0x10200\none.o\ntwo.o\n";
    const object::Ran ran = object::run(
        "cd " + folder_.path().string() +
        " && riscv64-linux-gnu-gcc -c one.s two.s && riscv64-linux-gnu-gcc -static -nostdlib "
        "-Wl,-Ttext=0x10200 one.o two.o -o program 2>&1");
    if (ran.code != 0) throw std::runtime_error(ran.out);
  }

  std::string elf() const { return (folder_ / "program").string(); }
  instrument::LinkedProgram program() const {
    return instrument::linked_program(elf(), folder_ / "program.link");
  }
  uint64_t address_of(const std::string& symbol, const std::string& which) const {
    const object::Ran ran = object::run("riscv64-linux-gnu-nm " + elf() + " | grep ' " + symbol +
                                        "$' | sed -n " + which + "p");
    return std::strtoull(ran.out.c_str(), nullptr, 16);
  }
  std::string refusal(const EdgeCounts& counts) const {
    try {
      lay_out_with_bolt(program(), counts);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "accepted";
  }
  void source(const std::string& name, const std::string& start) const {
    std::ofstream(folder_ / (name + ".s"))
        << ".option norvc\n"
        << start << ".type step,@function\nstep: beqz a0, 1f\n nop\n1: ret\n.size step,.-step\n";
  }

  const files::ScratchFolder folder_;
};

TEST_F(TwoSteps, LocalFunctionsOfOneNameAreNumberedAndPlacesOutsideLeftOut) {
  const uint64_t a = address_of("step", "1"), b = address_of("step", "2"),
                 start = address_of("_start", "1");
  ASSERT_NE(a, 0u);
  ASSERT_LT(a, b);
  const profile::Profile edges({{Tuple{a, a + 8, 0}, 70},
                                {Tuple{b, b + 4, 0}, 5},
                                {Tuple{b + 8, a, 0}, 1},
                                {Tuple{start, a, 0}, 9}});  // _start has no type and no size
  const isa::ElfFile file = isa::ElfFile::open(elf(), STROBE_USER_TOP);
  const std::string text = profile::bolt_profile(edges.entries(), {{Tuple{a, a + 8, 0}, 4}},
                                                 [&](uint64_t pc) { return file.bolt_place(pc); });
  EXPECT_EQ(text,
            "1 step/1 0 1 step/1 8 4 70\n1 step/2 0 1 step/2 4 0 5\n1 step/2 8 1 step/1 0 0 1\n");
}

TEST_F(TwoSteps, AProfileOfAnotherProgramOrOfNoBranchIsRefused) {
  EdgeCounts counts;
  counts.program = "abc";
  EXPECT_THAT(refusal(counts), StartsWith("the profile is of another program: expected that of "));
  counts.program = files::sha256_of_file(elf());
  EXPECT_THAT(refusal(counts), HasSubstr("the profile has no branch of "));
}

TEST_F(TwoSteps, AProgramThatItsLinkCommandDoesNotGiveIsRefused) {
  EdgeCounts counts;
  counts.program = files::sha256_of_file(elf());
  const uint64_t a = address_of("step", "1");
  counts.profile = profile::Profile({{Tuple{a, a + 8, 0}, 70}});
  source("two", "nop\nnop\n");
  ASSERT_EQ(
      object::run("cd " + folder_.path().string() + " && riscv64-linux-gnu-gcc -c two.s").code, 0);
  EXPECT_THAT(refusal(counts), HasSubstr("its link command gives a program with other code"));
}

}  // namespace
}  // namespace strobe::optimize
