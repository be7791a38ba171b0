// The contents of a good ELF file: segments, symbols, source lines, and its image in memory.
#include "sc_models/isa/elf/elf_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>

#include "tests/tree.h"
#include "tests/unit/elf/tiny_elf.h"

namespace strobe::isa {
namespace {

constexpr uint64_t kSizeLimit = 0x80000000;
constexpr uint8_t kR = GuestMemory::kRead, kW = GuestMemory::kWrite, kX = GuestMemory::kExecute;

const std::string kMarks = in_build("tests/unit/elf/marks");

ElfFile marks() { return ElfFile::open(kMarks, kSizeLimit); }

uint8_t permissions(const GuestMemory& memory, uint64_t address) {
  return memory.permissions()[address >> GuestMemory::kPageBits];
}

TEST(ElfFile, SegmentsComeInOrderOfAddressWithTheirPermissions) {
  TinyElf tiny;
  std::swap(tiny.segments[0], tiny.segments[1]);
  const ElfFile elf = ElfFile::parse(tiny.bytes(), "tiny", kSizeLimit);
  ASSERT_EQ(elf.segments().size(), 2u);
  EXPECT_EQ(elf.segments()[0].address, 0x10000u);
  EXPECT_EQ(elf.segments()[0].permissions, kR | kX);
  EXPECT_EQ(elf.segments()[1].permissions, kR | kW);
  EXPECT_EQ(elf.entry(), 0x10000u);
  EXPECT_EQ(elf.end(), 0x21000u);
  EXPECT_EQ(elf.program_headers_address(), 0u) << "they are in no segment";
}

TEST(ElfFile, ProgramHeadersInsideASegmentHaveAnAddress) {
  TinyElf tiny;
  tiny.segments[0] = TinyElf::segment(PF_R | PF_X, 0, 0x10000, 240, 240);
  tiny.header.e_entry = 0x100b0;
  const ElfFile elf = ElfFile::parse(tiny.bytes(), "tiny", kSizeLimit);
  EXPECT_EQ(elf.program_headers_address(), 0x10040u);
  EXPECT_EQ(elf.program_header_count(), 2u);
  EXPECT_EQ(elf.program_header_size(), 56u);
}

TEST(ElfFile, TheDigestIsTheFilesSha256) {
  FILE* tool = popen(("sha256sum " + kMarks).c_str(), "r");
  ASSERT_NE(tool, nullptr);
  char digest[65] = {};
  EXPECT_EQ(fread(digest, 1, 64, tool), 64u);
  pclose(tool);
  EXPECT_EQ(marks().sha256(), digest);
}

TEST(ElfFile, LoadingAUserProgramGivesBothModesWhatTheyNeed) {
  GuestMemory memory;
  const uint8_t old = 0xaa;
  memory.write(0x20050, &old, 1);
  ElfFile::parse(TinyElf().bytes(), "tiny", kSizeLimit).load(memory, false);
  EXPECT_EQ(permissions(memory, 0x10000), kR | kX | (kR | kW) << 3);
  EXPECT_EQ(permissions(memory, 0x20fff), kR | kW | (kR | kW) << 3);
  EXPECT_EQ(permissions(memory, 0x21000), 0);
  EXPECT_EQ(memory.data()[0x2001f], 0x13);
  EXPECT_EQ(memory.data()[0x20050], 0) << "what lies behind the file's bytes is zero";
}

TEST(ElfFile, LoadingFirmwareGivesUserModeNothing) {
  GuestMemory memory;
  ElfFile::parse(TinyElf().bytes(), "tiny", kSizeLimit).load(memory, true);
  EXPECT_EQ(permissions(memory, 0x10000), (kR | kX) << 3);
  EXPECT_EQ(permissions(memory, 0x20000), (kR | kW) << 3);
}

TEST(ElfFile, SegmentsThatShareAPageShareTheirPermissions) {
  TinyElf tiny;
  tiny.segments[1].p_vaddr = 0x10080;
  GuestMemory memory;
  ElfFile::parse(tiny.bytes(), "tiny", kSizeLimit).load(memory, false);
  EXPECT_EQ(permissions(memory, 0x10000) & 7, kR | kW | kX);
  EXPECT_EQ(permissions(memory, 0x11000) & 7, kR | kW);
  EXPECT_EQ(memory.data()[0x10000], 0x13);
  EXPECT_EQ(memory.data()[0x10080], 0x13);
}

TEST(ElfFile, SymbolsAreFoundByNameMangledOrNot) {
  const ElfFile elf = marks();
  const ElfSymbol* symbol = elf.symbol("marks::twice(int)");
  ASSERT_NE(symbol, nullptr);
  EXPECT_TRUE(symbol->function);
  EXPECT_GT(symbol->size, 0u);
  EXPECT_EQ(elf.symbol("_ZN5marks5twiceEi"), symbol);
  EXPECT_EQ(symbol->linker_name, "_ZN5marks5twiceEi");
  ASSERT_NE(elf.symbol("table"), nullptr);
  EXPECT_FALSE(elf.symbol("table")->function);
  EXPECT_EQ(elf.symbol("table")->size, 40u);
  EXPECT_EQ(elf.symbol("no_such_thing"), nullptr);
}

TEST(ElfFile, AnAddressIsCoveredByTheSymbolsSize) {
  const ElfFile elf = marks();
  const ElfSymbol* table = elf.symbol("table");
  EXPECT_EQ(elf.symbol_at(table->address + 39), table);
  EXPECT_NE(elf.symbol_at(table->address + 40), table);
  EXPECT_NE(elf.symbol_at(table->address - 1), table);
  EXPECT_EQ(elf.describe(table->address + 0x1c), "table+0x1c");
  EXPECT_EQ(elf.describe(0x10), "0x10");
}

TEST(ElfFile, ASymbolWithoutSizeReachesToTheNextOne) {
  const ElfFile elf = marks();
  const ElfSymbol* bare = elf.symbol("bare_label");
  const ElfSymbol* after = elf.symbol("after_label");
  ASSERT_NE(bare, nullptr);
  ASSERT_NE(after, nullptr);
  EXPECT_EQ(bare->size, 0u);
  EXPECT_EQ(elf.symbol_at(bare->address + 8), bare);
  EXPECT_EQ(elf.symbol_at(after->address), after);
}

TEST(ElfFile, MappingSymbolsAndLocalLabelsAreNoNames) {
  const ElfFile elf = marks();
  for (const ElfSegment& segment : elf.segments()) {
    for (uint64_t at = segment.address; at < segment.address + segment.memory_size; at += 2) {
      const ElfSymbol* symbol = elf.symbol_at(at);
      if (symbol == nullptr) continue;
      EXPECT_FALSE(symbol->name.empty());
      EXPECT_NE(symbol->name[0], '$') << symbol->name;
      EXPECT_NE(symbol->name[0], '.') << symbol->name;
    }
  }
}

TEST(ElfFile, ANameThatUnfoldsWithoutEndStaysAsItIs) {
  const ElfFile elf = marks();
  const ElfSymbol* bomb = elf.symbol_at(elf.symbol("after_label")->address + 4);
  ASSERT_NE(bomb, nullptr);
  EXPECT_THAT(bomb->name, testing::StartsWith("_Z1f1AIiiE"));
  EXPECT_LT(bomb->name.size(), 1000u);
}

TEST(ElfFile, SourceLinesComeFromTheLineTable) {
  const ElfFile elf = marks();
  const SourceLine line = elf.line_at(elf.symbol("marks::twice(int)")->address);
  EXPECT_THAT(line.file, testing::EndsWith("tests/unit/elf/programs/marks.cpp"));
  EXPECT_EQ(line.line, 8);
  EXPECT_EQ(elf.line_at(0x10).file, "");
  EXPECT_EQ(elf.line_at(elf.symbol("table")->address).file, "");
}

TEST(ElfFile, AFileWithoutDebugInformationHasNoLines) {
  const ElfFile elf = ElfFile::parse(TinyElf().bytes(), "tiny", kSizeLimit);
  EXPECT_EQ(elf.line_at(0x10000).file, "");
  EXPECT_EQ(elf.symbol_at(0x10000), nullptr);
  EXPECT_EQ(elf.describe(0x10004), "0x10004");
}

TEST(ElfFile, AMovedFileKeepsWorking) {
  ElfFile elf = marks();
  const uint64_t address = elf.symbol("table")->address;
  const ElfFile moved = std::move(elf);
  EXPECT_EQ(moved.describe(address), "table+0x0");
  EXPECT_NE(moved.line_at(moved.entry()).file, "");
}

}  // namespace
}  // namespace strobe::isa
