// Programs with ephemeral instrumentation that look at their own code are told from those that do
// not.
#include "sw/instrument/ephemeral/code_accesses.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace strobe::instrument {
namespace {

using testing::ElementsAre;
using testing::FieldsAre;
using testing::IsEmpty;

/// Two branches at 0x1000 and 0x2000 of the original, and code around them: 0x800 bytes further in
/// the edited program.
HookedProgram two_branches() {
  HookedProgram program;
  for (const uint64_t pc : {0x1000, 0x2000}) {
    HookedBranch branch;
    branch.pc = pc;
    branch.branch = pc + 0x800;
    program.branches.push_back(branch);
  }
  program.map = AddressMap({{0x1000, 0x800, 0x3000, false}}, {});
  return program;
}

RetireRecord load(uint64_t pc, uint64_t address, uint8_t mask) {
  RetireRecord record;
  record.mode = PrivilegeMode::kUser;
  record.opclass = OpClass::kLoad;
  record.pc_rdata = pc;
  record.mem_addr = address;
  record.mem_rmask = mask;
  return record;
}

TEST(CodeAccesses, AByteOfABranchIsFoundAndABytesBesideItIsNot) {
  const HookedProgram program = two_branches();
  CodeAccesses accesses(program);
  for (const uint64_t branch : {0x1800, 0x2800}) {
    accesses.record(load(0x1100, branch - 1, 0x01));
    accesses.record(load(0x1100, branch - 8, 0xff));
    accesses.record(load(0x1100, branch + 4, 0x0f));
  }
  EXPECT_THAT(accesses.found(), IsEmpty());
  accesses.record(load(0x1104, 0x2800 - 7, 0xff));
  accesses.record(load(0x1104, 0x1803, 0x01));
  accesses.record(load(0x1100, 0x1800, 0x03));
  EXPECT_THAT(accesses.found(),
              ElementsAre(FieldsAre(0x900, 0x1000, false, 1), FieldsAre(0x904, 0x2000, false, 2)));
}

TEST(CodeAccesses, AStoreIsTold) {
  const HookedProgram program = two_branches();
  CodeAccesses accesses(program);
  RetireRecord record = load(0x1100, 0x1800, 0);
  record.opclass = OpClass::kStore;
  record.mem_wmask = 0x0f;
  EXPECT_TRUE(accesses.kinds().has(record));
  accesses.record(record);
  EXPECT_THAT(accesses.found(), ElementsAre(FieldsAre(0x900, 0x1000, true, 1)));
}

TEST(CodeAccesses, WhatTheInstrumentationDoesIsNotReported) {
  const HookedProgram program = two_branches();
  CodeAccesses accesses(program);
  accesses.record(load(0x9000, 0x1800, 0x0f));  // the address is not in the map
  RetireRecord machine = load(0x1100, 0x1800, 0x0f);
  machine.mode = PrivilegeMode::kMachine;
  accesses.record(machine);
  RetireRecord trapped = load(0x1100, 0x1800, 0x0f);
  trapped.trap = 1;
  accesses.record(trapped);
  EXPECT_THAT(accesses.found(), IsEmpty());
}

}  // namespace
}  // namespace strobe::instrument
