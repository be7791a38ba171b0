// Labels of assembly have the names that llvm-symbolizer gives them.
#include <gtest/gtest.h>

#include <sstream>

#include "sc_models/isa/elf/elf_file.h"
#include "tests/tree.h"
#include "tests/unit/elf/shell.h"

namespace strobe::isa {
namespace {

const std::string kLabels = in_build("tests/unit/elf/labels");

ElfFile labels() { return ElfFile::open(kLabels, 0x80000000); }

std::string name_at(const ElfFile& elf, uint64_t address) {
  const ElfSymbol* symbol = elf.symbol_at(address);
  return symbol == nullptr ? "??" : symbol->name;
}

/// The function that llvm-symbolizer names for each even address of the code.
std::vector<std::string> symbolized(uint64_t begin, uint64_t end) {
  std::ostringstream command;
  command << "llvm-symbolizer-14 --obj=" << kLabels << " --output-style=GNU" << std::hex;
  for (uint64_t at = begin; at < end; at += 2) command << " 0x" << at;
  std::istringstream lines(shell(command.str()));
  std::vector<std::string> names;
  std::string place;
  for (std::string name; std::getline(lines, name) && std::getline(lines, place);) {
    names.push_back(name);
  }
  return names;
}

TEST(Symbolized, EveryInstructionHasTheNameThatLlvmGivesIt) {
  const ElfFile elf = labels();
  const ElfSymbol *start = elf.symbol("_start"), *end_of_code = elf.symbol("end_of_code");
  ASSERT_TRUE(start != nullptr && end_of_code != nullptr);
  const uint64_t begin = start->address + start->size, end = end_of_code->address;
  const std::vector<std::string> names = symbolized(begin, end);
  ASSERT_EQ(names.size(), (end - begin) / 2);
  for (size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(name_at(elf, begin + 2 * i), names[i]) << std::hex << begin + 2 * i;
  }
}

TEST(Symbolized, ALocalLabelInCodeIsAFunctionAndOneInDataIsNot) {
  const ElfFile elf = labels();
  for (const char* name : {"untyped", "after_sized", "$dollar", ".dotted"}) {
    ASSERT_NE(elf.symbol(name), nullptr) << name;
    EXPECT_TRUE(elf.symbol(name)->function) << name;
  }
  EXPECT_EQ(elf.symbol("word"), nullptr);
}

TEST(Symbolized, ALabelInsideAFunctionWithASizeDoesNotCutIt) {
  const ElfFile elf = labels();
  const ElfSymbol* start = elf.symbol("_start");
  for (uint64_t at = start->address; at < start->address + start->size; at += 2) {
    EXPECT_EQ(elf.symbol_at(at), start) << std::hex << at;
  }
  EXPECT_EQ(elf.symbol("within_start"), nullptr);
}

}  // namespace
}  // namespace strobe::isa
