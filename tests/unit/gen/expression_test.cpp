// The expressions of configs/blocks: both languages, and what is refused.
#include "sw/gen/blocks/expression.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace strobe::gen {
namespace {

std::optional<Symbol> symbol(const std::string& name) {
  if (name == "ways") return Symbol{"p.ways", "Ways"};
  if (name == "random") return Symbol{"1", "strobe_pkg::SamplerRandom"};
  return std::nullopt;
}

Expression parsed(const std::string& text) { return parse_expression(text, symbol); }

TEST(Expression, IsTheSameInBothLanguages) {
  EXPECT_EQ(parsed("4").cpp, "4");
  EXPECT_EQ(parsed("ways*(1+2)").cpp, "p.ways * (1 + 2)");
  EXPECT_EQ(parsed("ways*(1+2)").sv, "Ways * (1 + 2)");
  EXPECT_EQ(parsed("2^ways").cpp, "(1u << p.ways)");
  EXPECT_EQ(parsed("2^(ways-1)").sv, "(1 << (Ways - 1))");
  EXPECT_EQ(parsed("ways == random && ways >= 2 ? 1 : 3").sv,
            "Ways == strobe_pkg::SamplerRandom && Ways >= 2 ? 1 : 3");
  EXPECT_EQ(parsed("two_rows(ways)").cpp, "two_rows(p.ways)");
  EXPECT_EQ(parsed(" ways ").text, " ways ");
}

std::string refusal(const std::string& text) {
  try {
    parsed(text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Expression, ThatIsWrongIsNamedWithWhatIsExpected) {
  EXPECT_EQ(refusal("ways +"), "expected a number, a name or '(', got the end in 'ways +'");
  EXPECT_EQ(refusal("wys"), "expected the name of a parameter or of a choice, got 'wys' in 'wys'");
  EXPECT_EQ(refusal("(ways"), "expected ')', got the end in '(ways'");
  EXPECT_EQ(refusal("3^2"), "expected 2 as the base of a power, got '3^2' in '3^2'");
  EXPECT_EQ(refusal("1 2"), "expected an operator or the end, got '2' in '1 2'");
  EXPECT_EQ(refusal("0x10"), "expected a decimal number, got '0x10' in '0x10'");
  EXPECT_EQ(refusal("ways ? 1"), "expected ':', got the end in 'ways ? 1'");
  EXPECT_EQ(refusal(""), "expected a number, a name or '(', got the end in ''");
}

}  // namespace
}  // namespace strobe::gen
