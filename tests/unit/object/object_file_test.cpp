// An object that is read and written says the same as before: to a second reading, and to the
// linker.
#include "sw/object/file/object_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/unit/object/objects.h"

namespace strobe::object {
namespace {

const char* const kObjects[] = {"plain_o0.o",       "plain_o2.o",    "plain_medlow.o",
                                "plain_sections.o", "throwing_o0.o", "throwing_o2.o"};

/// The name of a section, or of one that only a number has.
std::string place(const ObjectFile& file, uint32_t section) {
  if (section == kUndefined) return "undefined";
  if (section == kAbsolute) return "absolute";
  if (section == kCommon) return "common";
  return file.sections[section].name;
}

std::string text_of(const ObjectFile& file, uint32_t index) {
  const Symbol& s = file.symbols[index];
  return s.name + " " + place(file, s.section) + " " + std::to_string(s.value) + " " +
         std::to_string(s.size) + " " + std::to_string(s.binding) + " " + std::to_string(s.type) +
         " " + std::to_string(s.other);
}

/// All that an object says, independent of the numbers of its sections and symbols.
std::vector<std::string> lines_of(const ObjectFile& file) {
  std::vector<std::string> lines = {"flags " + std::to_string(file.elf_flags)};
  for (uint32_t i = 1; i < file.symbols.size(); ++i) lines.push_back(text_of(file, i));
  for (const Section& section : file.sections) {
    if (section.type == SHT_NULL || section.type == SHT_SYMTAB || section.type == SHT_STRTAB ||
        section.type == SHT_RELA) {
      continue;
    }
    std::string line = section.name;
    for (const uint64_t number : {uint64_t{section.type}, section.flags, section.alignment,
                                  section.entry_size, section.size}) {
      line += " " + std::to_string(number);
    }
    line += " " + std::string(section.bytes.begin(), section.bytes.end());
    if (section.type == SHT_GROUP) {
      line += " " + std::to_string(section.group_flags) + " " + text_of(file, section.link);
      for (const uint32_t member : section.members) line += " " + place(file, member);
    }
    lines.push_back(line);
    for (const Relocation& r : section.relocations) {
      lines.push_back(section.name + "+" + std::to_string(r.offset) + " " + std::to_string(r.type) +
                      " " + std::to_string(r.addend) + " " + text_of(file, r.symbol));
    }
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

TEST(ObjectFile, IsWrittenAsItWasRead) {
  for (const char* name : kObjects) {
    SCOPED_TRACE(name);
    const ObjectFile first = compiled(name);
    const std::vector<uint8_t> bytes = first.serialize();
    const ObjectFile second = ObjectFile::parse(bytes, name);
    EXPECT_EQ(lines_of(first), lines_of(second));
    EXPECT_EQ(second.serialize(), bytes);
  }
}

TEST(ObjectFile, KeepsTheBytesOfASectionThatAreNoWholeEntriesOfItsType) {
  ObjectFile file = compiled("plain_o2.o");
  for (const uint32_t type : {SHT_INIT_ARRAY, SHT_PREINIT_ARRAY, SHT_NOTE}) {
    Section& section = file.sections[section_named(file, ".comment")];
    section.type = type;
    section.bytes = {1, 2, 3, 4, 5};
    const std::vector<uint8_t> written = file.serialize();
    const ObjectFile again = ObjectFile::parse(written, "again.o");
    EXPECT_EQ(again.sections[section_named(again, ".comment")].bytes, section.bytes) << type;
    EXPECT_EQ(again.serialize(), written) << type;
  }
}

TEST(ObjectFile, KeepsTheIndicesOfSectionsAndSymbolsWhileItIsEdited) {
  ObjectFile file = compiled("plain_o2.o");
  const uint32_t main = symbol_named(file, "main");
  const uint32_t label = file.add_label(file.symbols[main].section, 4);
  EXPECT_EQ(file.symbols[main].name, "main");
  EXPECT_EQ(label + 1, file.symbols.size());
  EXPECT_TRUE(file.symbols[label].local());
}

TEST(ObjectFile, KeepsComdatGroupsWithTheirSignatureAndMembers) {
  const ObjectFile file = ObjectFile::parse(compiled("throwing_o2.o").serialize(), "throwing_o2.o");
  std::map<std::string, std::vector<std::string>> groups;
  for (const Section& section : file.sections) {
    if (section.type != SHT_GROUP) continue;
    EXPECT_EQ(section.group_flags, unsigned{GRP_COMDAT});
    for (const uint32_t member : section.members) {
      groups[file.symbols[section.link].name].push_back(file.sections[member].name);
    }
  }
  EXPECT_THAT(groups["_Z7checkedIiET_S0_S0_"], testing::Contains(".text._Z7checkedIiET_S0_S0_"));
  EXPECT_THAT(groups["_Z7throweri"], testing::Contains(".text._Z7throweri"));
}

TEST(ObjectFile, TheLinkerMakesTheSameProgramOfIt) {
  const Folder folder;
  for (const char* name : {"plain_o2.o", "throwing_o2.o"}) {
    SCOPED_TRACE(name);
    link(compiled_bytes(name), folder / "as_compiled", "-static");
    link(compiled(name).serialize(), folder / "as_written", "-static");
    std::vector<std::string> texts;
    for (const char* program : {"as_compiled", "as_written"}) {
      const std::string path = folder / program;
      for (const char* section : {".text", ".rodata", ".eh_frame", ".gcc_except_table"}) {
        ASSERT_EQ(run("riscv64-linux-gnu-objcopy -O binary --only-section=" + std::string(section) +
                      " " + path + " " + path + ".bin")
                      .code,
                  0);
        const std::vector<uint8_t> bytes = bytes_of_file(path + ".bin");
        EXPECT_FALSE(bytes.empty()) << section;
        texts.emplace_back(bytes.begin(), bytes.end());
      }
    }
    ASSERT_EQ(texts.size(), 8u);
    for (size_t i = 0; i < 4; ++i) EXPECT_TRUE(texts[i] == texts[i + 4]) << "section " << i;
  }
}

TEST(ObjectFile, TwoObjectsWithOneComdatGroupStillLinkToOneCopy) {
  const Folder folder;
  const ObjectFile file = assembled(
      ".globl _start\n.weak _start\n_start: li a0,0\n li a7,93\n ecall\n"
      ".section .text.shared,\"axG\",@progbits,shared,comdat\n.globl shared\n"
      ".type shared,@function\nshared: ret\n.size shared,.-shared\n");
  write_bytes(folder / "second.o", file.serialize());
  EXPECT_NO_THROW(link(file.serialize(), folder / "program",
                       std::string(kAlone) + " " + (folder / "second.o")));
}

TEST(ObjectFile, WithCompressedDebugInformationIsRead) {
  const ObjectFile file = compiled("compressed.o");
  EXPECT_EQ(lines_of(file), lines_of(ObjectFile::parse(file.serialize(), "compressed.o")));
  EXPECT_EQ(behavior(file), behavior(compiled("plain_o2.o")));
}

TEST(ObjectFile, NamesAPlaceByItsFunction) {
  const ObjectFile file =
      assembled(" nop\n.globl f\n.type f,@function\nf: nop\n ret\n.size f,.-f\n nop\n");
  const uint32_t text = section_named(file, ".text");
  const uint32_t f = value_of(file, "f");
  EXPECT_EQ(file.describe(text, f), "f");
  EXPECT_EQ(file.describe(text, f + 2), "f+0x2");
  EXPECT_EQ(file.describe(text, 0), ".text+0x0");
}

TEST(ObjectFile, LabelsToWhichNothingRefersAreNotWritten) {
  ObjectFile file = assembled("f: beqz a0, .Lused\n nop\n.Lused: ret\n");
  const std::vector<uint8_t> before = file.serialize();
  const uint32_t text = section_named(file, ".text");
  for (unsigned i = 0; i < 100; ++i) file.add_label(text, 0);
  EXPECT_EQ(file.serialize(), before);
  EXPECT_NO_THROW(symbol_named(ObjectFile::parse(before, "test.o"), ".Lused"));
}

TEST(ObjectFile, WithoutItsDebugSectionsItLinksToTheSameCode) {
  ObjectFile debug = compiled("plain_o2.o");
  debug.drop_debug_sections();
  const ObjectFile again = ObjectFile::parse(debug.serialize(), "again.o");
  for (const Section& section : again.sections) EXPECT_NE(section.name.rfind(".debug_", 0), 0u);
  EXPECT_LT(again.symbols.size(), compiled("plain_o2.o").symbols.size());
  EXPECT_EQ(behavior(again), behavior(compiled("plain_o2.o")));
}

}  // namespace
}  // namespace strobe::object
