// Runs of instructions remembered by address: where they end, and when they are rebuilt.
#include "sc_models/core/front_end/fetch_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "tests/timing/core/machine.h"

namespace strobe::test {
namespace {

using core::FetchRun;
using core::FetchRunTable;

constexpr unsigned kBlockBits = 5;
constexpr uint64_t kCodeStart = Machine::kCode;

class FetchRuns : public testing::Test {
 protected:
  FetchRuns() {
    machine.load(std::vector<uint32_t>(64, nop()));
    machine.hart.state().mode = PrivilegeMode::kUser;
  }
  Machine machine{core::CoreParams()};
  FetchRunTable table{machine.hart, kBlockBits, memory::NonTemporal::kHonor};
};

TEST_F(FetchRuns, EndWithTheirBlock) {
  EXPECT_EQ(table.at(kCodeStart).count, 8);
  EXPECT_EQ(table.at(kCodeStart).bytes[7], 32);
  EXPECT_EQ(table.at(kCodeStart + 20).count, 3);
  EXPECT_FALSE(table.at(kCodeStart + 20).ends_in_control);
}

TEST_F(FetchRuns, EndWithAControlInstruction) {
  machine.load({nop(), beq(1, 2, 16), nop()});
  const FetchRun& run = table.at(kCodeStart);
  EXPECT_EQ(run.count, 2);
  EXPECT_TRUE(run.ends_in_control);
  EXPECT_EQ(run.control.imm, 16);
}

// An instruction belongs to the block of its last byte: one that straddles begins the next run's.
TEST_F(FetchRuns, LeaveWhatStraddlesToTheNextBlock) {
  const uint16_t compressed_nop = 1;
  machine.memory.write(kCodeStart + 24, &compressed_nop, 2);
  for (uint64_t at = kCodeStart + 26; at < kCodeStart + 64; at += 4) {
    const uint32_t word = nop();
    machine.memory.write(at, &word, 4);
  }
  EXPECT_EQ(table.at(kCodeStart + 24).count, 2);
  EXPECT_EQ(table.at(kCodeStart + 30).count, 8);
}

TEST_F(FetchRuns, AreMadeAnewWhenCodeChanges) {
  ASSERT_EQ(table.at(kCodeStart).count, 8);
  machine.load({nop(), jal(0, 8)});
  EXPECT_EQ(table.at(kCodeStart).count, 2);
  // A guest store is seen after fence.i and not before.
  const uint32_t word = nop();
  std::memcpy(machine.memory.data() + kCodeStart + 4, &word, 4);
  EXPECT_EQ(table.at(kCodeStart).count, 2);
  machine.hart.invalidate_code();
  EXPECT_EQ(table.at(kCodeStart).count, 8);
}

TEST_F(FetchRuns, BelongToAModeThatMayExecute) {
  ASSERT_EQ(table.at(kCodeStart).count, 8);
  machine.memory.protect(kCodeStart, 4096, 3, 7);
  EXPECT_EQ(table.at(kCodeStart).count, 0);
  machine.hart.state().mode = PrivilegeMode::kMachine;
  EXPECT_EQ(table.at(kCodeStart).count, 8);
  machine.hart.state().mode = PrivilegeMode::kUser;
  EXPECT_EQ(table.at(kCodeStart).count, 0);
  machine.memory.protect(kCodeStart, 4096, 7, 7);
  EXPECT_EQ(table.at(kCodeStart).count, 8);
}

}  // namespace
}  // namespace strobe::test
