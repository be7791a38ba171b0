#include "sw/report/figure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace strobe::report {
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

TEST(Figure, CsvHasTheNameOfAPlaceThatHasOne) {
  Figure figure{"f", "t", "program", "y", {{"a", {{1, 0.5}, {2, 3}}}}};
  figure.x_names = {"lz", "m4, small"};
  EXPECT_EQ(to_csv(figure), "curve,x,y\na,lz,0.5\na,\"m4, small\",3\n");
}

TEST(Figure, CsvQuotesANameWithAComma) {
  const Figure figure{"f", "t", "x", "y", {{"smt, 500", {{1, 0.5}}}}};
  EXPECT_EQ(to_csv(figure), "curve,x,y\n\"smt, 500\",1,0.5\n");
}

TEST(Figure, SvgEscapesItsWords) {
  const Figure figure{"f", "a < b & c", "x", "y", {{"a", {{0, 0}, {1, 1}}}}};
  const std::string svg = to_svg(figure);
  EXPECT_THAT(svg, testing::HasSubstr("a &lt; b &amp; c"));
  EXPECT_THAT(svg, testing::HasSubstr("<polyline"));
  EXPECT_THAT(svg, testing::EndsWith("</svg>\n"));
}

TEST(Figure, SvgIsWideEnoughForTheNamesOfItsCurves) {
  const auto svg_of = [](const std::string& name) {
    return to_svg({"f", "title", "x", "y", {{name, {{0, 0}, {1, 1}}}}});
  };
  EXPECT_THAT(svg_of("R_256"), testing::HasSubstr("viewBox=\"0 0 640 "));
  EXPECT_THAT(svg_of("H[P_256]_2048 + A_16"), testing::HasSubstr("viewBox=\"0 0 647 "));
}

TEST(Figure, TheTitleAndTheLabelOfYStandOnDifferentLines) {
  const Figure figure{"f", "title", "x", "label", {{"a", {{0, 0}, {1, 1}}}}};
  const std::string svg = to_svg(figure);
  EXPECT_THAT(svg, testing::HasSubstr("y=\"16.0\" text-anchor=\"start\">title<"));
  EXPECT_THAT(svg, testing::HasSubstr("y=\"34.0\" text-anchor=\"start\">label<"));
}

TEST(Figure, NamesReplaceTheNumbersOfX) {
  Figure figure{"f", "t", "program", "y", {{"a", {{1, 50}, {2, 60}}, Stroke::kDots}}};
  figure.x_names = {"lz", "a<b"};
  const std::string svg = to_svg(figure);
  EXPECT_THAT(svg, testing::HasSubstr(">lz</text>"));
  EXPECT_THAT(svg, testing::HasSubstr(">a&lt;b</text>"));
  EXPECT_THAT(svg, testing::Not(testing::HasSubstr(">1</text>")));
}

TEST(Figure, AnAxisBeginsAtZeroOrAtTheLeastValue) {
  Figure figure{"f", "t", "x", "y", {{"a", {{100, 5}, {101, 6}}, Stroke::kDots, "#111111"}}};
  EXPECT_THAT(to_svg(figure), testing::HasSubstr(">0</text>"));
  figure.x_start = figure.y_start = Start::kLeast;
  const std::string svg = to_svg(figure);
  EXPECT_THAT(svg, testing::Not(testing::HasSubstr(">0</text>")));
  EXPECT_THAT(svg, testing::HasSubstr(">100.2</text>"));
  EXPECT_THAT(svg, testing::HasSubstr("<circle cx=\"72.2\""));
  EXPECT_THAT(svg, testing::HasSubstr("fill=\"#111111\""));
}

}  // namespace
}  // namespace strobe::report
