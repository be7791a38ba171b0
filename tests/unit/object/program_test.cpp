// Symbols, calls and changed registers of several objects together.
#include "sw/object/analysis/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/object/decoded.h"

namespace strobe::object {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

/// Objects of some assembly, in the order of the linker.
struct Together {
  explicit Together(const std::vector<std::string>& texts) : program(inputs_of(texts)) {}

  static std::vector<LinkInput> inputs_of(const std::vector<std::string>& texts) {
    std::vector<LinkInput> inputs;
    for (const std::string& text : texts) {
      inputs.push_back({std::to_string(inputs.size()) + ".o", assembled(text).serialize()});
    }
    return inputs;
  }

  const ObjectFile& file(uint32_t object) const { return program.objects()[object].file; }
  /// The function that is defined under a name in an object.
  uint32_t in(uint32_t object, const std::string& name) const {
    const Symbol& symbol = file(object).symbols[symbol_named(file(object), name)];
    return program.function_at(object, symbol.section, static_cast<uint32_t>(symbol.value));
  }
  /// The function that a symbol of an object means.
  uint32_t meant(uint32_t object, const std::string& name) const {
    return program.function_of(object, symbol_named(file(object), name));
  }
  const CallNode& node(const std::string& name, uint32_t object = 0) const {
    return program.calls().nodes.at(in(object, name));
  }
  Registers changed(const std::string& name, uint32_t object = 0) const {
    return program.changed_by(in(object, name));
  }
  /// What the call of object 0 before a label may change.
  Registers changed_before(const std::string& label) const {
    const Symbol& symbol = file(0).symbols[symbol_named(file(0), label)];
    const Code& code = *program.objects()[0].code_of(symbol.section);
    return program.changed_by(0, code.instructions().at(code.at(symbol.value) - 1));
  }

