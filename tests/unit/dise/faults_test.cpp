// Every fault of a production file: what, where, expected, got.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "sw/dise/assemble.h"

namespace strobe::dise {
namespace {

struct Case {
  const char* name;
  const char* text;
  const char* where;  // line:column
  const char* what;   // part of the message
};

const Case kCases[] = {
    {"UndefinedCounter", "P: T.OPCLASS == load && overflow_3 -> null, inc_1;", "1:25",
     "no counter 3: the engine has counters 1 to 2"},
    {"UndefinedCounterOperation", "P: T.OPCLASS == load -> null, inc_0;", "1:31",
     "no counter for 'inc_0'"},
    {"UndefinedRegister", "P: T.OPCLASS == load -> null, set_1(freq);", "1:37",
     "no dise register 'freq'"},
    {"RegisterMisspelt", "register freqency = d6;\nP: T.OPCLASS == load -> null, set_1(frequency);",
     "2:37", "did you mean 'freqency'?"},
    {"RegisterOutOfRange", "register a = d8;\nP: T.OPCLASS == load -> null, inc_1;", "1:14",
     "expected d0 to d7"},
    {"NoFlag", "P: T.OPCLASS == load && carry_1 -> null, inc_1;", "1:25", "is not a flag"},
    {"NoClass", "P: T.OPCLASS == loads -> null, inc_1;", "1:17", "did you mean 'load'?"},
    {"NoOpcode", "P: T.OPCODE == ldx -> null, inc_1;", "1:16", "is not an instruction of RV64GC"},
    {"NoField", "P: T.RS4 == x1 -> null, inc_1;", "1:4", "did you mean"},
    {"MachineMode", "P: T.MODE == machine -> null, inc_1;", "1:4", "M-mode is never rewritten"},
    {"Contradiction", "P: T.OPCODE == ld && T.OPCLASS == store -> null, inc_1;", "1:4",
     "no instruction can ever match"},
    {"NegatedComparison", "P: !(T.OPCLASS == load) -> null, inc_1;", "1:6", "'!' is for flags"},
    {"FieldWithoutOpcode", "P: T.RD == x1 -> null, inc_1;", "1:4", "add T.OPCLASS or T.OPCODE"},
    {"ImmediateOutOfRange", "P: T.OPCODE == ld && T.IMM == 5000 -> null, inc_1;", "1:4",
     "no instruction can ever match"},
    {"TwoOperations", "P: T.OPCLASS == load -> null, inc_1, dec_1;", "1:38",
     "two operations in one production"},
    {"CountersCollide", "P: T.OPCLASS == load -> null, inc_1;\nQ: T.OPCODE == ld -> null, dec_1;",
     "1:1", "can both act on counter 1"},
    {"NothingGoesBehindTheEnd", "P: T.OPCLASS == load -> R;\nR: { T.END; addi d0, d0, 1; T.INSN }",
     "2:13", "this is never reached after T.END: expected a label"},
    {"SequenceWithoutEnd", "P: T.OPCLASS == load -> R;\nR: {\n T.INSN\n", "2:1", "has no end"},
    {"EmptySequence", "P: T.OPCLASS == load -> R;\nR: { }", "2:1", "is empty"},
    {"BranchOut", "P: T.OPCLASS == load -> R;\nR: {\n beq d0, d1, .out\n T.INSN\n}", "3:14",
     "stays inside its sequence"},
    {"BranchBack", "P: T.OPCLASS == load -> R;\nR: {\n.a: beq d0, d1, .a\n T.INSN\n}", "3:17",
     "only goes forward"},
    {"FrequencyOfNever", "P: T.OPCLASS == load -> R;\nR: {\n brr 0, .a\n T.END\n.a: T.INSN\n}",
     "3:6", "'0' is not a frequency of brr: expected a number K from 1 to 16"},
    {"FrequencyOutOfRange", "P: T.OPCLASS == load -> R;\nR: {\n brr 17, .a\n T.END\n.a: T.INSN\n}",
     "3:6", "'17' is not a frequency of brr: expected a number K from 1 to 16"},
    {"FrequencyInARegister", "P: T.OPCLASS == load -> R;\nR: {\n brr d1, .a\n T.END\n.a: T.INSN\n}",
     "3:6", "'d1' is not a frequency of brr"},
    {"FrequencyWithoutALabel", "P: T.OPCLASS == load -> R;\nR: {\n brr 7\n T.INSN\n}", "3:2",
     "brr has 1 operand: expected a frequency and a label"},
    {"RandomBranchBack", "P: T.OPCLASS == load -> R;\nR: {\n.a: brr 7, .a\n T.INSN\n}", "3:12",
     "only goes forward"},
    {"RandomBranchMisspelt", "P: T.OPCLASS == load -> R;\nR: {\n br 7, .a\n.a: T.INSN\n}", "3:2",
     "'br' is not an instruction (did you mean 'brr'?)"},
    {"UnknownSequence", "P: T.OPCLASS == load -> R9;\nR1: { T.INSN }", "1:25", "no sequence 'R9'"},
    {"UnusedSequence", "P: T.OPCLASS == load -> null, inc_1;\nR1: { T.INSN }", "2:1",
     "no production uses sequence 'R1'"},
    {"System", "P: T.OPCLASS == load -> R;\nR: {\n mret\n}", "3:2", "is not allowed in a sequence"},
    {"Jump", "P: T.OPCLASS == load -> R;\nR: {\n jal x0, 8\n}", "3:2",
     "is not allowed in a sequence"},
    {"FieldTheTriggerLacks", "P: T.OPCLASS == load -> R;\nR: {\n add d0, T.RS2, d0\n T.INSN\n}",
     "3:10", "has no T.RS2"},
    {"ImmediateThatDoesNotFit",
     "P: T.OPCLASS == branch -> R;\nR: {\n addi d0, d0, T.IMM\n T.INSN\n}", "3:15", "has no T.IMM"},
    {"BehindAJump", "P: T.OPCLASS == call -> R;\nR: {\n T.INSN\n addi d0, d0, 1\n}", "3:2",
     "expected T.INSN at the end"},
    {"TemplateImmediate", "P: T.OPCLASS == load -> R;\nR: {\n addi d0, d0, 2048\n T.INSN\n}",
     "3:15", "-2048 to 2047"},
    {"Twice", "P: T.OPCLASS == load -> null, inc_1;\nP: T.OPCLASS == store -> null, inc_1;", "2:1",
     "is defined twice"},
    {"MissingSemicolon", "P: T.OPCLASS == load -> null, inc_1", "1:36", "expected ';'"},
    {"Character", "P: T.OPCLASS == load -> null, inc_1; $", "1:38", "has no meaning"},
    {"Number", "register a = d1, 0xg;\nP: T.OPCLASS == load -> null, inc_1;", "1:18",
     "is not a number"},
};

class DiseFault : public testing::TestWithParam<Case> {};

TEST_P(DiseFault, SaysWhatAndWhere) {
  const Assembled assembled = assemble({{"p.dise", GetParam().text}}, {});
  ASSERT_FALSE(assembled.good());
  const std::string all = text::to_text(assembled.faults);
  EXPECT_NE(all.find(std::string("p.dise:") + GetParam().where + ": error: "), std::string::npos)
      << all;
  EXPECT_NE(all.find(GetParam().what), std::string::npos) << all;
  EXPECT_NE(all.find('^'), std::string::npos) << all;  // the line is shown
}

INSTANTIATE_TEST_SUITE_P(Each, DiseFault, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(DiseFaults, AllOfAFileAreReportedAtOnce) {
  const Assembled assembled = assemble(
      {{"p.dise", "P: T.OPCLASS == loads -> null, inc_1;\nQ: T.OPCODE == zz -> null, inc_7;\n"}},
      {});
  EXPECT_EQ(assembled.faults.size(), 3u) << text::to_text(assembled.faults);
}

TEST(DiseFaults, TooManyProductionsNameTheFirstWithoutRoom) {
  std::string text;
  for (int i = 0; i < 33; ++i) {
    text += fmt::format("P{0}: T.OPCODE == addi && T.RD == x{1} && T.RS1 == x{2} -> null, inc_1;\n",
                        i, i % 31 + 1, i / 31);
  }
  const Assembled assembled = assemble({{"p.dise", text}}, {});
  ASSERT_EQ(assembled.faults.size(), 1u) << text::to_text(assembled.faults);
  EXPECT_EQ(assembled.faults[0].line, 33);
  EXPECT_NE(assembled.faults[0].message.find("33 pattern entries are needed, the engine has 32"),
            std::string::npos);
}

TEST(DiseFaults, TooLongSequencesSayHowMuchThereIs) {
  std::string text = "P: T.OPCLASS == load -> R;\nR: {\n";
  for (int i = 0; i < 2048; ++i) text += "addi d0, d0, 1\n";
  const Assembled assembled = assemble({{"p.dise", text + "T.INSN\n}\n"}}, {});
  ASSERT_EQ(assembled.faults.size(), 1u);
  EXPECT_EQ(assembled.faults[0].line, 2);
  EXPECT_NE(assembled.faults[0].message.find("2049 replacement entries are needed"),
            std::string::npos);
}

TEST(DiseFaults, SequencesOfTwoFilesThatCannotBeJoined) {
  const Assembled assembled =
      assemble({{"a.dise", "P: T.OPCLASS == load -> A; A: { addi d0, d0, 1 }"},
                {"b.dise", "Q: T.OPCLASS == load -> B; B: { T.INSN }"}},
               {});
  ASSERT_EQ(assembled.faults.size(), 1u) << text::to_text(assembled.faults);
  EXPECT_NE(assembled.faults[0].message.find("cannot be joined"), std::string::npos);
}

TEST(DiseFaults, AFileThatNeverEnds) {
  const Assembled assembled = assemble_files({"/dev/zero"}, {});
  EXPECT_EQ(text::to_text(assembled.faults),
            "/dev/zero: error: cannot be read: expected a production file, got: it is a device\n");
}

TEST(DiseFaults, AFileThatIsNotThere) {
  const Assembled assembled = assemble_files({"no/such.dise"}, {});
  ASSERT_EQ(assembled.faults.size(), 1u);
  EXPECT_NE(text::to_text(assembled.faults).find("no/such.dise: error: cannot be read"),
            std::string::npos);
}

TEST(Faults, AreAtMostAHundredAndTheTextSaysHowManyMore) {
  const Assembled many = assemble({{"a.dise", std::string(60000, '\x01')}}, {});
  EXPECT_EQ(many.faults.size(), 60000u);
  EXPECT_EQ(many.faults.more(), 59900u);
  EXPECT_NE(text::to_text(many.faults)
                .find("\nand 59900 more faults, which are not shown: mend these first\n"),
            std::string::npos);
}

TEST(Faults, OfAFileThatIsTooLargeIsThatAlone) {
  const Assembled assembled = assemble({{"a.dise", std::string(65537, '#')}}, {});
  ASSERT_EQ(assembled.faults.size(), 1u);
  EXPECT_EQ(assembled.faults[0].text(),
            "a.dise: error: expected a production file of at most 65536 bytes, got 65537");
  EXPECT_EQ(assemble({{"a.dise", std::string(65536, '#')}}, {}).faults.size(),
            assemble({{"a.dise", "#"}}, {}).faults.size());
}

}  // namespace
}  // namespace strobe::dise
