// Is a profile of another tool read as its description says, and is a bad one refused in a
// sentence?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sw/answer/answer_error.h"
#include "sw/answer/formats/format.h"
#include "sw/answer/formats/gzip.h"
#include "sw/answer/formats/protobuf.h"
#include "sw/answer/overlap.h"
#include "tests/unit/answer/sample.h"

namespace strobe::answer {
namespace {

using testing::HasSubstr;

std::string llvm_refusal(const std::string& text) {
  try {
    read_llvm(text, "a.txt");
  } catch (const AnswerError& error) {
    return error.what();
  }
  return "accepted";
}

std::string pprof_refusal(const std::string& bytes) {
  try {
    read_pprof(bytes, "a.pb");
  } catch (const AnswerError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ReadLlvm, LinesBelongToTheFunctionsTheyAreInlinedIn) {
  const ForeignProfile profile = read_llvm(
      "# a comment\nmain:100:1\n 1: 10\n 2.3: 20 f:15 g:5\n 4: inner:30\n  1: 25\n  2: deep:5\n   "
      "7: "
      "5\n  !CFGChecksum: 12\n 9: 1\n\nns::f(int):7:2\n 0: 7\n",
      "a.txt");
  EXPECT_EQ(profile.functions, (Counts{{"main", 61}, {"ns::f(int)", 7}}));
  EXPECT_EQ(profile.lines, (Counts{{"main>1", 10},
                                   {"main>2.3", 20},
                                   {"main>4:inner>1", 25},
                                   {"main>4:inner>2:deep>7", 5},
                                   {"main>9", 1},
                                   {"ns::f(int)>0", 7}}));
}

// What llvm-profdata calls flattening: the contexts of a function are merged.
TEST(ReadLlvm, TheContextsOfAFunctionAreAddedUp) {
  const ForeignProfile profile = read_llvm(
      "[main]:20:1\n 3: 10\n 4: 10 leaf:10\n !CFGChecksum: 1\n"
      "[main:3 @ foo]:7:2\n 1: 7\n"
      "[main:3 @ foo:1.2 @ leaf]:5:5\n 1: 5\n !Attributes: 1\n"
      "[main:4 @ leaf]:11:3\n 1: 11\n 2: inlined:4\n  1: 4\n",
      "a.txt");
  EXPECT_EQ(profile.functions, (Counts{{"main", 20}, {"foo", 7}, {"leaf", 20}}));
  EXPECT_EQ(
      profile.lines,
      (Counts{
          {"main>3", 10}, {"main>4", 10}, {"foo>1", 7}, {"leaf>1", 16}, {"leaf>2:inlined>1", 4}}));
  EXPECT_THAT(llvm_refusal("[main:3 @ foo]:7:2\n 1: 7\nmain:1:1\n 1: 1\n"),
              HasSubstr("a.txt:3: not an LLVM sample profile in text form: expected "
                        "[CALLER:OFFSET @ NAME]:TOTAL:ENTRIES, got 'main:1:1'"));
}

TEST(ReadLlvm, ANameInBracketsIsOneWhereNothingHasAContext) {
  const ForeignProfile profile = read_llvm("[odd]:3:1\n 1: 3\na[0]:2:1\n 1: 2\n", "a.txt");
  EXPECT_EQ(profile.functions, (Counts{{"[odd]", 3}, {"a[0]", 2}}));
}

TEST(ReadLlvm, ABadLineIsNamedInOneSentence) {
  EXPECT_EQ(llvm_refusal("main:1:1\n 1: 1\n x: 2\n"),
            "a.txt:3: not an LLVM sample profile in text form: expected a number, got ' x: 2'; "
            "write it with llvm-profdata merge --sample --text");
  EXPECT_THAT(llvm_refusal("main\n"), HasSubstr("a.txt:1: "));
  EXPECT_THAT(llvm_refusal("main:1\n"), HasSubstr("expected NAME:TOTAL:ENTRIES"));
  EXPECT_THAT(llvm_refusal(" 1: 1\n"), HasSubstr("expected at most 0 blanks"));
  EXPECT_THAT(llvm_refusal("f:1:1\n   1: 1\n"), HasSubstr("expected at most 1 blanks"));
  EXPECT_THAT(llvm_refusal("f:1:1\n 1: g\n"), HasSubstr("FUNCTION:TOTAL after the offset"));
  EXPECT_THAT(llvm_refusal("f:1:1\n 1: 99999999999999999999\n"), HasSubstr("a number"));
  EXPECT_THAT(llvm_refusal(""), HasSubstr("has no samples"));
}

TEST(ReadLlvm, NamesThatGrowWithEveryLineAreRefused) {
  std::string text = "f:1:1\n";
  for (size_t depth = 1; depth < 60; ++depth) {
    text += std::string(depth, ' ') + "1: " + std::string(2000, 'g') + ":1\n";
  }
  EXPECT_THAT(llvm_refusal(text), HasSubstr("names of at most 64 KiB together"));
}

TEST(ReadPprof, WhatWasWrittenIsReadBack) {
  const RunProfile run = sample_run();
  const ForeignProfile profile = as_foreign(run, run.series[1], /*pprof=*/true);
  EXPECT_EQ(profile.events, "p_value");
  EXPECT_EQ(profile.functions, (Counts{{"f;g", 10}, {"main", 40}}));
  EXPECT_EQ(profile.lines, (Counts{{"f;g :0", 10}, {"main :0", 40}}));
}

TEST(ReadPprof, TheDefaultTypeOfSampleIsTakenOrElseTheLast) {
  const RunProfile run = sample_run();
  const SeriesList both = {&run.series[0], &run.series[1]};  // the first is the default
  EXPECT_EQ(read_pprof(write_pprof(run, both), "a.pb").events, "p_edge");
  WireMessage profile, first, second, sample, location;
  first.number(1, 1);
  second.number(1, 2);
  sample.packed(1, {1});
  sample.packed(2, {5, 7});
  location.number(1, 1);
  location.number(3, 0x100);
  profile.message(1, first);
  profile.message(1, second);
  profile.message(2, sample);
  profile.message(4, location);
  for (const char* text : {"", "samples", "cycles"}) profile.bytes(6, text);
  const ForeignProfile read = read_pprof(profile.text(), "a.pb");
  EXPECT_EQ(read.events, "cycles");
  EXPECT_EQ(read.functions, (Counts{{"0x100", 7}}));
}

TEST(ReadPprof, DamageIsNamedInOneSentence) {
  const RunProfile run = sample_run();
  const std::string packed = write_pprof(run, {&run.series[0]});
  EXPECT_EQ(
      pprof_refusal(packed.substr(0, packed.size() / 2)),
      "a.pb: not a profile of pprof: expected a whole gzip file, got something else; write it "
      "with pprof -proto");
  const std::string bytes = gunzip(packed, 1 << 20);
  EXPECT_NE(pprof_refusal(bytes.substr(0, bytes.size() - 3)), "accepted");
  EXPECT_THAT(pprof_refusal(""), HasSubstr("expected a type of sample"));
  EXPECT_THAT(pprof_refusal(std::string(20, '\xff')), HasSubstr("at most ten bytes"));
  EXPECT_THAT(
      pprof_refusal(gzip(std::string(300 << 20, 'x'))),
      HasSubstr(
          "a.pb: too large: expected at most 20971520 bytes, uncompressed, got at least 20971521"));
}

TEST(Overlap, IsTheSumOfTheSmallerShares) {
  EXPECT_DOUBLE_EQ(overlap({{"a", 1}, {"b", 3}}, {{"a", 50}, {"c", 50}}), 0.25);
  EXPECT_DOUBLE_EQ(overlap({{"a", 1}, {"b", 3}}, {{"a", 2}, {"b", 6}}), 1);
  EXPECT_DOUBLE_EQ(overlap({{"a", 1}}, {{"b", 1}}), 0);
}

}  // namespace
}  // namespace strobe::answer
