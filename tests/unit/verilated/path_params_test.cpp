// The table of build-time parameters: the written form of a point reads back as the point.
#include "sc_models/port/path_params.h"

#include <gtest/gtest.h>

#include <string>

namespace strobe::profiling {
namespace {

TEST(PathParams, ThePointThatIsWrittenReadsBack) {
  EXPECT_EQ(describe_point({}, "=", " "), "");
  unsigned value = 3;
  PathParams params;
  std::string expected;
  for (const PathParameter& parameter : kPathParameters) {
    params.*parameter.field = ++value + 9990;
    expected += (expected.empty() ? "" : " ") + std::string(parameter.rtl) + "=" +
                std::to_string(params.*parameter.field);
  }
  EXPECT_EQ(describe_point(params, "=", " "), expected);
  EXPECT_TRUE(parse_point(expected.c_str()) == params);
}

TEST(PathParams, EachParameterMakesAPointOfItsOwn) {
  for (const PathParameter& parameter : kPathParameters) {
    PathParams params;
    ++(params.*parameter.field);
    EXPECT_FALSE(params == PathParams{}) << parameter.rtl;
    EXPECT_EQ(describe_point(params, "", "_"),
              parameter.rtl + std::to_string(params.*parameter.field));
  }
}

TEST(PathParams, OnlyTheDifferencesAreWritten) {
  PathParams params;
  params.strata = 512;
  params.counter_width = 10;
  EXPECT_EQ(describe_point(params, "=", " "), "Strata=512 CounterWidth=10");
  static_assert(parse_point("Strata=512").strata == 512 && parse_point("default").lanes == 4);
}

}  // namespace
}  // namespace strobe::profiling
