// A workload with its library, instrumented: every instruction of the original is in the map, and
// what is there in the edited program is that instruction; the cache gives the same again.
#include "sw/instrument/bursty/instrumented_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "sc_models/isa/decode/decoded.h"
#include "sc_models/isa/decode/op.h"
#include "sc_models/isa/elf/elf_file.h"
#include "sc_models/port/address_map.h"
#include "sw/files/scratch_folder.h"
#include "sw/object/file/object_file.h"
#include "tests/tree.h"

namespace strobe::instrument {
namespace {

using testing::HasSubstr;

const std::string kElf = in_build("guest/workloads/lz.elf");
const std::string kFold = in_build("guest/bursty/fold.o");

const InstrumentedProgram& lz() {
  static const InstrumentedProgram kProgram =
      instrument_program(linked_program(kElf, ""), kFold, variant("EC+L4"));
  return kProgram;
}

/// The instruction at an address of a program; 0 outside of its code.
class ProgramCode {
 public:
  explicit ProgramCode(const isa::ElfFile& file) { file.load(memory_, /*firmware=*/false); }
  isa::DecodedInsn at(uint64_t address) const {
    uint32_t word = 0;
    memory_.read(address, &word, sizeof word);
    return isa::decode(word);
  }

 private:
  mutable isa::GuestMemory memory_;
};

/// Whether one is the other: as it is, as a branch inverted over a jump, or as a call that reaches
/// further.
bool is_same(const isa::DecodedInsn& edited, const isa::DecodedInsn& original) {
  const auto info = [](const isa::DecodedInsn& insn) {
    return isa::info(static_cast<isa::Op>(insn.op));
  };
  if (info(edited).kind == isa::Kind::kBranch && info(original).kind == isa::Kind::kBranch) {
    return true;
  }
  if (std::string(info(original).mnemonic) == "jal") {
    const std::string name = info(edited).mnemonic;
    return name == "jal" || name == "auipc" || name == "jalr";
  }
  return edited.op == original.op && (!info(edited).has_rd() || edited.rd == original.rd);
}

TEST(InstrumentedProgram, WhatTheMapNamesIsTheInstructionOfTheOriginal) {
  const isa::ElfFile original = isa::ElfFile::open(kElf, STROBE_USER_TOP);
  const isa::ElfFile edited = isa::ElfFile::parse(lz().elf, "edited", STROBE_USER_TOP);
  const ProgramCode before(original), after(edited);
  uint64_t instructions = 0, in_copies = 0;
  for (const CodeRange& range : lz().map.code()) {
    for (uint64_t offset = 0; offset < range.bytes;) {
      const isa::DecodedInsn here = after.at(range.edited + offset);
      ASSERT_TRUE(is_same(here, before.at(range.original + offset)))
          << std::hex << range.edited + offset << " for " << range.original + offset;
      ++instructions;
      in_copies += range.instrumented ? 1 : 0;
      offset += here.length;
    }
  }
  EXPECT_GT(instructions, 50000u);
  EXPECT_GT(in_copies * 3, instructions) << "nearly everything has two copies";
}

TEST(InstrumentedProgram, EveryFunctionOfTheOriginalIsInTheMap) {
  const isa::ElfFile original = isa::ElfFile::open(kElf, STROBE_USER_TOP);
  const isa::ElfFile edited = isa::ElfFile::parse(lz().elf, "edited", STROBE_USER_TOP);
  for (const char* name : {"main", "malloc", "memcpy", "printf", "_start", "exit"}) {
    const isa::ElfSymbol* const there = original.symbol(name);
    ASSERT_NE(there, nullptr) << name;
    ASSERT_FALSE(lz().map.edited_code(there->address).empty()) << name;
    EXPECT_STREQ(edited.symbol_at(lz().map.edited_code(there->address).front())->name.c_str(),
                 original.symbol_at(there->address)->name.c_str());
  }
}

TEST(InstrumentedProgram, EverySiteIsAnInstructionThatAccessesMemory) {
  const isa::ElfFile original = isa::ElfFile::open(kElf, STROBE_USER_TOP);
  const ProgramCode code(original);
  ASSERT_GT(lz().sites.size(), 5000u);
  for (size_t i = 1; i < lz().sites.size(); ++i) {
    const isa::Kind kind = isa::info(static_cast<isa::Op>(code.at(lz().sites[i].pc).op)).kind;
    ASSERT_TRUE(kind == isa::Kind::kLoad || kind == isa::Kind::kStore ||
                kind == isa::Kind::kFpLoad || kind == isa::Kind::kFpStore ||
                kind == isa::Kind::kAtomic)
        << std::hex << lz().sites[i].pc;
  }
}

TEST(InstrumentedProgram, IsTheSameFromItsDocument) {
  const nlohmann::json document = to_json(lz());
  EXPECT_TRUE(to_json(from_json(document)) == document);
  EXPECT_THROW(from_json(nlohmann::json::object()), std::runtime_error);
}

TEST(InstrumentedProgram, TheCacheGivesTheSame) {
  const files::ScratchFolder cache;
  ASSERT_EQ(setenv("STROBE_CACHE", cache.path().c_str(), 1), 0);
  const LinkedProgram program = linked_program(kElf, "");
  const InstrumentedProgram made = find_or_instrument(program, kFold, variant("orig"));
  const InstrumentedProgram found = find_or_instrument(program, kFold, variant("orig"));
  EXPECT_TRUE(made.elf == found.elf);
  EXPECT_TRUE(to_json(made) == to_json(found));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(cache / "instrumented"), {}), 5)
      << "program, map, their seals and the lock";
}

TEST(InstrumentedProgram, OneThatDoesNotSetGpIsRefused) {
  const files::ScratchFolder folder;
  std::ofstream(folder / "bare.s") << ".globl _start\n.type _start,@function\n_start: li a7, 93\n"
                                      " ecall\n.size _start, .-_start\n";
  const std::string link = "riscv64-linux-gnu-gcc\n-static\n-nostdlib\nbare.o\n";
  std::ofstream(folder / "bare.link") << link;
  ASSERT_EQ(std::system(("cd " + folder.path().string() +
                         " && riscv64-linux-gnu-gcc -c bare.s -o bare.o"
                         " && riscv64-linux-gnu-gcc -static -nostdlib bare.o -o bare.elf")
                            .c_str()),
            0);
  const LinkedProgram program = linked_program(folder / "bare.elf", "");
  EXPECT_THAT(
      [&] { instrument_program(program, kFold, variant("orig")); },
      testing::ThrowsMessage<object::ObjectError>(HasSubstr("none of its objects sets gp")));
}

TEST(InstrumentedProgram, WithoutARecordItSaysWhatToWrite) {
  EXPECT_THAT([] { linked_program("/nowhere/prog.elf", ""); },
              testing::ThrowsMessage<object::ObjectError>(
                  HasSubstr("expected it in /nowhere/prog.link, one argument a line")));
}

}  // namespace
}  // namespace strobe::instrument
