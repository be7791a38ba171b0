// A figure of curves, as SVG for the eye and as CSV for everything else.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace strobe::reproduce {

struct Curve {
  std::string name;
  std::vector<std::pair<double, double>> points;  // x rising
};

struct Figure {
  std::string name;  // of its files
  std::string title, x_label, y_label;
  std::vector<Curve> curves;
};

/// The same figure gives the same bytes. Both axes begin at 0.
std::string to_svg(const Figure& figure);
/// One line a point under the header curve,x,y.
std::string to_csv(const Figure& figure);

/// Where a falling curve first comes to `level`, by linear interpolation; negative if it does not.
double first_crossing(const Curve& curve, double level);

}  // namespace strobe::reproduce
