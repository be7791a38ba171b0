// The front end: fetch blocks with compressed instructions, the fetch buffer, and the cost of a
// system call.
#include <gtest/gtest.h>

#include "tests/timing/core/machine.h"

namespace strobe::test {
namespace {

constexpr uint16_t kCompressedNop = 0x0001;

// All widths but the fetch block out of the way.
core::CoreParams wide_core(unsigned fetch_block) {
  core::CoreParams params = plain_core();
  params.fetch_width = params.decode_width = params.issue_width = 16;
  params.commit_width = 8;
  params.alu.count = 16;
  params.fetch_buffer = 256;
  params.fetch_block = fetch_block;
  return params;
}

TEST(FetchBlock, StraightCodeRunsOneBlockACycle) {
  for (const unsigned block : {4u, 8u, 16u, 32u}) {
    Machine machine(wide_core(block));
    machine.run(std::vector<uint32_t>(600, addi(1, 2, 1)));
    EXPECT_EQ(machine.commit_cycle(480) - machine.commit_cycle(160), 320u * 4 / block) << block;
  }
}

// Jumps to kTarget and returns, for each instruction from there on, its commit cycle after the
// first.
constexpr uint64_t kTarget = Machine::kCode + 64;
std::vector<uint64_t> commits_from(unsigned offset, const std::vector<uint16_t>& halves) {
  Machine machine(wide_core(8));
  // Decode redirects fetch to the target of a jump the target buffer does not know.
  machine.load({nop(), jal(0, 60 + static_cast<int>(offset))});
  machine.memory.write(kTarget + offset, halves.data(), halves.size() * 2);
  const uint32_t end = ecall();
  machine.memory.write(kTarget + offset + halves.size() * 2, &end, 4);
  machine.hart.state().mode = PrivilegeMode::kUser;
  EXPECT_EQ(machine.go(), core::CoreStop::kHart);
  std::vector<uint64_t> cycles;
  for (const Commit& c : machine.commits) {
    if (c.record.pc_rdata >= kTarget) cycles.push_back(c.cycle);
  }
  for (size_t i = cycles.size(); i-- > 0;) cycles[i] -= cycles[0];
  return cycles;
}

using Cycles = std::vector<uint64_t>;

TEST(FetchBlock, HoldsFourCompressedInstructionsInEightBytes) {
  EXPECT_EQ(commits_from(0, std::vector<uint16_t>(8, kCompressedNop)),
            (Cycles{0, 0, 0, 0, 1, 1, 1, 1}));
}

TEST(FetchBlock, AfterAJumpIntoItsMiddleOnlyTheRestComesInTheFirstCycle) {
  const std::vector<uint16_t> eight(8, kCompressedNop);
  EXPECT_EQ(commits_from(2, eight), (Cycles{0, 0, 0, 1, 1, 1, 1, 2}));
  EXPECT_EQ(commits_from(4, eight), (Cycles{0, 0, 1, 1, 1, 1, 2, 2}));
  EXPECT_EQ(commits_from(6, eight), (Cycles{0, 1, 1, 1, 1, 2, 2, 2}));
}

TEST(FetchBlock, AnInstructionAcrossItsEndComesWithTheNextBlock) {
  // Compressed at 0; four-byte ones at 2, 6 (across), 10, 14 (across).
  const uint32_t word = nop();
  const uint16_t low = word & 0xffff, high = word >> 16;
  EXPECT_EQ(commits_from(0, {kCompressedNop, low, high, low, high, low, high, low, high}),
            (Cycles{0, 0, 1, 1, 2}));
}

TEST(FetchBuffer, HoldsExactlyItsNumberBeforeRename) {
  // A load that takes forever keeps the reorder buffer full; fetch goes on until the fetch buffer
  // is full, too. Instruction 96 is the first of a line.
  for (const unsigned entries : {31u, 32u, 33u}) {
    core::CoreParams params = plain_core();
    params.rob = 64;
    params.fetch_buffer = entries;
    Machine machine(params);
    machine.hart.state().x[2] = Machine::kData;
    machine.dcache.latency = 1000;
    machine.load({ld(1, 2, 0)});
    machine.load(std::vector<uint32_t>(300, addi(4, 5, 1)), Machine::kCode + 4);
    machine.go(1500);
    const uint64_t line = (Machine::kCode + 4 * 96) / 64;
    const auto access = std::find_if(machine.icache.log.begin(), machine.icache.log.end(),
                                     [&](const auto& a) { return a.address / 64 == line; });
    ASSERT_NE(access, machine.icache.log.end());
    EXPECT_EQ(access->cycle<500, 64 + entries> 96) << entries;
  }
}

// A proxied system call is handled and execution goes on; the second one ends the run.
class CallingMachine : public Machine {
 public:
  using Machine::Machine;
  isa::EcallResult ecall(isa::Hart&) override {
    return ++calls_ == 1 ? isa::EcallResult::kResume : isa::EcallResult::kStop;
  }

 private:
  unsigned calls_ = 0;
};

TEST(SystemCall, CostsSyscallCyclesBeforeItCommits) {
  for (const unsigned cycles : {0u, 1u, 99u, 100u}) {
    core::CoreParams params = plain_core();
    params.syscall_cycles = cycles;
    CallingMachine machine(params);
    machine.run({nop(), test::ecall(), nop()});
    // It is decoded in the cycle in which what is older commits, then renamed, issued, done after
    // one cycle and the charge, and committed.
    EXPECT_EQ(machine.commit_cycle(1) - machine.commit_cycle(0), 4 + cycles);
    EXPECT_EQ(machine.commit_cycle(2) - machine.commit_cycle(1), 4u) << "the next is free of it";
  }
}

}  // namespace
}  // namespace strobe::test
