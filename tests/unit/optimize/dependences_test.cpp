// What the scheduler may exchange, and what not: each rule on the shortest code.
#include "sw/optimize/schedule/dependences.h"

#include <gtest/gtest.h>

#include "tests/unit/optimize/functions.h"

namespace strobe::optimize {
namespace {

/// Whether the operation `later` must follow `earlier`, also through others.
bool must_follow(const Region& region, uint32_t earlier, uint32_t later) {
  const std::vector<std::vector<Dependence>> dependences =
      dependences_of(region, Machine(core::CoreParams()));
  std::vector<bool> follows(region.operations.size());
  follows[earlier] = true;
  for (uint32_t i = earlier; i < region.operations.size(); ++i) {
    for (const Dependence& dependence : dependences[i]) {
      EXPECT_GT(dependence.to, i);
      if (follows[i]) follows[dependence.to] = true;
    }
  }
  return follows[later];
}

struct Rule {
  const char* name;
  const char* code;  // an instruction a line
  uint32_t earlier, later;
  bool ordered;
};

void PrintTo(const Rule& rule, std::ostream* out) { *out << rule.name; }

const Rule kRules[] = {
    {"AUseFollowsItsDefinition", "add a1,a0,a0\n add a2,a1,a0\n ret", 0, 1, true},
    {"IndependentOnesDoNot", "add a1,a0,a0\n add a2,a0,a0\n ret", 0, 1, false},
    {"ADefinitionFollowsEarlierUses", "add a1,a0,a2\n li a0,1\n ret", 0, 1, true},
    {"ADefinitionFollowsAnEarlierOne", "li a0,1\n li a0,2\n ret", 0, 1, true},
    {"FloatRegistersCount", "fadd.d fa0,fa1,fa2\n fmul.d fa3,fa0,fa0\n ret", 0, 1, true},
    {"LoadsMayPassLoads", "ld a1,0(a0)\n ld a2,0(a3)\n ret", 0, 1, false},
    {"AStoreIsNotPassedByALoad", "sd a1,0(a0)\n ld a2,0(a3)\n ret", 0, 1, true},
    {"AStoreIsNotPassedByAStore", "sd a1,0(a0)\n sd a2,0(a3)\n ret", 0, 1, true},
    {"ALoadIsNotPassedByAStore", "ld a1,0(a0)\n sd a2,0(a3)\n ret", 0, 1, true},
    {"OtherBytesOfTheSameBaseMayPass", "sd a1,0(a0)\n ld a2,8(a0)\n ret", 0, 1, false},
    {"OverlappingBytesMayNot", "sd a1,0(a0)\n lw a2,4(a0)\n ret", 0, 1, true},
    {"ABaseThatWasMovedIsKnown", "addi a3,a0,8\n sd a1,0(a0)\n ld a2,0(a3)\n ret", 1, 2, false},
    {"TheSameBytesByAnotherRegisterMayNot", "addi a3,a0,8\n sd a1,8(a0)\n ld a2,0(a3)\n ret", 1, 2,
     true},
    {"ABaseThatWasChangedIsNot", "sd a1,0(a0)\n slli a0,a0,1\n ld a2,8(a0)\n ret", 0, 2, true},
    {"TheStackIsNoStaticData", "sd a1,0(sp)\n lla a2,here\n ld a3,0(a2)\n ret", 0, 3, false},
    {"OtherStaticDataMayPass", "lla a2,here\n lla a3,there\n sd a1,0(a2)\n ld a4,0(a3)\n ret", 4, 5,
     false},
    {"APointerMayPointToStaticData", "sd a1,0(a0)\n lla a2,here\n ld a3,0(a2)\n ret", 0, 3, true},
    {"AFenceIsABarrier", "add a1,a0,a0\n fence\n add a2,a0,a0\n ret", 0, 2, true},
    {"AnAtomicIsABarrier", "add a1,a0,a0\n amoadd.w a3,a4,(a5)\n add a2,a0,a0\n ret", 1, 2, true},
    {"ACsrAccessIsABarrier", "fadd.d fa0,fa1,fa2\n frflags a0\n ret", 0, 1, true},
    {"ASystemCallIsABarrier", "add a1,a0,a0\n ecall\n ret", 0, 1, true},
    {"SpMovesBehindWhatIsAbove", "sd a1,0(s0)\n addi sp,sp,32\n ret", 0, 1, true},
    // Upwards past a branch. At `o` only a0 and what the caller keeps is needed.
    {"ADeadRegisterMayBeWrittenEarly", "beqz a1,o\n add a2,a3,a3\n mv a0,a2\no: ret", 0, 1, false},
    {"ALiveOneMayNot", "beqz a1,o\n add a0,a3,a3\no: ret", 0, 1, true},
    {"AStoreStaysBelow", "beqz a1,o\n sd a2,0(a3)\no: ret", 0, 1, true},
    {"ALoadThatMayFaultStaysBelow", "beqz a1,o\n ld a2,0(a3)\n mv a0,a2\no: ret", 0, 1, true},
    {"ALoadOfTheFrameMayGoUp",
     "addi sp,sp,-32\n beqz a1,o\n ld a2,8(sp)\n mv a0,a2\no: addi sp,sp,32\n ret", 1, 2, false},
    {"ALoadAboveTheFrameStays",
     "addi sp,sp,-32\n beqz a1,o\n ld a2,32(sp)\n mv a0,a2\no: addi sp,sp,32\n ret", 1, 2, true},
    {"ALoadOfStaticDataMayGoUp", "lla a2,here\n beqz a1,o\n ld a3,8(a2)\n mv a0,a3\no: ret", 2, 3,
     true},
    {"ALoadOfANamedPlaceMayGoUp", "beqz a1,o\n ld a3,here\n mv a0,a3\no: ret", 0, 2, false},
    {"ALoadBeyondItsSectionStays", "beqz a1,o\n ld a3,here+16\n mv a0,a3\no: ret", 0, 2, true},
    {"ALoadOfWhatWasReadMayGoUp", "ld a4,0(a3)\n beqz a1,o\n ld a2,0(a3)\n mv a0,a2\no: ret", 1, 2,
     false},
    {"ALoadBetweenTwoAccessesMayGoUp",
     "ld a4,0(a3)\n ld a5,16(a3)\n beqz a1,o\n ld a2,8(a3)\n mv a0,a2\no: ret", 2, 3, false},
    {"ALoadBesideAnAccessStays", "ld a4,0(a3)\n beqz a1,o\n ld a2,8(a3)\n mv a0,a2\no: ret", 1, 2,
     true},
    {"ALoadOfMoreBytesStays", "lw a4,0(a3)\n beqz a1,o\n ld a2,0(a3)\n mv a0,a2\no: ret", 1, 2,
     true},
    {"ALoadStaysBehindWhatMakesItGood", "ld a4,0(a3)\n beqz a1,o\n ld a2,0(a3)\n mv a0,a2\no: ret",
     0, 2, true},
    {"WhatSetsFlagsStaysBelow", "beqz a1,o\n fadd.d fa5,fa1,fa2\n fmv.d fa0,fa5\no: ret", 0, 1,
     true},
    {"AMoveOfFloatsSetsNone", "beqz a1,o\n fmv.d fa5,fa1\n fsd fa5,0(a0)\no: ret", 0, 1, false},
    // Downwards past a branch.
    {"WhatIsDeadThereMayGoDown", "add a2,a3,a3\n beqz a1,o\n mv a0,a2\no: ret", 0, 1, false},
    {"WhatIsLiveThereMayNot", "add a0,a3,a3\n beqz a1,o\n mv a1,a0\no: ret", 0, 1, true},
    {"AStoreStaysAbove", "sd a2,0(a3)\n beqz a1,o\n mv a0,a2\no: ret", 0, 1, true},
    {"ALoadMayGoDown", "ld a2,0(a3)\n beqz a1,o\n mv a0,a2\no: ret", 0, 1, false},
    {"BranchesKeepTheirOrder", "beqz a1,o\n beqz a2,o\n mv a0,a2\no: ret", 0, 1, true},
    {"NothingPassesTheLastJump", "add a2,a3,a3\n ret", 0, 1, true},
};

class Dependences : public testing::TestWithParam<Rule> {};

TEST_P(Dependences, AreAsTheRuleSays) {
  const Rule& rule = GetParam();
  const FunctionOf function(std::string(" ") + rule.code,
                            "\n.data\n.align 3\nhere: .dword 1\nthere: .dword 2\n");
  EXPECT_EQ(must_follow(function.region(), rule.earlier, rule.later), rule.ordered) << rule.code;
}

INSTANTIATE_TEST_SUITE_P(Each, Dependences, testing::ValuesIn(kRules),
                         [](const auto& one) { return one.param.name; });

TEST(Latency, AUseComesAsMuchLater) {
  core::CoreParams core;
  core.mul.latency = 5;
  core.mem.latency = 2;
  core.memory.l1d.latency = 3;
  const FunctionOf function(" mul a1,a0,a0\n add a1,a1,a0\n ld a2,0(a0)\n add a2,a2,a0\n ret");
  const std::vector<std::vector<Dependence>> found =
      dependences_of(function.region(), Machine(core));
  EXPECT_EQ(found[0].front().latency, 5u);
  EXPECT_EQ(found[2].front().latency, 5u) << "address, then the data cache";
}

}  // namespace
}  // namespace strobe::optimize
