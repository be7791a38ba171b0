#include "sw/explore/space/expression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace strobe::explore {
namespace {

using testing::HasSubstr;

bool holds(const std::string& text, const std::map<std::string, double>& numbers = {}) {
  Expression expression;
  std::string error;
  EXPECT_TRUE(Expression::parse(text, &expression, &error)) << error;
  std::vector<Value> values;
  for (const std::string& name : expression.names()) {
    const auto found = numbers.find(name);
    values.push_back(found == numbers.end() ? Value() : Value::number(found->second));
  }
  return expression.holds(values);
}

std::string fault(const std::string& text) {
  Expression expression;
  std::string error;
  EXPECT_FALSE(Expression::parse(text, &expression, &error)) << text;
  return error;
}

TEST(Expression, ComputesWithTheUsualPrecedence) {
  EXPECT_TRUE(holds("1 + 2 * 3 == 7"));
  EXPECT_TRUE(holds("(1 + 2) * 3 == 9"));
  EXPECT_TRUE(holds("2 ^ 3 ^ 2 == 512"));
  EXPECT_TRUE(holds("-2 ^ 2 == -4"));
  EXPECT_TRUE(holds("7 % 4 == 3 and 7 / 2 == 3.5"));
  EXPECT_TRUE(holds("10 - 3 - 2 == 5"));
}

TEST(Expression, CombinesConditions) {
  EXPECT_TRUE(holds("1 > 2 or 2 > 1 and 3 > 2"));
  EXPECT_FALSE(holds("(1 > 2 or 2 > 1) and 3 < 2"));
  EXPECT_TRUE(holds("not 1 > 2"));
  EXPECT_TRUE(holds("true and not false"));
  EXPECT_TRUE(holds("1 <= 1 and 1 >= 1 and 1 != 2"));
}

TEST(Expression, ReadsKeyPaths) {
  EXPECT_TRUE(
      holds("profilers.0.strata >= 4 * core.rob", {{"profilers.0.strata", 256}, {"core.rob", 64}}));
  EXPECT_FALSE(
      holds("profilers.0.strata >= 4 * core.rob", {{"profilers.0.strata", 255}, {"core.rob", 64}}));
}

TEST(Expression, NothingSatisfiesAComparisonWithNothing) {
  EXPECT_FALSE(holds("a < 1"));
  EXPECT_FALSE(holds("a >= 1"));
  EXPECT_FALSE(holds("a + 1 != 7"));
  EXPECT_FALSE(holds("1 / 0 > 1"));
  EXPECT_FALSE(holds("a"));
}

TEST(Expression, ComparesTextsForEqualityOnly) {
  Expression expression;
  std::string error;
  ASSERT_TRUE(Expression::parse("kind == 'paper'", &expression, &error));
  const std::string paper = "paper", other = "h3";
  EXPECT_TRUE(expression.holds({Value::text(&paper)}));
  EXPECT_FALSE(expression.holds({Value::text(&other)}));
  EXPECT_FALSE(expression.holds({Value::number(1)}));
  EXPECT_FALSE(holds("'a' < 'b'"));
}

TEST(Expression, SaysWhereItStopsBeingOne) {
  EXPECT_THAT(fault("a >"), HasSubstr("character 4: expected a number"));
  EXPECT_THAT(fault("a > 1 b"), HasSubstr("character 7: expected an operator or the end, got 'b'"));
  EXPECT_THAT(fault("(a > 1"), HasSubstr("expected ')'"));
  EXPECT_THAT(fault("a == 'x"), HasSubstr("ends with a single quote"));
  EXPECT_THAT(fault(""), HasSubstr("got the end"));
  EXPECT_THAT(fault("and"), HasSubstr("got 'and'"));
  EXPECT_THAT(fault(std::string(100, '(')), HasSubstr("simpler"));
  EXPECT_THAT(fault(std::string(2000, '1')), HasSubstr("at most 1000 characters"));
}

}  // namespace
}  // namespace strobe::explore
