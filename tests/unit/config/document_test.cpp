// Does the YAML layer keep every position, and refuse what yaml-cpp lets through?
#include "sw/yaml/document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sw/yaml/scalar.h"

namespace strobe::config {
namespace {

yaml::Node parse(const std::string& text, text::Diagnostics* diagnostics) {
  yaml::Source source;
  source.name = source.origin = "t.yaml";
  yaml::Node root;
  yaml::parse_yaml(text, source, &root, diagnostics);
  return root;
}

std::string document_faults(const std::string& text) {
  text::Diagnostics diagnostics;
  parse(text, &diagnostics);
  return text::to_text(diagnostics);
}

TEST(Document, KeysAndValuesKnowTheirLineAndColumn) {
  text::Diagnostics diagnostics;
  const yaml::Node root = parse("a: 1\nb:\n  - x\n  - { c: 'two' }\n", &diagnostics);
  ASSERT_TRUE(diagnostics.empty());
  const yaml::Entry* b = root.find("b");
  ASSERT_NE(b, nullptr);
  EXPECT_EQ(b->key_mark.line, 2);
  EXPECT_EQ(b->key_mark.column, 1);
  const yaml::Entry* c = b->value.items.at(1).find("c");
  ASSERT_NE(c, nullptr);
  EXPECT_EQ(c->value.mark.line, 4);
  EXPECT_EQ(c->value.mark.column, 10);
  EXPECT_TRUE(c->value.quoted);
}

TEST(Document, DuplicateKeyNamesTheFirstOne) {
  EXPECT_EQ(document_faults("a:\n  b: 1\n  b: 2\n"),
            "t.yaml:3:3: error: a.b: duplicate key, expected it once, first given in line 2\n"
            "    b: 2\n"
            "    ^\n");
}

TEST(Document, AnchorsAliasesMergeKeysAndTagsAreRefused) {
  EXPECT_EQ(document_faults("a: &x 1\n"),
            "t.yaml:1:4: error: a: anchors and aliases (&name, *name) are not supported; use "
            "'include' instead\n  a: &x 1\n     ^\n");
  EXPECT_THAT(document_faults("a: &x 1\nb: *x\n"),
              testing::HasSubstr("t.yaml:2:4: error: b: anchors"));
  EXPECT_THAT(document_faults("<<: 1\n"), testing::HasSubstr("merge keys (<<) are not supported"));
  EXPECT_THAT(document_faults("a: !!int 3\n"), testing::HasSubstr("YAML tags are not supported"));
}

TEST(Document, SecondDocumentIsRefusedAtItsPlace) {
  EXPECT_THAT(document_faults("a: 1\n---\nb: 2\n"),
              testing::StartsWith(
                  "t.yaml:3:1: error: a second YAML document, expected one document a file\n"));
}

TEST(Document, SyntaxErrorHasItsPlace) {
  EXPECT_THAT(document_faults("a: [1\n"), testing::StartsWith("t.yaml:2:1: error: "));
}

TEST(Document, KeysThatAreNotNamesAreRefused) {
  EXPECT_THAT(document_faults("? [a]\n: 1\n"),
              testing::HasSubstr("wrong key, expected a name, got a list"));
}

TEST(Document, DeepNestingIsRefusedAndDoesNotOverflowTheStack) {
  EXPECT_THAT(document_faults(std::string(32, '[') + std::string(32, ']')), "");
  EXPECT_THAT(document_faults(std::string(33, '[') + std::string(33, ']')),
              testing::HasSubstr("nested too deeply, expected at most 32 levels"));
  EXPECT_NE(document_faults(std::string(100000, '[')), "");
}

TEST(Document, HugeTextIsRefused) {
  EXPECT_EQ(document_faults(std::string(786433, ' ')),
            "t.yaml: error: the file is too large: expected at most 786432 bytes in a file, got "
            "786433; split the file\n");
}

TEST(Document, MoreValuesThanTheLimitAreRefusedAtTheFirstOfThem) {
  // The map, its key and the list are values, too.
  std::string text = "a: [";
  for (int i = 0; i < 199'997; ++i) text += "1,";
  EXPECT_EQ(document_faults(text + "]\n"), "");
  EXPECT_EQ(document_faults(text + "1]\n"),
            "t.yaml:1:399999: error: too large: expected at most 200000 values in a file, got "
            "at least 200001; split the file\n");
}

TEST(Document, KeysAreAtMost256Characters) {
  EXPECT_EQ(document_faults(std::string(256, 'k') + ": 1\n"), "");
  EXPECT_THAT(document_faults(std::string(257, 'k') + ": 1\n"),
              testing::HasSubstr("wrong key, expected at most 256 characters, got 257"));
}

TEST(Document, FaultsAfterTheHundredthAreCountedAlone) {
  std::string text;
  for (int i = 0; i < 150; ++i) text += "a: 1\n";
  text::Diagnostics diagnostics;
  parse(text, &diagnostics);
  EXPECT_EQ(diagnostics.size(), 149u);
  EXPECT_EQ(diagnostics.more(), 49u);
  EXPECT_THAT(text::to_text(diagnostics),
              testing::EndsWith("\nand 49 more faults, which are not shown: mend these first\n"));
}

TEST(Document, ControlCharactersDoNotReachTheTerminal) {
  text::Diagnostic diagnostic;
  diagnostic.file = "t.yaml";
  diagnostic.path = "a\x1b[31m";
  diagnostic.message = text::in_quotes("b\x07");
  EXPECT_EQ(diagnostic.text(), "t.yaml: error: a\\x1b[31m: 'b\\x07'");
}

yaml::Node scalar(const std::string& text) {
  text::Diagnostics diagnostics;
  return parse("v: " + text + "\n", &diagnostics).entries.at(0).value;
}

std::string integer_fault(const std::string& text) {
  std::string why;
  return yaml::integer_of(scalar(text), &why) ? "" : why;
}

TEST(Scalar, IntegersAreDecimalOrHexadecimalWithSeparators) {
  std::string why;
  EXPECT_EQ(yaml::integer_of(scalar("0"), &why), 0u);
  EXPECT_EQ(yaml::integer_of(scalar("2_000_000"), &why), 2000000u);
  EXPECT_EQ(yaml::integer_of(scalar("0xffff_ffff"), &why), 0xffffffffu);
  EXPECT_EQ(yaml::integer_of(scalar("18446744073709551615"), &why), ~uint64_t{0});
}

TEST(Scalar, WhatReadersDisagreeAboutIsNotAnInteger) {
  EXPECT_EQ(integer_fault("010"),
            "expected an integer, got '010', which some readers take as octal; write it without "
            "the leading zero");
  EXPECT_EQ(integer_fault("1e3"), "expected an integer, got '1e3'");
  EXPECT_EQ(integer_fault("-1"), "expected an integer, got '-1'");
  EXPECT_EQ(integer_fault("'7'"), "expected an integer, got '7' in quotes, which is text");
  EXPECT_EQ(integer_fault("18446744073709551616"),
            "expected an integer, got '18446744073709551616', which does not fit in 64 bits");
  EXPECT_EQ(integer_fault("1__0"), "expected an integer, got '1__0'");
  EXPECT_EQ(integer_fault("_1"), "expected an integer, got '_1'");
  EXPECT_EQ(integer_fault("0x"), "expected an integer, got '0x'");
  EXPECT_EQ(integer_fault("[1]"), "expected an integer, got a list");
  EXPECT_EQ(integer_fault(""), "expected an integer, got nothing");
}

TEST(Scalar, FlagsAreTrueOrFalseOnly) {
  std::string why;
  EXPECT_EQ(yaml::flag_of(scalar("true"), &why), true);
  EXPECT_EQ(yaml::flag_of(scalar("false"), &why), false);
  for (const char* text : {"yes", "no", "on", "True", "1", "'true'"}) {
    EXPECT_EQ(yaml::flag_of(scalar(text), &why), std::nullopt) << text;
  }
  EXPECT_EQ(why, "expected true or false, got 'true'");
}

TEST(Scalar, RealsAreFiniteDecimals) {
  std::string why;
  EXPECT_EQ(yaml::real_of(scalar("1.5"), &why), 1.5);
  EXPECT_EQ(yaml::real_of(scalar("2"), &why), 2.0);
  for (const char* text : {"inf", "nan", "1.5x", "abc", "'1'", "0x10", "{}"}) {
    EXPECT_EQ(yaml::real_of(scalar(text), &why), std::nullopt) << text;
  }
}

TEST(DidYouMean, FindsTheNearestNameAndOnlyANearOne) {
  EXPECT_EQ(text::did_you_mean("raet", {"name", "rate", "tag"}), " (did you mean 'rate'?)");
  EXPECT_EQ(text::did_you_mean("xyzzy", {"name", "rate", "tag"}), "");
  EXPECT_EQ(text::did_you_mean(std::string(10000, 'a'), {"rate"}), "");
}

}  // namespace
}  // namespace strobe::config
