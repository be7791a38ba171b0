// Which registers are wanted before the instructions of small functions.
#include "sw/object/analysis/liveness.h"

#include <gtest/gtest.h>

#include "tests/unit/object/decoded.h"

namespace strobe::object {
namespace {

// Registers by the numbers of the RISC-V psABI, "Integer Register Convention" and "Floating-point
// Register Convention".
constexpr Registers kRa = x(1), kSp = x(2), kT0 = x(5), kT1 = x(6), kT2 = x(7), kS0 = x(8),
                    kS1 = x(9), kA0 = x(10), kA1 = x(11), kA2 = x(12), kA3 = x(13), kA5 = x(15),
                    kT3 = x(28), kT4 = x(29), kFa0 = f(10), kFa1 = f(11), kFt0 = f(0), kFs0 = f(8);

Registers set_of(const std::vector<unsigned>& integer, const std::vector<unsigned>& floating) {
  Registers set = 0;
  for (const unsigned n : integer) set |= Registers{1} << n;
  for (const unsigned n : floating) set |= Registers{1} << (32 + n);
  return set;
}

const Registers kPreserved = set_of({2, 3, 4, 8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27},
                                    {8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27});
const Registers kPassed =
    set_of({10, 11, 12, 13, 14, 15, 16, 17}, {10, 11, 12, 13, 14, 15, 16, 17});
const Registers kAtReturn = kPreserved | kRa | kA0 | kA1 | kFa0 | kFa1;
/// What a call may read: the arguments, the static chain, and what never moves.
const Registers kForACall = kPassed | kT2 | set_of({2, 3, 4}, {});

/// The function f, whose registers are asked for by label.
struct LivenessOfF {
  explicit LivenessOfF(const std::string& body, Registers changed = kCallerSaved,
                       Registers by_call = kCallerSaved)
      : decoded(function_text("f", body) + function_text("g", "  nop\ninside_g: ret")),
        live(decoded.code_with("f"), decoded.graph("f"), changed,
             [by_call](const Instruction&) { return by_call; }) {}

  Registers before(const std::string& label) const { return live.before(decoded.at(label)); }

