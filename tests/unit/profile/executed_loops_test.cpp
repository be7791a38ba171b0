// Is each executed instruction in the loop it belongs to, with nothing but the program's jumps?
#include "sw/profile/flow/executed_loops.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace strobe::profile {
namespace {

using testing::Each;
using testing::ElementsAre;

/// Instructions of 4 bytes from `pc` on, all of which go on to the next.
std::vector<ExecutedInsn> line(uint64_t pc, size_t count) {
  std::vector<ExecutedInsn> out;
  for (size_t i = 0; i < count; ++i) out.push_back({pc + 4 * i, 4});
  return out;
}

/// All of one function, at 0x100.
std::vector<uint64_t> loops_of(const std::vector<ExecutedInsn>& instructions,
                               const std::vector<ExecutedJump>& jumps) {
  return innermost_loops(instructions, jumps, [](uint64_t) { return uint64_t{0x100}; });
}

TEST(ExecutedLoops, CodeWithoutABackEdgeHasNone) {
  EXPECT_THAT(loops_of(line(0x100, 4), {{0x100, 0x108}}), Each(kNoLoop));
  EXPECT_TRUE(loops_of({}, {}).empty());
}

TEST(ExecutedLoops, AnInstructionIsInTheInnermostLoopAroundIt) {
  // 0x104 to 0x114 is a loop, and 0x108 to 0x10c is one inside it.
  EXPECT_THAT(loops_of(line(0x100, 7), {{0x10c, 0x108}, {0x114, 0x104}}),
              ElementsAre(kNoLoop, 0x104, 0x108, 0x108, 0x104, 0x104, kNoLoop));
}

TEST(ExecutedLoops, AnInstructionThatJumpsToItselfIsALoop) {
  EXPECT_THAT(loops_of(line(0x100, 3), {{0x104, 0x104}}), ElementsAre(kNoLoop, 0x104, kNoLoop));
}

TEST(ExecutedLoops, WhatIsNotExecutedDoesNotConnect) {
  std::vector<ExecutedInsn> instructions = line(0x100, 4);
  instructions[1].falls = 0;  // jumps always
  EXPECT_THAT(loops_of(instructions, {{0x104, 0x10c}, {0x108, 0x108}}),
              ElementsAre(kNoLoop, kNoLoop, 0x108, kNoLoop));
  instructions.erase(instructions.begin() + 2);
  EXPECT_THAT(loops_of(instructions, {{0x104, 0x108}, {0x108, 0x100}, {0x10c, 0x108}}),
              Each(kNoLoop));
}

TEST(ExecutedLoops, ARegionMayBeginWithinALoopOrBeAllOfIt) {
  // Nothing but the loop's instructions, and not from its function's entry.
  EXPECT_THAT(loops_of(line(0x200, 3), {{0x208, 0x200}}), Each(0x200));
}

TEST(ExecutedLoops, AnIndirectJumpLeadsToAllItsTargets) {
  // The dispatch loop of an interpreter: 0x104 leads to three cases, which jump back to 0x100.
  std::vector<ExecutedInsn> instructions = line(0x100, 5);
  for (ExecutedInsn& one : instructions) one.falls = 0;
  instructions[0].falls = 4;
  EXPECT_THAT(
      loops_of(instructions,
               {{0x104, 0x108}, {0x104, 0x10c}, {0x104, 0x110}, {0x108, 0x100}, {0x10c, 0x100}}),
      ElementsAre(0x100, 0x100, 0x100, 0x100, kNoLoop));
}

TEST(ExecutedLoops, ALoopEndsWithItsFunction) {
  // 0x100 and 0x200 are functions that jump to each other.
  std::vector<ExecutedInsn> instructions = line(0x100, 2);
  for (const ExecutedInsn& one : line(0x200, 2)) instructions.push_back(one);
  const std::vector<ExecutedJump> jumps = {{0x104, 0x200}, {0x204, 0x100}};
  EXPECT_THAT(innermost_loops(instructions, jumps, [](uint64_t pc) { return pc & ~uint64_t{255}; }),
              Each(kNoLoop));
  EXPECT_THAT(loops_of(instructions, jumps), Each(0x100));
}

}  // namespace
}  // namespace strobe::profile
