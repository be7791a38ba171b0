// Schedules: cycles counted by hand, and that every order respects what depends on what.
#include "sw/optimize/schedule/list_scheduler.h"

#include <gtest/gtest.h>

#include <random>

#include "sw/optimize/schedule/renaming.h"
#include "tests/unit/optimize/functions.h"

namespace strobe::optimize {
namespace {

core::CoreParams two_wide() {
  core::CoreParams core;
  core.issue_width = 2;
  core.alu = {2, 1, 1};
  core.mul = {1, 3, 2};
  core.mem = {1, 1, 1};
  core.memory.l1d.latency = 2;
  return core;
}

TEST(ListScheduler, FillsTheLatencyOfALoad) {
  // In order: ld 0, add 3 (the load takes 3 cycles), addi 3, addi 4, ret 4.
  const FunctionOf function(
      " ld a1,0(a0)\n add a2,a1,a1\n addi a3,a4,1\n addi a3,a3,1\n add a0,a2,a3\n ret");
  const Region region = function.region();
  const Machine machine(two_wide());
  const Schedule before = in_order(region, machine), after = schedule(region, machine);
  EXPECT_EQ(before.cycle, (std::vector<unsigned>{0, 3, 3, 4, 5, 5}));
  // ld and the first addi 0, the other addi 1, add 3, add 4, ret 4.
  EXPECT_EQ(after.cycle, (std::vector<unsigned>{0, 3, 0, 1, 4, 4}));
  EXPECT_EQ(after.order, (std::vector<uint32_t>{0, 2, 3, 1, 4, 5}));
  EXPECT_EQ(after.length, 5u);
}

TEST(ListScheduler, UnitsAndWidthAreTaken) {
  const Machine machine(two_wide());
  // One multiplier that takes an operation every second cycle: 0, 2, 4; ret in the last cycle.
  const FunctionOf multiplies(" mul a1,a0,a0\n mul a2,a0,a0\n mul a3,a0,a0\n ret");
  EXPECT_EQ(schedule(multiplies.region(), machine).cycle, (std::vector<unsigned>{0, 2, 4, 4}));
  const FunctionOf adds(" addi a1,a0,1\n addi a2,a0,1\n addi a3,a0,1\n ret");
  EXPECT_EQ(schedule(adds.region(), machine).cycle, (std::vector<unsigned>{0, 0, 1, 1}));
}

TEST(ListScheduler, AnExitThatIsTakenOftenComesEarly) {
  // The chain of multiplications and the branch compete; a frequent exit goes first.
  const FunctionOf function(
      " mul a2,a3,a3\n mul a2,a2,a2\n addi a1,a1,1\n beqz a1,o\n mv a0,a2\n"
      "o: ret");
  core::CoreParams narrow = two_wide();
  narrow.issue_width = 1;
  Region region = function.region();
  region.frequency = 100;
  region.operations[3].leaving = 99;
  region.completed = 1;
  EXPECT_EQ(schedule(region, Machine(narrow)).order.front(), 2u);
  region.operations[3].leaving = 1;
  region.completed = 99;
  EXPECT_EQ(schedule(region, Machine(narrow)).order.front(), 0u);
}

TEST(ListScheduler, CyclesAreCountedUpToEachExit) {
  const FunctionOf function(" beqz a1,o\n addi a0,a0,1\n addi a0,a0,1\no: ret");
  Region region = function.region();
  region.operations[0].leaving = 30;
  region.completed = 70;
  const Schedule found = schedule(region, Machine(two_wide()));
  EXPECT_EQ(found.length, 2u);
  EXPECT_DOUBLE_EQ(cycles_of(region, found), 30 * 1 + 70 * 2);
}

TEST(Renaming, AValueGetsARegisterOfItsOwn) {
  // Both loads write t0; nothing needs it at the end.
  const FunctionOf function(
      " lw t0,0(a0)\n add a1,a1,t0\n lw t0,4(a0)\n add a1,a1,t0\n mv a0,a1\n tail other");
  Region region = function.region();
  rename_registers(&region);
  EXPECT_EQ(region.operations[0].insn.rd, 5);
  EXPECT_NE(region.operations[2].insn.rd, 5);
  EXPECT_EQ(region.operations[2].insn.rd, region.operations[3].insn.rs2);
  EXPECT_TRUE(region.operations[2].renamed);
  const Schedule found = schedule(region, Machine(core::CoreParams()));
  EXPECT_EQ(found.cycle[0], found.cycle[2]) << "both loads at once";
}

TEST(Renaming, WhatIsNeededOutsideKeepsItsRegister) {
  // a5 is read at `o`, where the branch goes; a0 is the result.
  const FunctionOf function(
      " li a5,1\n add a0,a0,a5\n li a5,2\n beqz a1,o\n li a0,3\n ret\no: mv a0,a5\n ret");
  Region region = function.region();
  region.operations.resize(6);  // up to the first ret
  rename_registers(&region);
  for (const Operation& operation : region.operations) EXPECT_FALSE(operation.renamed);
}

TEST(Renaming, OnlyRegistersThatACallMayChangeAreTaken) {
  std::string body;
  for (unsigned i = 0; i < 40; ++i)
    body += " lw a5," + std::to_string(4 * i) + "(a0)\n add a1,a1,a5\n";
  const FunctionOf function(body + " mv a0,a1\n tail other");
  Region region = function.region();
  rename_registers(&region);
  unsigned renamed = 0;
  for (const Operation& operation : region.operations) {
    renamed += operation.renamed ? 1 : 0;
    if (operation.insn.rd != 0) {
      EXPECT_NE(object::x(operation.insn.rd) & object::kCallerSaved, 0u);
    }
  }
  EXPECT_GT(renamed, 70u);
}

}  // namespace
}  // namespace strobe::optimize
