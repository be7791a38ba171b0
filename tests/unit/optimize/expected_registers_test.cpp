// What the callers of a function expect of it beyond the convention.
#include "sw/optimize/schedule/expected_registers.h"

#include <gtest/gtest.h>

#include "tests/unit/object/decoded.h"

namespace strobe::optimize {
namespace {

using object::function_text;
using object::kCallerSaved;
using object::Registers;
using object::x;

constexpr unsigned kT0 = 5, kT1 = 6, kT2 = 7;

Registers expected_of(const std::string& name, const std::string& assembly) {
  std::vector<object::LinkInput> inputs;
  inputs.push_back({"test.o", object::assembled(assembly).serialize()});
  const object::Program program(std::move(inputs));
  const std::vector<Registers> expected = expected_registers(program, 0);
  for (size_t i = 0; i < program.functions().size(); ++i) {
    if (program.functions()[i].name == name) return expected[i];
  }
  throw std::runtime_error("no function " + name);
}

std::string leaf() { return function_text("leaf", " addi a0,a0,1\n ret\n"); }

/// A function that calls `leaf` between `before` and `after`.
std::string caller(const std::string& name, const std::string& before, const std::string& after,
                   const std::string& callee = "leaf") {
  return function_text(name, " addi sp,sp,-16\n sd ra,8(sp)\n" + before + " call " + callee + "\n" +
                                 after + " ld ra,8(sp)\n addi sp,sp,16\n ret\n");
}

TEST(ExpectedRegisters, AFunctionThatNobodyCallsOwesTheConventionAlone) {
  EXPECT_EQ(expected_of("leaf", leaf()), 0u);
}

TEST(ExpectedRegisters, WhatIsReadAfterACallIsExpected) {
  const std::string text = leaf() + caller("g", " li t1,3\n", " add a0,a0,t1\n");
  const Registers expected = expected_of("leaf", text);
  EXPECT_EQ(expected & (x(kT0) | x(kT1) | x(kT2)), x(kT1));
}

TEST(ExpectedRegisters, WhatIsWrittenAfterTheCallFirstIsNot) {
  const std::string text = leaf() + caller("g", " li t1,3\n", " li t1,4\n add a0,a0,t1\n");
  EXPECT_EQ(expected_of("leaf", text) & x(kT1), 0u);
}

TEST(ExpectedRegisters, ACallerHandsOnWhatItsOwnCallersExpect) {
  const std::string text =
      leaf() + caller("g", "", "") + caller("h", " li t2,3\n", " add a0,a0,t2\n", "g");
  EXPECT_EQ(expected_of("g", text) & (x(kT0) | x(kT2)), x(kT2));
  EXPECT_EQ(expected_of("leaf", text) & (x(kT0) | x(kT2)), x(kT2));
}

TEST(ExpectedRegisters, ATailCallReturnsToTheCallersCaller) {
  const std::string text = leaf() + function_text("g", " addi a0,a0,2\n tail leaf\n") +
                           caller("h", " li t2,3\n", " add a0,a0,t2\n", "g");
  EXPECT_EQ(expected_of("leaf", text) & (x(kT0) | x(kT2)), x(kT2));
}

TEST(ExpectedRegisters, CodeThatIsNoFunctionMayExpectAll) {
  EXPECT_EQ(expected_of("leaf", leaf() + "stray: call leaf\n ret\n"), kCallerSaved);
}

TEST(ExpectedRegisters, AJumpIntoTheMiddleOfAFunctionMayExpectAll) {
  const std::string text = function_text("f", " addi a0,a0,1\nmiddle: addi a0,a0,2\n ret\n") +
                           function_text("g", " j middle\n");
  EXPECT_EQ(expected_of("f", text), kCallerSaved);
}

}  // namespace
}  // namespace strobe::optimize
