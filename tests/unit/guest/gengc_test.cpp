// The words that the collector gengc writes for observers say what it does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "sc_models/isa/elf/elf_file.h"
#include "sc_models/port/address_map.h"
#include "tests/tree.h"
#include "tests/unit/instrument/stepped_program.h"

namespace strobe::instrument {
namespace {

constexpr uint32_t kMutator = 0, kStacks = 1, kGlobals = 2, kRest = 3;
constexpr size_t kCollections = 5;  // of size tiny, with the one that checks the others

std::vector<uint8_t> gengc() {
  std::ifstream file(in_build("guest/workloads/gengc.elf"), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Gengc, ItsWordsSayThePhaseAndTheAllocationPointer) {
  const std::vector<uint8_t> elf = gengc();
  const isa::ElfFile symbols = isa::ElfFile::parse(elf, "gengc.elf", STROBE_USER_TOP);
  const uint64_t phase = symbols.symbol("gengc_phase")->address,
                 pointer = symbols.symbol("gengc_allocation_pointer")->address;
  const auto is_in = [&](const char* function, uint64_t pc) {
    const isa::ElfSymbol* const symbol = symbols.symbol(function);
    return pc >= symbol->address && pc < symbol->address + symbol->size;
  };
  std::vector<uint32_t> phases = {kMutator};
  uint64_t start = 0, last = 0, allocations = 0, in_phase[4] = {};
  SteppedProgram program(elf, {"tiny"});
  program.run([&](const RetireRecord& record) {
    ++in_phase[phases.back()];
    if (is_in("scan_stacks", record.pc_rdata)) ASSERT_EQ(phases.back(), kStacks);
    if (is_in("scan_globals", record.pc_rdata)) ASSERT_EQ(phases.back(), kGlobals);
    if (is_in("process_buffer", record.pc_rdata)) ASSERT_EQ(phases.back(), kRest);
    if (record.mem_wmask == 0) return;
    if (record.mem_addr == phase) phases.push_back(static_cast<uint32_t>(record.mem_wdata));
    if (record.mem_addr != pointer) return;
    if (start == 0) start = record.mem_wdata;
    if (record.mem_wdata == start) {
      ASSERT_TRUE(last == 0 || phases.back() == kRest) << "a collection empties the nursery";
    } else {
      ASSERT_EQ(phases.back(), kMutator);
      ASSERT_GT(record.mem_wdata, last);
      ++allocations;
    }
    last = record.mem_wdata;
  });
  std::vector<uint32_t> expected = {kMutator};
  for (size_t i = 0; i < kCollections; ++i) {
    expected.insert(expected.end(), {kStacks, kGlobals, kRest, kMutator});
  }
  EXPECT_EQ(phases, expected);
  EXPECT_THAT(program.output(),
              testing::HasSubstr("objects: " + std::to_string(allocations) + ","));
  EXPECT_GT(in_phase[kStacks], 10'000u);
  EXPECT_GT(in_phase[kGlobals], 10'000u);
}

}  // namespace
}  // namespace strobe::instrument