  Decoded decoded;
  Liveness live;
};

TEST(Liveness, TheSetsOfRegistersAreThoseOfTheConvention) {
  EXPECT_EQ(kCalleeSaved, kPreserved);
  EXPECT_EQ(kCallerSaved, ~kPreserved & ~x(0));
  EXPECT_EQ(kArguments, kPassed);
  EXPECT_EQ(kResults, kA0 | kA1 | kFa0 | kFa1);
}

TEST(Liveness, AtAReturnResultsAndWhatTheCallerKeepsAreLive) {
  EXPECT_EQ(LivenessOfF("  ret").before("f"), kAtReturn);
}

TEST(Liveness, WhatTheFunctionDoesNotChangeIsLiveAtItsReturn) {
  EXPECT_EQ(LivenessOfF("  ret", kT0 | kA0).before("f"), ~x(0) & ~kT0);
}

TEST(Liveness, AnArgumentIsLiveUntilItsLastUse) {
  const LivenessOfF f("  add a0, a0, a3\nmiddle: sub a0, a0, a2\nlast: ret");
  EXPECT_EQ(f.before("f"), kAtReturn | kA2 | kA3);
  EXPECT_EQ(f.before("middle"), kAtReturn | kA2);
  EXPECT_EQ(f.before("last"), kAtReturn);
}

TEST(Liveness, AValueThatIsOverwrittenBeforeItIsReadIsNotLive) {
  const LivenessOfF f("  nop\nwrite: li t0, 1\nread: add a0, t0, t0\nlast: ret");
  EXPECT_EQ(f.before("f"), kAtReturn & ~kA0);
  EXPECT_EQ(f.before("write"), kAtReturn & ~kA0);
  EXPECT_EQ(f.before("read"), (kAtReturn & ~kA0) | kT0);
  EXPECT_EQ(f.before("last"), kAtReturn);
}

TEST(Liveness, AnInstructionThatReadsWhatItWritesKeepsItLive) {
  const LivenessOfF f("  addi t0, t0, 1\nnext: mv a0, t0\n  ret");
  EXPECT_EQ(f.before("f") & kT0, kT0);
  EXPECT_EQ(f.before("next") & kT0, kT0);
}

TEST(Liveness, TheZeroRegisterIsNeverLive) {
  const LivenessOfF f("  add t0, zero, zero\n  sd zero, 0(a0)\n  add zero, t0, t0\n  ret");
  for (uint32_t i = f.decoded.at("f"); i < f.decoded.at("g"); ++i) {
    EXPECT_EQ(f.live.before(i) & x(0), 0u);
  }
  EXPECT_EQ(f.before("f"), kAtReturn);
}

TEST(Liveness, AStoreReadsItsValueAndItsAddress) {
  const LivenessOfF f("  sd t0, 0(t3)\nfloating: fsd ft0, 8(t4)\nlast: ret");
  EXPECT_EQ(f.before("f"), kAtReturn | kT0 | kT3 | kT4 | kFt0);
  EXPECT_EQ(f.before("floating"), kAtReturn | kT4 | kFt0);
  EXPECT_EQ(f.before("last"), kAtReturn);
}

TEST(Liveness, ALoadReadsItsAddressAndWritesItsRegister) {
  const LivenessOfF f("  ld a0, 0(t3)\nfloating: fld fa0, 8(t4)\nlast: ret");
  EXPECT_EQ(f.before("f"), (kAtReturn & ~kA0 & ~kFa0) | kT3 | kT4);
  EXPECT_EQ(f.before("floating"), (kAtReturn & ~kFa0) | kT4);
}

TEST(Liveness, ACallReadsArgumentsAndEndsWhatItMayChange) {
  const LivenessOfF f("  call g\nafter: add a0, a0, t0\n  add a0, a0, s0\n  ret");
  EXPECT_EQ(f.before("after"), kAtReturn | kT0);
  EXPECT_EQ(f.before("f"), kPreserved | kForACall);
}

TEST(Liveness, WhatTheCallIsKnownNotToChangeStaysLiveAcrossIt) {
  const LivenessOfF f("  call g\nafter: add a0, t0, t3\n  ret", kCallerSaved, kCallerSaved & ~kT3);
  EXPECT_EQ(f.before("f") & (kT0 | kT3), kT3);
}

TEST(Liveness, TheLinkRegisterIsWrittenByTheCallWhateverIsKnownOfIt) {
  const LivenessOfF f("  call g\nafter: ret", kCallerSaved, 0);
  EXPECT_EQ(f.before("after") & kRa, kRa);
  EXPECT_EQ(f.before("f") & kRa, 0u);
}

TEST(Liveness, AnIndirectCallReadsItsAddress) {
  const LivenessOfF f("  jalr t3\nafter: ret");
  EXPECT_EQ(f.before("f"), kPreserved | kForACall | kT3);
}

TEST(Liveness, ACallThatLinksInAnotherRegisterMayReadEverything) {
  EXPECT_EQ(LivenessOfF("  jal t0, g\n  ret").before("f"), ~x(0));
  EXPECT_EQ(LivenessOfF("  jalr t0, t3\n  ret").before("f"), ~x(0));
}

TEST(Liveness, ABranchJoinsWhatBothSidesWant) {
  const LivenessOfF f(
      "  beqz a5, other\n"
      "one: mv a0, t0\n  ret\n"
      "other: mv a1, t3\n  ret");
  EXPECT_EQ(f.before("one"), (kAtReturn & ~kA0) | kT0);
  EXPECT_EQ(f.before("other"), (kAtReturn & ~kA1) | kT3);
  EXPECT_EQ(f.before("f"), kAtReturn | kT0 | kT3 | kA5);
}

TEST(Liveness, AValueThatTheNextIterationReadsIsLiveAroundTheLoop) {
  const LivenessOfF f(
      "  li a0, 0\n"
      "head: add a0, a0, t0\n"
      "  li t1, 7\n"
      "  add t0, t0, t1\n"
      "latch: addi a1, a1, -1\n  bnez a1, head\n"
      "out: ret");
  EXPECT_EQ(f.before("latch"), kAtReturn | kT0);
  EXPECT_EQ(f.before("head"), kAtReturn | kT0);
  EXPECT_EQ(f.before("out"), kAtReturn);
  EXPECT_EQ(f.before("f"), (kAtReturn & ~kA0) | kT0);
}

TEST(Liveness, ALoopWithoutAnEndWantsOnlyWhatItReads) {
  EXPECT_EQ(LivenessOfF("again: addi t0, t0, 1\n  j again").before("f"), kT0);
}

TEST(Liveness, ATailCallWantsArgumentsAndTheReturnAddress) {
  const Registers expected = kPreserved | kPassed | kT2 | kRa;
  EXPECT_EQ(LivenessOfF("  j g").before("f"), expected);
  EXPECT_EQ(LivenessOfF("  tail g").before("f"), expected);
  EXPECT_EQ(LivenessOfF("  jr t3").before("f"), expected | kT3);
  // A known callee leaves alone what this function is said to leave alone.
  EXPECT_EQ(LivenessOfF("  tail g", kCallerSaved & ~kT4).before("f"), expected | kT4);
}

TEST(Liveness, ATailCallBesideAJumpTableStillWantsItsArguments) {
  // gcc writes a switch so, one of whose cases returns what a pointer to a function gives.
  Decoded decoded(function_text("f",
                                "  lla a4, table\n  slli a0, a0, 3\n  add a4, a4, a0\n"
                                "  ld a5, 0(a4)\n  jr a5\n"
                                "one: li a0, 1\n  ret\n"
                                "two: ld a5, 0(a1)\nlast: jr a5") +
                  ".section .rodata\ntable: .dword one, two\n");
  const Liveness live(decoded.code_with("f"), decoded.graph("f"), kCallerSaved,
                      [](const Instruction&) { return kCallerSaved; });
  EXPECT_EQ(live.before(decoded.at("last")) & kPassed, kPassed);
  EXPECT_EQ(live.before(decoded.at("two")) & kA2, kA2);
  EXPECT_EQ(live.before(decoded.at("f")) & kA2, kA2);
}

TEST(Liveness, WhereControlLeavesToAnUnknownPlaceEverythingIsLive) {
  EXPECT_EQ(LivenessOfF("  nop").before("f"), ~x(0));
  EXPECT_EQ(LivenessOfF("  j inside_g").before("f"), ~x(0));
  EXPECT_EQ(LivenessOfF("  beqz a0, inside_g\n  ret").before("f"), ~x(0));
  EXPECT_EQ(LivenessOfF("  ebreak").before("f"), ~x(0));
}

TEST(Liveness, ASystemCallReadsArgumentsAndGivesAResult) {
  const LivenessOfF f("  ecall\nafter: ret");
  EXPECT_EQ(f.before("f") & set_of({10, 11, 12, 13, 14, 15, 16, 17}, {}),
            set_of({10, 11, 12, 13, 14, 15, 16, 17}, {}));
  const LivenessOfF twice("  nop\nmiddle: li a7, 93\n  ecall\n  mv t0, a0\n  li a0, 1\n  ret");
  EXPECT_EQ(twice.before("middle") & x(17), 0u);
}

TEST(Liveness, CalleeSavedRegistersAreFreeBetweenSavingAndRestoring) {
  const LivenessOfF f(
      "  sd s0, 0(sp)\n  fsd fs0, 8(sp)\n"
      "saved: li s0, 5\n  add a0, a0, s0\n"
      "used: ld s0, 0(sp)\n  fld fs0, 8(sp)\n  ret");
  EXPECT_EQ(f.before("f") & (kS0 | kFs0), kS0 | kFs0);
  EXPECT_EQ(f.before("saved") & (kS0 | kFs0), 0u);
  EXPECT_EQ(f.before("used") & (kS0 | kFs0 | kS1 | kSp), kS1 | kSp);
}

}  // namespace
}  // namespace strobe::object
