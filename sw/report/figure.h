// A figure of curves or marks, as SVG for the eye and as CSV for everything else.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace strobe::report {

/// How the points of a curve are drawn.
enum class Stroke { kLine, kDots, kDiamonds, kCrosses };

struct Curve {
  std::string name;
  std::vector<std::pair<double, double>> points;  // x rises when a line joins them
  Stroke stroke = Stroke::kLine;
  std::string colour = {};  // as in SVG; empty: by the curve's index
};

/// The value at which an axis begins: 0, or the least of the data.
enum class Start { kZero, kLeast };

struct Figure {
  std::string name;  // the name of its files
  std::string title, x_label, y_label;
  std::vector<Curve> curves;
  Start x_start = Start::kZero, y_start = Start::kZero;
  /// The names of x = 1, 2, ..., such as programs; empty: x is a number.
  std::vector<std::string> x_names = {};
};

/// The figure as SVG. The same figure gives the same bytes.
std::string to_svg(const Figure& figure);
/// The figure as CSV: one line a point under the header curve,x,y; x is the name where it has one.
/// Names are quoted as RFC 4180 says where they must be.
std::string to_csv(const Figure& figure);

/// The x at which a falling curve first reaches `level`, by linear interpolation; negative if it
/// does not.
double first_crossing(const Curve& curve, double level);

}  // namespace strobe::report