  Program program;
};

std::string weak(const std::string& name, const std::string& body) {
  return function_text(name, body) + ".weak " + name + "\n";
}

/// A function that other objects do not see.
std::string static_function(const std::string& name, const std::string& body) {
  return ".text\n.type " + name + ",@function\n" + name + ":\n" + body + "\n.size " + name + ",.-" +
         name + "\n";
}

TEST(Program, ASymbolMeansTheFunctionOfAnotherObject) {
  const Together objects({function_text("f", "  call g\n  call nowhere\n  ret"),
                          function_text("first", "  ret") + function_text("g", "  ret")});
  ASSERT_EQ(objects.program.functions().size(), 3u);
  const uint32_t g = objects.meant(0, "g");
  ASSERT_NE(g, kNone);
  EXPECT_EQ(objects.program.functions()[g].object, 1u);
  EXPECT_EQ(objects.program.functions()[g].name, "g");
  EXPECT_EQ(objects.program.functions()[g].function.start, value_of(objects.file(1), "g"));
  EXPECT_EQ(g, objects.in(1, "g"));
  EXPECT_EQ(g, objects.meant(1, "g"));
  EXPECT_EQ(objects.meant(0, "nowhere"), kNone);
}

TEST(Program, AStrongDefinitionWinsOverAWeakOne) {
  const std::string caller = function_text("f", "  call g\n  ret");
  const Together last({caller + weak("g", "  ret"), function_text("g", "  nop\n  ret")});
  EXPECT_EQ(last.meant(0, "g"), last.in(1, "g"));
  const Together first({function_text("g", "  nop\n  ret"), caller + weak("g", "  ret")});
  EXPECT_EQ(first.meant(1, "g"), first.in(0, "g"));
}

TEST(Program, AmongWeakDefinitionsTheFirstWins) {
  const Together objects(
      {function_text("f", "  call g\n  ret"), weak("g", "  ret"), weak("g", "  nop\n  ret")});
  EXPECT_EQ(objects.meant(0, "g"), objects.in(1, "g"));
  EXPECT_EQ(objects.meant(2, "g"), objects.in(1, "g"));
}

TEST(Program, ALocalSymbolIsNotSeenByOtherObjects) {
  const std::string caller = function_text("f", "  call g\n  ret");
  const std::string own = static_function("g", "  ret");
  const Together without({caller, own});
  EXPECT_EQ(without.meant(0, "g"), kNone);
  const Together with({caller, own, function_text("g", "  ret")});
  EXPECT_EQ(with.meant(0, "g"), with.in(2, "g"));
  EXPECT_EQ(with.meant(1, "g"), with.in(1, "g"));
}

TEST(Program, AFunctionIsFoundByThePlaceWhereItBegins) {
  const Together objects(
      {function_text("f", "  nop\n  ret") +
       ".globl alias\n.type alias,@function\n.set alias, f\n.size alias, 4\n" +
       ".section .text.other,\"ax\",@progbits\n.type h,@function\nh: ret\n.size h,.-h\n"});
  const uint32_t text = section_named(objects.file(0), ".text");
  const uint32_t other = section_named(objects.file(0), ".text.other");
  EXPECT_EQ(objects.program.functions().size(), 2u);
  EXPECT_EQ(objects.program.functions()[objects.program.function_at(0, other, 0)].name, "h");
  EXPECT_EQ(objects.program.function_at(0, text, 0), objects.meant(0, "alias"));
  EXPECT_EQ(objects.program.function_at(0, text, 0), objects.meant(0, "f"));
  EXPECT_EQ(objects.program.function_at(0, text, 2), kNone);
  EXPECT_EQ(objects.program.function_at(1, text, 0), kNone);
}

TEST(Program, ALeafChangesTheCallerSavedRegistersThatItWrites) {
  const Together objects(
      {function_text("f",
                     "  sd s0, 0(sp)\n  mv s0, a3\n  add t0, a1, a2\n  fadd.d ft1, "
                     "fa0, fs0\n  ld s0, 0(sp)\n  ret")});
  EXPECT_EQ(objects.changed("f"), x(5) | f(1));
}

TEST(Program, AFunctionChangesWhatThoseOfItsObjectChangeThatItCalls) {
  const Together objects(
      {function_text("f", "  li t3, 1\n  call g\nafter_g: ret") +
       function_text("g", "  li t4, 1\n  call h\nafter_h: ret") +
       static_function("h", "  li t5, 1\n  beqz a0, last\n  call g\nlast: ret")});
  const Registers of_g = x(29) | x(30) | x(1);
  EXPECT_EQ(objects.changed("f"), of_g | x(28));
  EXPECT_EQ(objects.changed("g"), of_g);
  EXPECT_EQ(objects.changed("h"), of_g);
  EXPECT_EQ(objects.changed_before("after_g"), of_g);
}

TEST(Program, ACallChangesItsLinkRegisterEvenIfTheCalleeDoesNot) {
  const Together objects(
      {function_text("f", "  call g\nafter_g: ret") + function_text("g", "  li t0, 1\n  ret")});
  EXPECT_EQ(objects.changed("g"), x(5));
  EXPECT_EQ(objects.changed_before("after_g"), x(5) | x(1));
}

TEST(Program, ATailCallChangesWhatItsTargetChanges) {
  const Together objects({function_text("f", "  j g") + function_text("far", "  tail g") +
                          function_text("g", "  li t4, 1\n  ret")});
  EXPECT_EQ(objects.changed("f"), x(29));
  EXPECT_EQ(objects.changed("far"), x(29) | x(6));  // the pair of a tail call computes in t1
}

TEST(Program, WhatIsNotKnownMayChangeAllThatTheConventionAllows) {
  const Together objects(
      {function_text("other", "  call g\nafter_other: ret") +
           function_text("nowhere", "  call n\nafter_nowhere: ret") +
           function_text("indirect", "  jalr a5\nafter_indirect: ret") +
           function_text("tail_other", "  tail g") + function_text("tail_indirect", "  jr a5") +
           function_text("part", "  j middle") + function_text("h", "  nop\nmiddle: ret") +
           function_text("above", "  call other\nafter_above: ret") +
           function_text("replaced", "  call w\nafter_weak: ret") + weak("w", "  ret"),
       function_text("g", "  ret") + function_text("w", "  ret")});
  for (const char* name : {"other", "nowhere", "indirect", "tail_other", "tail_indirect", "part",
                           "above", "replaced"}) {
    EXPECT_EQ(objects.changed(name), kCallerSaved) << name;
  }
  for (const char* label :
       {"after_other", "after_nowhere", "after_indirect", "after_above", "after_weak"}) {
    EXPECT_EQ(objects.changed_before(label), kCallerSaved) << label;
  }
  EXPECT_EQ(objects.changed("h"), 0u);
  EXPECT_EQ(objects.changed("g", 1), 0u);
}

TEST(Program, DirectCallsAndTailCallsAreEdgesAcrossObjectsToo) {
  const Together objects(
      {function_text("f", "  call g\n  call g\n  beqz a0, own\n  tail h\nown: tail nowhere") +
           function_text("h", "  ret"),
       function_text("g", "  call f\n  j g")});
  EXPECT_EQ(objects.node("f").name, "f");
  EXPECT_THAT(objects.node("f").callees,
              UnorderedElementsAre(objects.in(1, "g"), objects.in(0, "h")));
  EXPECT_THAT(objects.node("g", 1).callees,
              UnorderedElementsAre(objects.in(0, "f"), objects.in(1, "g")));
  EXPECT_THAT(objects.node("h").callees, IsEmpty());
  EXPECT_TRUE(objects.program.calls().leaf(objects.in(0, "h")));
  EXPECT_FALSE(objects.program.calls().leaf(objects.in(0, "f")));
  for (const CallNode& node : objects.program.calls().nodes) {
    EXPECT_FALSE(node.calls_indirectly) << node.name;
    EXPECT_FALSE(node.address_taken) << node.name;
  }
}

TEST(Program, ALoopBackToTheFirstInstructionIsNoCall) {
  const Together objects({function_text("f", "first: addi a0, a0, -1\n  bnez a0, first\n  ret")});
  EXPECT_THAT(objects.node("f").callees, IsEmpty());
}

TEST(Program, ARecursionIsAnEdgeToItself) {
  const Together objects({function_text("f", "  call f\n  ret")});
  EXPECT_THAT(objects.node("f").callees, ElementsAre(objects.in(0, "f")));
}

TEST(Program, ABranchToAnotherFunctionIsAnEdge) {
  const Together objects({function_text("f", "  beqz a0, label_of_g\n  ret") + "label_of_g:\n" +
                          function_text("g", "  ret")});
  EXPECT_THAT(objects.node("f").callees, ElementsAre(objects.in(0, "g")));
}

TEST(Program, AJumpOrBranchIntoTheMiddleOfAFunctionIsAnEdge) {
  // gcc jumps like this into the cold part of a function, and back.
  const Together objects({function_text("f", "  beqz a0, middle\n  ret\nback: ret") +
                          function_text("g", "  nop\nmiddle: call h\n  j back") +
                          function_text("h", "  ret")});
  EXPECT_THAT(objects.node("f").callees, ElementsAre(objects.in(0, "g")));
  EXPECT_THAT(objects.node("g").callees,
              UnorderedElementsAre(objects.in(0, "f"), objects.in(0, "h")));
}

TEST(Program, IndirectCallsAndTailCallsAreMarkedAndJumpsByATableAreNot) {
  const Together objects(
      {function_text("call", "  jalr a5\n  ret") + function_text("tail_call", "  jr a5") +
       function_text("table",
                     "  lla a4, labels\n  lw a5, 0(a4)\n  add a5, a5, a4\n  jr a5\none: ret") +
       ".section .rodata\nlabels: .word one - labels\n"});
  EXPECT_TRUE(objects.node("call").calls_indirectly);
  EXPECT_TRUE(objects.node("tail_call").calls_indirectly);
  EXPECT_FALSE(objects.node("table").calls_indirectly);
  EXPECT_TRUE(objects.program.calls().leaf(objects.in(0, "table")));
}

TEST(Program, AnIndirectTailCallBesideAJumpTableIsMarked) {
  // gcc writes a switch like this if one of its cases returns what a pointer to a function gives.
  const Together objects(
      {function_text("f",
                     "  lla a4, labels\n  lw a5, 0(a4)\n  add a5, a5, a4\n  jr a5\n"
                     "one: ld a5, 0(a1)\n  li a0, 1\n  jr a5") +
       ".section .rodata\nlabels: .word one - labels\n"});
  EXPECT_TRUE(objects.node("f").calls_indirectly);
}

TEST(Program, AnAddressIsTakenByCodeByDataAndByOtherObjects) {
  const Together objects(
      {function_text("f", "  lla a0, by_code\n  la a1, there\n  call called\n  ret") +
           function_text("by_code", "  ret") + static_function("by_data", "  ret") +
           function_text("called", "  ret") + ".data\n.dword by_data\n.dword there_too\n",
       function_text("there", "  ret") + function_text("there_too", "  ret")});
  for (const char* name : {"by_code", "by_data"}) {
    EXPECT_TRUE(objects.node(name).address_taken) << name;
  }
  for (const char* name : {"there", "there_too"}) {
    EXPECT_TRUE(objects.node(name, 1).address_taken) << name;
  }
  EXPECT_FALSE(objects.node("called").address_taken);
  EXPECT_FALSE(objects.node("f").address_taken);
}

}  // namespace
}  // namespace strobe::object
