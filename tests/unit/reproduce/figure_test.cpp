#include "sw/reproduce/figure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sw/reproduce/reproduction.h"

namespace strobe::reproduce {
namespace {

TEST(Figure, ACrossingIsInterpolated) {
  const Curve curve{"c", {{1000, 8}, {2000, 6}, {3000, 2}}};
  EXPECT_DOUBLE_EQ(first_crossing(curve, 4), 2500);
  EXPECT_DOUBLE_EQ(first_crossing(curve, 9), 1000);
  EXPECT_LT(first_crossing(curve, 1), 0);
}

TEST(Figure, CsvHasALineAPoint) {
  const Figure figure{"f", "t", "x", "y", {{"a", {{1, 0.5}}}, {"b", {{2, 3}}}}};
  EXPECT_EQ(to_csv(figure), "curve,x,y\na,1,0.5\nb,2,3\n");
}

TEST(Figure, SvgEscapesItsWords) {
  const Figure figure{"f", "a < b & c", "x", "y", {{"a", {{0, 0}, {1, 1}}}}};
  const std::string svg = to_svg(figure);
  EXPECT_THAT(svg, testing::HasSubstr("a &lt; b &amp; c"));
  EXPECT_THAT(svg, testing::HasSubstr("<polyline"));
  EXPECT_THAT(svg, testing::EndsWith("</svg>\n"));
}

TEST(Reproduction, EveryClaimHasItsVerdict) {
  Reproduction reproduction;
  reproduction.name = "n";
  reproduction.claims = {{"one", "1", true, ""}, {"two", "3", false, "because"}};
  reproduction.skipped = {"gcc (not there)"};
  EXPECT_EQ(verdict_lines(reproduction),
            "holds: one; ours: 1\ndiffers: two; ours: 3; because\nskipped: gcc (not there)\n");
  const std::string page = to_markdown(reproduction);
  EXPECT_THAT(page, testing::HasSubstr("| two | 3 | differs: because |"));
  EXPECT_THAT(page, testing::HasSubstr("Skipped: gcc (not there)."));
}

}  // namespace
}  // namespace strobe::reproduce
