// Where a jump table ends, and what follows from one that leads into two functions.
#include "sw/object/analysis/jump_tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sw/object/analysis/liveness.h"
#include "sw/object/edit/duplicate.h"
#include "tests/unit/object/decoded.h"
#include "tests/unit/object/edit.h"

namespace strobe::object {
namespace {

/// A function that jumps by its argument, as gcc writes it, and a part that was split off.
std::string by_table(const std::string& table) {
  return function_text("f",
                       "  li t1, 40\n  lla a4, table\n  slli a0, a0, 2\n  add a5, a0, a4\n"
                       "  lw a5, 0(a5)\n  add a5, a5, a4\njump: jr a5\n"
                       "one: li a0, 1\n  ret\ntwo: li a0, 2\n  ret\nthree: li a0, 3\n  ret") +
         ".section .text.unlikely,\"ax\"\n.type f.cold,@function\nf.cold:\n"
         "cold: addi a0, t1, 4\n  ret\n.size f.cold,.-f.cold\n"
         ".section .rodata\n.balign 4\n" +
         table;
}

const char* const kSplit =
    "table: .word one - table, cold - table, two - table, three - table\n.word 77\n";

JumpTable table_of(const ObjectFile& file) {
  const JumpTables tables(file);
  const JumpTable* const found =
      tables.at({section_named(file, ".rodata"), value_of(file, "table")});
  if (found == nullptr) throw std::runtime_error("there is no table");
  return *found;
}

TEST(JumpTables, ATableOfDistancesHasAllPlacesThatNameIt) {
  const JumpTable table = table_of(assembled(by_table(kSplit)));
  EXPECT_TRUE(table.complete);
  EXPECT_TRUE(table.distances);
  EXPECT_EQ(table.end - table.begin.offset, 16u);
}

TEST(JumpTables, ATableWithAGapHasNoEnd) {
  for (const char* gap : {"table: .word one - table, 0, two - table\n",
                          "table: .word one - table, two - table\nother: .word 5, three - table\n",
                          "table: .word 0, one - table\n"}) {
    EXPECT_FALSE(table_of(assembled(by_table(gap))).complete) << gap;
    const Decoded decoded(by_table(gap));
    EXPECT_TRUE(References::any_inside(
        decoded.object.references.table_is_open[decoded.function("f").section],
        decoded.function("f")))
        << gap;
  }
}

TEST(JumpTables, ATableOfAddressesEndsWithThemOrWithItsObject) {
  const auto bytes = [](const std::string& text) {
    const JumpTable table = table_of(assembled(by_table(text)));
    EXPECT_FALSE(table.distances);
    return table.end - table.begin.offset;
  };
  EXPECT_EQ(bytes("table: .dword one, cold, f, two\n.dword 5\n"), 32u);
  EXPECT_EQ(bytes("table: .dword one, 0, two, 9\n.type table,@object\n.size table, 32\n"), 32u);
  EXPECT_EQ(bytes("table: .dword 0, 0, two\n.type table,@object\n.size table, 24\n"), 24u);
}

TEST(JumpTables, TheCopyOfATableHasItsEntriesInOtherFunctionsToo) {
  ObjectFile file = assembled(by_table(kSplit));
  const uint32_t rodata = section_named(file, ".rodata");
  const Decoded decoded(file);
  const uint64_t old_end = file.sections[rodata].bytes.size();
  duplicate(&file, {decoded.function("f")}, ".copy");
  const Location cold = {section_named(file, ".text.unlikely"), 0};
  std::vector<bool> is_cold;
  for (const Relocation& relocation : file.sections[rodata].relocations) {
    if (relocation.offset < old_end || relocation.type != R_RISCV_ADD32) continue;
    is_cold.push_back(location_of(file, relocation.symbol, relocation.addend) == cold);
  }
  EXPECT_THAT(is_cold, testing::ElementsAre(false, true, false, false));
}

TEST(JumpTables, ATableThatIsOpenOrCanBeWrittenIsNotCopied) {
  for (const char* rest :
       {"table: .word one - table, 0, two - table\n",
        ".data\ntable: .dword one, two, three\n.type table,@object\n.size table, 24\n"}) {
    ObjectFile file = assembled(by_table(rest));
    const Decoded decoded(file);
    const size_t rodata = file.sections[section_named(file, ".rodata")].bytes.size();
    const size_t data = file.sections[section_named(file, ".data")].bytes.size();
    duplicate(&file, {decoded.function("f")}, ".copy");
    EXPECT_EQ(file.sections[section_named(file, ".rodata")].bytes.size(), rodata) << rest;
    EXPECT_EQ(file.sections[section_named(file, ".data")].bytes.size(), data) << rest;
  }
}

TEST(JumpTables, WhatThePartThatWasSplitOffReadsIsLiveAtTheJump) {
  for (const auto& [table, is_live] :
       {std::pair(kSplit, true), {"table: .word one - table, two - table\n", false}}) {
    const Decoded decoded(by_table(table));
    const FlowGraph graph = decoded.graph("f");
    const Liveness live(decoded.code_with("f"), graph, kCallerSaved,
                        [](const Instruction&) { return kCallerSaved; });
    EXPECT_EQ((live.before(decoded.at("jump")) & x(6)) != 0, is_live) << table;
    EXPECT_EQ(decoded.graph("f.cold").blocks().front().entry, true);
  }
}

TEST(JumpTables, ALabelInAnotherFunctionIsAnEntryOfThatFunction) {
  const Decoded decoded(by_table("table: .word one - table, inner - table\n") +
                        function_text("g", "  nop\ninner: jr a0"));
  const FlowGraph graph = decoded.graph("g");
  EXPECT_TRUE(graph.blocks().at(graph.block_of(decoded.at("inner"))).entry);
}

}  // namespace
}  // namespace strobe::object
