// Programs linked with ephemeral instrumentation: where their branches are, what their file is
// told, and which programs are refused.
#include "sw/instrument/ephemeral/hooked_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "sc_models/isa/decode/decoded.h"
#include "sc_models/isa/decode/op.h"
#include "sw/files/scratch_folder.h"
#include "sw/instrument/linked_data.h"
#include "tests/tree.h"

namespace strobe::instrument {
namespace {

using object::ObjectError;
using testing::HasSubstr;

std::string unhook_object() { return in_build("guest/ephemeral/unhook.o"); }

const HookedProgram& hooked_lz() {
  static const HookedProgram program = make_hooked_program(
      linked_program(in_build("guest/workloads/lz.elf"), ""), unhook_object(), {});
  return program;
}

/// A program of one file of assembly, whose main is `body`, edited.
HookedProgram hooked_main(const std::string& body) {
  const files::ScratchFolder folder;
  std::ofstream(folder / "one.s") << ".text\n.globl main\n.type main, @function\nmain:\n"
                                  << body << "\n  li a0, 0\n  ret\n.size main, . - main\n";
  std::ofstream(folder / "one.link") << "riscv64-linux-gnu-gcc\n-static\none.o\n";
  const std::string command = "cd " + folder.path().string() +
                              " && riscv64-linux-gnu-gcc -c one.s -o one.o"
                              " && riscv64-linux-gnu-gcc -static one.o -o one.elf";
  if (std::system(command.c_str()) != 0) throw std::runtime_error(command + " failed");
  return make_hooked_program(linked_program(folder / "one.elf", ""), unhook_object(), {});
}

std::string refusal(const std::string& body) {
  try {
    hooked_main(body);
  } catch (const ObjectError& error) {
    return error.what();
  }
  return "accepted";
}

/// What is left alone of such a main, and why.
std::string left_alone_of(const std::string& body) {
  std::string found;
  for (const object::LeftAlone& one : hooked_main(body).left_alone) {
    if (one.place.find("one.o: main") != std::string::npos) found += one.reason + "\n";
  }
  return found;
}

isa::Kind kind_at(const LinkedData& data, uint64_t address) {
  return isa::info(static_cast<isa::Op>(isa::decode(data.instruction(address)).op)).kind;
}

TEST(HookedProgram, ItsBranchesAreBranchesAndHookedOnesAreJumps) {
  HookedProgram program = hooked_lz();
  std::vector<uint8_t> elf_before = program.elf;
  const LinkedData data(&program.elf, "lz"), unhooked(&elf_before, "lz");
  for (const HookedBranch& branch : program.branches) {
    ASSERT_EQ(kind_at(data, branch.branch),
              branch.is_jump() ? isa::Kind::kJump : isa::Kind::kBranch)
        << std::hex << branch.branch;
    ASSERT_EQ(program.map.original_code(branch.branch), branch.pc) << std::hex << branch.branch;
    ASSERT_EQ(branch.data % 8, 0u) << std::hex << branch.data;
    ASSERT_EQ(branch.branch % 4, 0u) << std::hex << branch.branch << ": two stores would hook it";
  }
  EXPECT_FALSE(data.has_writable_code());
  hook_all(&program, 3);
  EXPECT_TRUE(LinkedData(&program.elf, "lz").has_writable_code());
  for (const HookedBranch& branch : program.branches) {
    const isa::DecodedInsn jump = isa::decode(data.instruction(branch.branch));
    ASSERT_EQ(static_cast<isa::Op>(jump.op), isa::Op::kJal) << std::hex << branch.branch;
    const isa::DecodedInsn before = isa::decode(unhooked.instruction(branch.branch));
    ASSERT_EQ(jump.rd, branch.is_jump() ? before.rd : 0) << "a call links, also when it is hooked";
    ASSERT_EQ(branch.branch + static_cast<uint64_t>(int64_t{jump.imm}), branch.code);
  }
}

TEST(HookedProgram, OfAPageThoseBranchesAreHookedThatMayBeExecutedFirst) {
  HookedProgram program = hooked_lz();
  hook_pages(&program, 3);
  const LinkedData data(&program.elf, "lz");
  std::map<uint64_t, std::pair<size_t, size_t>> pages;  // {branches, hooked ones}
  for (const HookedBranch& branch : program.branches) {
    const isa::DecodedInsn insn = isa::decode(data.instruction(branch.branch));
    const bool hooked = static_cast<isa::Op>(insn.op) == isa::Op::kJal;
    ASSERT_EQ(hooked, branch.first) << std::hex << branch.branch;
    auto& [branches, first] = pages[branch.page()];
    ++branches;
    first += hooked ? 1 : 0;
  }
  size_t fewer = 0;
  for (const auto& [page, counts] : pages) {
    EXPECT_GT(counts.second, 0u) << std::hex << page * kHookedPage;
    fewer += counts.second < counts.first ? 1 : 0;
  }
  EXPECT_GT(fewer * 2, pages.size());
  EXPECT_THROW(hook_pages(&program, 0), std::invalid_argument);
}

TEST(HookedProgram, WhatHasNoStubIsListed) {
  std::string reasons;
  for (const object::LeftAlone& one : hooked_lz().left_alone) reasons += one.reason + "\n";
  EXPECT_THAT(reasons, HasSubstr("between a load-reserved and its store-conditional"));
  EXPECT_THAT(left_alone_of("  jalr 4(a0)"), HasSubstr("it jumps to a register and a distance"));
  EXPECT_THAT(left_alone_of("  jalr ra"), HasSubstr("its target is in a link register"));
  EXPECT_THAT(left_alone_of("  jalr t0, a0"), HasSubstr("it links in another register than ra"));
}

TEST(HookedProgram, IsTheSameFromItsDocument) {
  const nlohmann::json document = to_json(hooked_lz());
  EXPECT_TRUE(to_json(hooked_program_from_json(document)) == document);
  EXPECT_THROW(hooked_program_from_json(nlohmann::json::object()), std::runtime_error);
}

TEST(HookedProgram, ItsPersistenceIsAtLeastOne) {
  HookedProgram program = hooked_lz();
  EXPECT_THAT([&] { hook_all(&program, 0); }, testing::ThrowsMessage<std::invalid_argument>(
                                                  "persistence: expected 1 to 524287, got 0"));
  EXPECT_THROW(hook_all(&program, 524288), std::invalid_argument);
}

TEST(HookedProgram, AFileOfAnotherProgramIsToldApart) {
  HookedProgram program = hooked_lz();
  program.elf = content_of(in_build("guest/workloads/lz.elf"));
  EXPECT_THAT([&] { hook_all(&program, 1); },
              testing::ThrowsMessage<ObjectError>(HasSubstr("no symbol '__strobe_persistence'")));
  program.elf.resize(100);
  EXPECT_THROW(hook_all(&program, 1), ObjectError);
}

TEST(HookedProgram, OneThatMayChangeItsCodeIsRefused) {
  EXPECT_EQ(refusal("  beqz a0, 1f\n1:"), "accepted");
  EXPECT_THAT(refusal("  beqz a0, 1f\n1:\n.section .more, \"awx\"\n  nop\n.text"),
              HasSubstr("its code is writable"));
  EXPECT_THAT(refusal("  .insn i 0x0f, 1, x0, x0, 0"),
              HasSubstr("one.o: main: expected no fence.i"));
}

TEST(HookedProgram, AnObjectWithoutRelocationsIsRefused) {
  EXPECT_THAT(refusal("  .insn 0x00050463\n  nop\n  nop"),
              HasSubstr("a branch or jump without a relocation"));
}

TEST(HookedProgram, AFunctionThatNoIslandReachesIsRefused) {
  EXPECT_THAT(refusal("  beqz a0, 1f\n1:\n.option norvc\n.rept 270000\n  addi t0, t0, 1\n.endr"),
              HasSubstr("expected at most 1 MiB"));
}

}  // namespace
}  // namespace strobe::instrument
