// Programs edited for ephemeral instrumentation: each branch is recorded exactly `persistence`
// times, with its outcomes, for nine instructions an execution, and the program computes the same.
#include "sw/instrument/ephemeral/ephemeral.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iostream>
#include <map>
#include <unordered_map>

#include "sw/files/scratch_folder.h"
#include "sw/instrument/ephemeral/hooked_program.h"
#include "sw/instrument/ephemeral/stub_counts.h"
#include "tests/tree.h"
#include "tests/unit/instrument/stepped_program.h"

namespace strobe::instrument {
namespace {

const std::string kLzElf = in_build("guest/workloads/lz.elf");
const std::string kUnhook = in_build("guest/ephemeral/unhook.o");
constexpr uint64_t kPersistence = 20;

/// lz with all its branches hooked, or the first ones of its pages.
HookedProgram lz(uint64_t persistence, const EphemeralOptions& options = {}, bool pages = false) {
  static std::map<uint32_t, HookedProgram> made;
  const auto [found, is_new] = made.try_emplace(options.island_bytes);
  if (is_new) {
    found->second = make_hooked_program(linked_program(kLzElf, ""), kUnhook, options);
  }
  HookedProgram program = found->second;
  (pages ? hook_pages : hook_all)(&program, persistence);
  return program;
}

struct Outcomes {
  uint64_t total = 0, taken = 0;
  std::map<uint64_t, uint64_t> targets;  // how often each
};

/// The outcomes of the first `most` executions of each instruction of the original.
std::unordered_map<uint64_t, Outcomes> first_outcomes(uint64_t most, std::string* output) {
  std::unordered_map<uint64_t, Outcomes> found;
  SteppedProgram original(content_of(kLzElf), {"tiny"});
  original.run([&](const RetireRecord& record) {
    Outcomes& outcomes = found[record.pc_rdata];
    if (outcomes.total == most) return;
    ++outcomes.total;
    outcomes.taken += record.itype == IType::kBranchTaken ? 1 : 0;
    ++outcomes.targets[record.pc_wdata];
  });
  *output = original.output();
  return found;
}

/// What the stub of a jump has counted, in addresses of the original.
std::map<uint64_t, uint64_t> targets_of(const SteppedProgram& edited, const HookedProgram& program,
                                        const HookedBranch& jump) {
  std::map<uint64_t, uint64_t> found;
  for (uint32_t i = 0; i < jump.targets; ++i) {
    const auto target = edited.read<strobe_stub_target_t>(jump.data + sizeof(strobe_stub_t) +
                                                          i * sizeof(strobe_stub_target_t));
    if (target.target == 0) continue;
    found[program.map.original_code(target.target).value_or(0)] += target.count;
  }
  return found;
}

class Persistence : public testing::TestWithParam<uint64_t> {
 protected:
  void expect_recorded(bool pages);
};

void Persistence::expect_recorded(bool pages) {
  std::string expected;
  std::unordered_map<uint64_t, Outcomes> truth = first_outcomes(GetParam(), &expected);
  const HookedProgram program = lz(GetParam(), {}, pages);
  SteppedProgram edited(program.elf, {"tiny"});
  edited.run([](const RetireRecord&) {});
  EXPECT_EQ(edited.output(), expected);
  ASSERT_GT(program.branches.size(), 5000u);
  uint64_t executed = 0, unhooked = 0, jumps = 0, hooked = 0;
  for (const HookedBranch& branch : program.branches) {
    const StubCounts counts = counts_of(edited.read<strobe_stub_t>(branch.data), GetParam());
    const Outcomes outcomes = truth[branch.pc];
    ASSERT_EQ(counts.total, outcomes.total) << std::hex << branch.pc;
    ASSERT_EQ(counts.taken, outcomes.taken) << std::hex << branch.pc;
    ASSERT_EQ(counts.unhooked, counts.total == GetParam() ? 1 : 0) << std::hex << branch.pc;
    if (branch.is_jump()) {
      jumps += counts.total;
      ASSERT_TRUE(targets_of(edited, program, branch) == outcomes.targets) << std::hex << branch.pc;
    }
    executed += counts.total != 0 ? 1 : 0;
    unhooked += counts.unhooked;
    hooked += counts.hooked ? 1 : 0;
  }
  // No branch of a page that was not executed was hooked.
  EXPECT_EQ(hooked == program.branches.size(), !pages) << hooked;
  EXPECT_GT(executed, 500u);
  EXPECT_GT(jumps, 20u);
  EXPECT_GT(unhooked, 40u);
}

TEST_P(Persistence, EachBranchIsRecordedExactlySoOften) { expect_recorded(/*pages=*/false); }

TEST_P(Persistence, EachBranchIsRecordedSoOftenAlsoWhenItsPageIsHookedFirst) {
  expect_recorded(/*pages=*/true);
}

INSTANTIATE_TEST_SUITE_P(Of, Persistence, testing::Values(1, 2, 20, 1000));

TEST(Ephemeral, AnExecutionOfAHookedBranchCostsNineInstructions) {
  const HookedProgram program = lz(kPersistence);
  std::unordered_map<uint64_t, const HookedBranch*> by_place;
  for (const HookedBranch& branch : program.branches) {
    if (!branch.is_jump()) by_place[branch.branch] = &branch;
  }
  std::map<uint64_t, uint64_t> executions;  // by the instructions that one takes
  const HookedBranch* at = nullptr;
  uint64_t instructions = 0;
  SteppedProgram edited(program.elf, {"tiny"});
  edited.run([&](const RetireRecord& record) {
    if (at == nullptr) {
      const auto found = by_place.find(record.pc_rdata);
      if (found == by_place.end() || record.pc_wdata != found->second->code) return;
      at = found->second;
      instructions = 0;
    }
    ++instructions;
    const auto there = program.map.original_code(record.pc_wdata);
    if (!there || (*there != at->target && *there != at->next)) return;
    ++executions[instructions - 1];  // the branch itself is one
    at = nullptr;
  });
  uint64_t all = 0;
  for (const auto& [count, times] : executions) {
    std::cout << times << " executions of a hooked branch take " << count << " instructions more\n";
    all += times;
  }
  EXPECT_EQ(executions.begin()->first, 9u) << "the paper: nine to ten";
  EXPECT_GT(executions[9] * 2, all) << "the rest saves registers, or unhooks";
  EXPECT_LT(executions.rbegin()->first, 110u) << "what unhooks, saves included";
}

TEST(Ephemeral, AHookedCallLinksToTheInstructionAfterIt) {
  const HookedProgram program = lz(kPersistence);
  std::unordered_map<uint64_t, const HookedBranch*> calls;
  for (const HookedBranch& branch : program.branches) {
    if (branch.is_jump()) calls[branch.branch] = &branch;
  }
  uint64_t hooked = 0;
  SteppedProgram edited(program.elf, {"tiny"});
  edited.run([&](const RetireRecord& record) {
    const auto call = calls.find(record.pc_rdata);
    if (call == calls.end() || record.rd_addr == 0) return;
    EXPECT_EQ(record.rd_addr, 1);
    EXPECT_EQ(record.rd_wdata, record.pc_rdata + 4);
    if (record.pc_wdata == call->second->code) ++hooked;
  });
  EXPECT_GT(hooked, 20u);
}

TEST(Ephemeral, ManyIslandsChangeNothing) {
  EphemeralOptions options;
  options.island_bytes = 4096;
  std::string expected;
  first_outcomes(1, &expected);
  const HookedProgram one = lz(kPersistence), many = lz(kPersistence, options);
  EXPECT_GT(many.counts.islands, one.counts.islands);
  EXPECT_EQ(many.counts.branches, one.counts.branches);
  SteppedProgram edited(many.elf, {"tiny"});
  edited.run([](const RetireRecord&) {});
  EXPECT_EQ(edited.output(), expected);
}

}  // namespace
}  // namespace strobe::instrument
