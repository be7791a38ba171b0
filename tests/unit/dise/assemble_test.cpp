// The output of assembling productions: entries, words, order, merging.
#include "sw/dise/assemble.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sc_models/isa/decode/decoded.h"
#include "sw/dise/image/disassemble.h"
#include "sw/dise/image/image_file.h"
#include "sw/dise/replacement.h"
#include "tests/tree.h"

namespace strobe::dise {
namespace {

const std::string kHps = in_source("configs/profilers/hps/");

Image good(const std::vector<SourceFile>& files) {
  Assembled assembled = assemble(files, {});
  EXPECT_TRUE(assembled.good()) << text::to_text(assembled.faults);
  return assembled.image;
}
Image good(const std::string& text) { return good({{"a.dise", text}}); }

Image good_files(const std::vector<std::string>& names) {
  std::vector<std::string> paths;
  for (const std::string& name : names) paths.push_back(kHps + name);
  Assembled assembled = assemble_files(paths, {});
  EXPECT_TRUE(assembled.good()) << text::to_text(assembled.faults);
  return assembled.image;
}

bool matches(const InstructionPattern& pattern, uint32_t insn) {
  const isa::DecodedInsn decoded = isa::decode(insn);
  const bool control = decoded.opclass == OpClass::kBranch || (insn & 0x7f) == 0x6f;
  const bool backward = control && decoded.imm <= 0, forward = control && decoded.imm > 0;
  return ((insn ^ pattern.value) & pattern.mask) == 0 &&
         (pattern.classes >> static_cast<unsigned>(decoded.opclass) & 1) != 0 &&
         (pattern.sign == Sign::kAny || (decoded.imm < 0) == (pattern.sign == Sign::kNegative)) &&
         (pattern.direction == Direction::kAny ||
          (pattern.direction == Direction::kBackward ? backward : forward));
}
// Any entry, whatever the flags.
bool matches(const Image& image, uint32_t insn) {
  for (const PatternEntry& entry : image.patterns) {
    if (matches(entry.pattern, insn)) return true;
  }
  return false;
}

constexpr uint32_t kLd = 0x00853503;       // ld x10, 8(x10)
constexpr uint32_t kFld = 0x00853507;      // fld f10, 8(x10)
constexpr uint32_t kSd = 0xfea53c23;       // sd x10, -8(x10)
constexpr uint32_t kBeqBack = 0xfe000ee3;  // beq x0, x0, -4
constexpr uint32_t kBeqHere = 0x00000063;  // beq x0, x0, 0
constexpr uint32_t kBeqOn = 0x00000263;    // beq x0, x0, 4
constexpr uint32_t kCall = 0x004000ef;     // jal x1, 4
constexpr uint32_t kJump = 0x0040006f;     // jal x0, 4
constexpr uint32_t kLui = 0x00001537;      // lui x10, 1
constexpr uint32_t kAddi = 0xfff50513;     // addi x10, x10, -1

TEST(DisePattern, AnOpcodeClassIsAMaskOfClasses) {
  const Image image = good("P: T.OPCLASS == mem_op -> null, inc_1;");
  ASSERT_EQ(image.patterns.size(), 1u);
  EXPECT_EQ(image.patterns[0].pattern.classes, 1u << 3 | 1u << 4 | 1u << 5);
  EXPECT_EQ(image.patterns[0].condition, 0xffffu);
  EXPECT_TRUE(matches(image, kLd) && matches(image, kSd));
  EXPECT_FALSE(matches(image, kAddi));
}

TEST(DisePattern, ABackwardBranchHasItsTargetAtOrBelowItsPc) {
  const Image image = good("P: T.OPCLASS == branch && T.TARGET <= T.PC -> null, inc_1;");
  EXPECT_TRUE(matches(image, kBeqBack));
  EXPECT_TRUE(matches(image, kBeqHere));
  EXPECT_FALSE(matches(image, kBeqOn));
  EXPECT_FALSE(matches(image, kCall));
}

TEST(DisePattern, ARegisterIsLookedForWhereTheInstructionHasIt) {
  const Image loads = good("P: T.OPCLASS == load && T.RD == a0 -> null, inc_1;");
  EXPECT_TRUE(matches(loads, kLd));
  EXPECT_FALSE(matches(loads, kLd ^ 1u << 7));
  EXPECT_FALSE(matches(loads, kFld));  // writes f10
  const Image fp = good("P: T.OPCLASS == load && T.RD == f10 -> null, inc_1;");
  EXPECT_TRUE(matches(fp, kFld));
  EXPECT_FALSE(matches(fp, kLd));
  // lui has bits where another instruction has rs1: it does not match.
  const Image alu = good("P: T.OPCLASS == alu && T.RS1 == x10 -> null, inc_1;");
  EXPECT_TRUE(matches(alu, kAddi));
  EXPECT_FALSE(matches(alu, kLui | 10u << 15));
}

TEST(DisePattern, AnImmediateIsComparedInTheInstructionsFormat) {
  const Image image = good("P: T.OPCODE == sd && T.IMM == -8 -> null, inc_1;");
  EXPECT_TRUE(matches(image, kSd));
  EXPECT_FALSE(matches(image, kSd ^ 1u << 7));
  const Image jump = good("P: T.OPCLASS == jump && T.IMM == 4 -> null, inc_1;");
  EXPECT_TRUE(matches(jump, kJump));
  EXPECT_FALSE(matches(jump, kCall));
  const Image negative = good("P: T.OPCODE == addi && T.IMM < 0 -> null, inc_1;");
  EXPECT_TRUE(matches(negative, kAddi));
  EXPECT_FALSE(matches(negative, kAddi ^ 1u << 31));
}

TEST(DisePattern, ConditionsAreTruthTablesOverTheFlags) {
  const auto condition = [](const std::string& text) {
    return good("P: T.OPCLASS == load && " + text + " -> null, inc_1;").patterns[0].condition;
  };
  // Bit f of the table is for the flags f = {zero_2, overflow_2, zero_1, overflow_1}.
  EXPECT_EQ(condition("overflow_1"), 0xaaaau);
  EXPECT_EQ(condition("zero_1"), 0xccccu);
  EXPECT_EQ(condition("overflow_2"), 0xf0f0u);
  EXPECT_EQ(condition("zero_2"), 0xff00u);
  EXPECT_EQ(condition("!overflow_1"), 0x5555u);
  EXPECT_EQ(condition("overflow_1 && !overflow_2"), 0x0a0au);
  EXPECT_EQ(condition("(overflow_1 || zero_2)"), 0xffaau);
  EXPECT_EQ(condition("!(overflow_1 && zero_2)"), 0x55ffu);
}

TEST(DisePattern, AndBindsStrongerThanOr) {
  const Image image =
      good("P: T.OPCLASS == load || T.OPCLASS == store && overflow_1 -> null, inc_1;");
  ASSERT_EQ(image.patterns.size(), 2u);
  EXPECT_EQ(image.patterns[0].condition, 0xffffu);
  EXPECT_EQ(image.patterns[1].condition, 0xaaaau);
}

TEST(DisePattern, TheSameInstructionsUnderTwoConditionsAreOneEntry) {
  const Image image =
      good("P: (T.OPCLASS == load && overflow_1) || (T.OPCLASS == load && zero_1) -> null, inc_1;");
  ASSERT_EQ(image.patterns.size(), 1u);
  EXPECT_EQ(image.patterns[0].condition, 0xeeeeu);
}

TEST(DiseSequence, WordsHaveTheContractsFields) {
  const Image image = good(R"(
register watched = d5;
P: T.OPCODE == sd -> R;
R: {
    li   d1, T.NPC
    addi d0, T.RS1, T.IMM
    sd   T.RS2, 16(d3)
    bne  d0, watched, .away
    dcall handler
.away:
    T.OP T.RS2, T.IMM(d0)
}
)");
  ASSERT_EQ(image.replacements.size(), 6u);
  EXPECT_EQ(image.replacements[0], 0x0000'2804'0000'0093u);
  EXPECT_EQ(image.replacements[1], 0x0000'0214'0000'0013u);
  EXPECT_EQ(image.replacements[2], 0x0000'00e0'0001'b823u);
  EXPECT_EQ(image.replacements[3], 0x0005'0d20'0050'1063u);
  EXPECT_EQ(image.replacements[4], 0x0000'1000'0000'0000u);
  EXPECT_EQ(image.replacements[5], 0x8000'0420'0000'0000u);
  ASSERT_EQ(image.handlers.size(), 1u);
  EXPECT_EQ(image.handlers[0].symbol, "handler");
  EXPECT_EQ(image.handlers[0].entry, 4u);
}

TEST(DiseSequence, TemplatesAreTheInstructionsAnAssemblerMakes) {
  const Image image = good(R"(
P: T.OPCLASS == jump -> R;
R: {
    add   a0, a1, a2
    srai  t0, t1, 63
    lui   s0, 0xfffff
    lbu   x5, -1(sp)
    sw    x5, 2047(gp)
    addiw x1, x2, -2048
    T.INSN
}
)");
  const uint32_t expected[] = {0x00c58533, 0x43f35293, 0xfffff437,
                               0xfff14283, 0x7e51afa3, 0x8001009b};
  for (size_t i = 0; i < std::size(expected); ++i) {
    EXPECT_EQ(image.replacements[i], expected[i]) << i;
  }
}

// The first way ends before the second begins: a branch goes from one to the other.
constexpr const char* kTwoWays = R"(
P: T.OPCLASS == load -> R;
R: {
    bne  d2, zero, .rare
    T.END
.rare:
    addi d0, d0, 1
    T.INSN
}
)";

TEST(DiseSequence, TheTriggerMayEndItEarly) {
  const Image image = good(kTwoWays);
  ASSERT_EQ(image.replacements.size(), 4u);
  std::vector<ReplacementEntry> entries;
  for (const uint64_t word : image.replacements) entries.push_back(ReplacementEntry::decode(word));
  EXPECT_EQ(entries[0].go_to, 2u);
  EXPECT_EQ(entries[1].kind, EntryKind::kTrigger);
  EXPECT_TRUE(entries[1].last);
  EXPECT_FALSE(entries[0].last || entries[2].last);
  EXPECT_EQ(entries[3].kind, EntryKind::kTrigger);
  EXPECT_TRUE(entries[3].last);
}

TEST(DiseExplain, ShowsWhatIsBehindAnEarlyEnd) {
  const std::string text = explain(good(kTwoWays));
  EXPECT_NE(text.find("addi d0, d0, 1"), std::string::npos) << text;
}

TEST(DiseOrder, TheMoreSpecificProductionComesFirst) {
  const Image image = good(R"(
wide:   T.OPCLASS == load -> A;
narrow: T.OPCODE == ld -> B;
twin:   T.OPCLASS == load && overflow_1 -> B;
A: { T.INSN }
B: { addi d0, d0, 1
     T.INSN }
)");
  ASSERT_EQ(image.patterns.size(), 3u);
  EXPECT_EQ(image.patterns[0].production, "a:narrow");
  EXPECT_EQ(image.patterns[1].production, "a:wide");
  EXPECT_EQ(image.patterns[2].production, "a:twin");
  EXPECT_EQ(image.patterns[0].start, image.patterns[2].start);  // one sequence, placed once
  EXPECT_EQ(image.replacements.size(), 3u);
}

TEST(DiseMerge, FilesThatMeetOnAnInstructionBothActOnIt) {
  const Image image = good({{"a.dise", "P: T.OPCLASS == load -> A; A: { addi d0, d0, 1\n T.INSN }"},
                            {"b.dise", "Q: T.OPCODE == ld -> B; B: { addi d1, d1, 1\n T.INSN }"}});
  ASSERT_EQ(image.patterns.size(), 2u);
  EXPECT_EQ(image.patterns[0].production, "a:P+b:Q");
  EXPECT_TRUE(matches(image.patterns[0].pattern, kLd));
  EXPECT_FALSE(matches(image.patterns[0].pattern, kFld));
  EXPECT_EQ(image.patterns[1].production, "a:P");  // Q alone cannot match
  ASSERT_EQ(image.replacements.size(), 5u);
  EXPECT_EQ(replacement_text(image.replacements[0]), "addi d0, d0, 1");
  EXPECT_EQ(replacement_text(image.replacements[1]), "addi d1, d1, 1");
  EXPECT_EQ(replacement_text(image.replacements[2]), "T.INSN");
}

TEST(DiseMerge, ThreeFilesMeet) {
  const auto file = [](const char* name, const char* reg) {
    return SourceFile{name, fmt::format("P: T.OPCLASS == load -> R; R: {{ addi {0}, {0}, 1\n "
                                        "T.INSN }}",
                                        reg)};
  };
  const Image image = good({file("a", "d0"), file("b", "d1"), file("c", "d2")});
  ASSERT_GE(image.patterns.size(), 1u);
  EXPECT_EQ(image.patterns[0].production, "a:P+b:P+c:P");
  for (size_t i = 1; i < image.patterns.size(); ++i) {
    EXPECT_EQ(image.patterns[i].pattern.classes, image.patterns[0].pattern.classes);
  }
}

TEST(DiseHps, TheFrameworkAndAllProfilesFitTogether) {
  const Image image = good_files(
      {"sampling.dise", "hot-data-streams.dise", "hot-call-pairs.dise", "hot-methods.dise"});
  EXPECT_LE(image.patterns.size(), 32u);
  // Every instruction of interest replaced in a burst, and calls and backward branches counted.
  const auto replaced = [&](uint32_t insn, unsigned flags) {
    for (const PatternEntry& entry : image.patterns) {
      if (entry.replaces && (entry.condition >> flags & 1) != 0 && matches(entry.pattern, insn)) {
        return entry.production;
      }
    }
    return std::string();
  };
  EXPECT_EQ(replaced(kLd, 0), "");
  EXPECT_EQ(replaced(kLd, 1), "hot-data-streams:P1");
  EXPECT_EQ(replaced(kCall, 1), "hot-call-pairs:P1+hot-methods:P1");
  EXPECT_EQ(replaced(kBeqBack, 1), "hot-methods:P1");
  EXPECT_EQ(replaced(kLd, 5), "");
  EXPECT_EQ(replaced(kBeqBack, 5), "hot-data-streams:P2");
  EXPECT_EQ(replaced(kBeqOn, 5), "");
  EXPECT_EQ(replaced(kCall, 5), "hot-data-streams:P2");
}

// The baselines: every event replaced, whatever the flags.
TEST(DiseHps, PlainAndRandomProductionsReplaceEveryEvent) {
  for (const std::vector<std::string>& files :
       {std::vector<std::string>{"plain-sampling.dise", "plain-hot-data-streams.dise"},
        {"plain-hot-call-pairs.dise"},
        {"plain-hot-methods.dise"},
        {"random-hot-call-pairs.dise"},
        {"random-hot-methods.dise"}}) {
    const Image image = good_files(files);
    EXPECT_TRUE(matches(image, kCall)) << files[0];
    EXPECT_FALSE(matches(image, kBeqOn)) << files[0];
    EXPECT_FALSE(matches(image, kAddi)) << files[0];
    for (const PatternEntry& entry : image.patterns) {
      EXPECT_TRUE(entry.replaces) << entry.production;
      EXPECT_EQ(entry.condition & 0xffff, 0xffffu) << entry.production;
    }
  }
}

TEST(DiseImage, ARandomBranchIsExplainedAsItIsWritten) {
  const Image image =
      good("P: T.OPCLASS == load -> R; R: { brr 7, .a; T.END; .a: addi d0, d0, 1; T.INSN }");
  ASSERT_EQ(image.replacements.size(), 4u);
  EXPECT_EQ(static_cast<uint32_t>(image.replacements[0]), branch_on_random(6));
  const std::string text = explain(image);
  EXPECT_NE(text.find("@0    brr 7, @2\n"), std::string::npos) << text;
}

TEST(DiseImage, CountersStartAsTheirRegistersSay) {
  const Image image = good("register f = d5, 0xff38;\nP: T.OPCLASS == load -> null, set_2(f);");
  const std::vector<RegisterWrite> writes = register_writes(image);
  ASSERT_GE(writes.size(), 2u);
  EXPECT_EQ(writes[0], RegisterWrite(0x40 + 8 * 5, 0xff38));
  EXPECT_EQ(writes[1], RegisterWrite(0x80 + 8, 0xff38));
}

TEST(DiseImage, SurvivesBeingAFile) {
  const Image image = good_files({"sampling.dise", "hot-methods.dise"});
  const Image again = image_from_json(to_json(image));
  EXPECT_EQ(register_writes(again), register_writes(image));
  EXPECT_EQ(again.handlers.size(), image.handlers.size());
}

TEST(DiseImage, AFileThatIsNoneIsRefusedWithTheReason) {
  const auto reason = [](const std::string& text) {
    try {
      image_from_json(text);
    } catch (const std::runtime_error& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_NE(reason("{").find("parse error"), std::string::npos);
  EXPECT_NE(reason("{}").find("format"), std::string::npos);
  EXPECT_NE(reason(R"({"format": "other"})").find("not a strobe-dise-image"), std::string::npos);
  EXPECT_NE(reason(R"({"format": "strobe-dise-image", "version": 9})").find("version"),
            std::string::npos);
}

TEST(DiseExplain, ShowsConditionsAsWritten) {
  EXPECT_EQ(condition_text(0xaaaa, 2), "overflow_1");
  EXPECT_EQ(condition_text(0x0a0a, 2), "overflow_1 && !overflow_2");
  EXPECT_EQ(condition_text(0xffff, 2), "always");
  EXPECT_EQ(condition_text(0, 2), "never");
  EXPECT_EQ(condition_text(0xffaa, 2), "overflow_1 || zero_2");
}

}  // namespace
}  // namespace strobe::dise
