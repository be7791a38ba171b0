// Are the markers where they belong, and nowhere else?
#include "sw/plant/plant.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace strobe::plant {
namespace {

const std::string kMark = "\tsltiu\tx0,x0,3\n";

Planted planted(const std::string& text, Target target, std::vector<std::string> functions = {}) {
  return plant(text, {target, 3, std::move(functions)});
}

TEST(Plant, AMarkerComesDirectlyBeforeEachLoad) {
  const std::string text =
      "f:\n\tld\ta5,8(sp)\n\tadd\ta0,a0,a5\n\tsd\ta0,8(sp)\n\tflw\tfa0,0(a0)\n";
  const Planted result = planted(text, Target::kLoads);
  EXPECT_EQ(result.text, "f:\n" + kMark + "\tld\ta5,8(sp)\n\tadd\ta0,a0,a5\n\tsd\ta0,8(sp)\n" +
                             kMark + "\tflw\tfa0,0(a0)\n");
  EXPECT_EQ(result.markers, 2u);
}

TEST(Plant, BranchesAndCallsAreToldApart) {
  const std::string text = "f:\n\tbeq\ta0,a1,.L2\n\tcall\tg\n\tj\t.L2\n\tjalr\ta5\n";
  EXPECT_EQ(planted(text, Target::kBranches).text,
            "f:\n" + kMark + "\tbeq\ta0,a1,.L2\n\tcall\tg\n\tj\t.L2\n\tjalr\ta5\n");
  EXPECT_EQ(planted(text, Target::kCalls).text,
            "f:\n\tbeq\ta0,a1,.L2\n" + kMark + "\tcall\tg\n\tj\t.L2\n" + kMark + "\tjalr\ta5\n");
}

TEST(Plant, AVirtualCallIsMarkedAtTheLoadOfItsMethodTable) {
  const std::string head = "f:\n\tmv\ts0,a0\n";
  const std::string table = "\tld\ta5,0(s0)\n", rest = "\tmv\ta0,s0\n\tld\ta5,72(a5)\n\tjalr\ta5\n";
  const Planted result = planted(head + table + rest, Target::kVirtualCalls);
  EXPECT_EQ(result.text, head + kMark + table + rest);
  EXPECT_EQ(result.markers, 1u);
}

TEST(Plant, AVirtualCallThatIsAJumpOrUsesTwoRegistersIsFound) {
  const std::string table = "\tld\ta4,0(a5)\n";
  EXPECT_EQ(planted(table + "\tld\ta3,8(a4)\n\tjr\ta3\n", Target::kVirtualCalls).text,
            kMark + table + "\tld\ta3,8(a4)\n\tjr\ta3\n");
}

TEST(Plant, WhatIsNoVirtualCallIsLeftAlone) {
  for (const char* text : {
           "\tld\ta5,0(a0)\n\tjalr\ta5\n",                               // a function pointer
           "\tld\ta5,0(a0)\n.L1:\n\tld\ta5,8(a5)\n\tjalr\ta5\n",         // a label in between
           "\tld\ta5,0(a0)\n\tcall\tg\n\tld\ta5,8(a5)\n\tjalr\ta5\n",    // a call in between
           "\tld\ta5,16(a0)\n\tld\ta5,8(a5)\n\tjalr\ta5\n",              // no table at offset 0
           "\tld\ta5,0(a0)\n\tld\ta5,8(a5)\n\tmv\ta5,a1\n\tjalr\ta5\n",  // another target
           "\tld\ta5,0(a0)\n\tli\ta5,4\n\tld\ta5,8(a5)\n\tjalr\ta5\n",   // another table
           "\tlw\ta5,0(a0)\n\tld\ta5,8(a5)\n\tjalr\ta5\n",               // no pointer
           "# ld a5,0(a0)\n\tld\ta5,8(a5)\n\tjalr\ta5\n",                // a comment
       }) {
    EXPECT_EQ(planted(text, Target::kVirtualCalls).text, text);
  }
}

TEST(Plant, OnlyTheFunctionsAskedForAreMarked) {
  const std::string f = "f:\n\tld\ta0,0(a0)\n.L1:\n\tld\ta1,0(a0)\n", g = "g:\n\tld\ta0,0(a0)\n";
  const Planted result = planted(f + g, Target::kLoads, {"f", "h"});
  EXPECT_EQ(result.markers, 2u);
  EXPECT_EQ(result.text.substr(result.text.size() - g.size()), g);
  EXPECT_EQ(result.missing, std::vector<std::string>{"h"});
}

TEST(Plant, ALabelOnTheLineStaysInFrontOfTheMarker) {
  EXPECT_EQ(planted("f: ld a0,0(a0)\n", Target::kLoads).text, "f:\n" + kMark + " ld a0,0(a0)\n");
}

TEST(Plant, ANumberThatNoTagHasIsRefused) {
  try {
    plant("", {Target::kLoads, 16, {}});
    FAIL() << "no exception";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "marker number: expected 0 to 15, got 16");
  }
}

}  // namespace
}  // namespace strobe::plant
