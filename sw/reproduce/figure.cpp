#include "sw/reproduce/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace strobe::reproduce {
namespace {

constexpr double kWidth = 640, kHeight = 400, kLeft = 60, kTop = 30, kRight = 150, kBottom = 45;
constexpr std::array<const char*, 12> kColours = {"#1f77b4", "#d62728", "#2ca02c", "#9467bd",
                                                  "#ff7f0e", "#8c564b", "#e377c2", "#17becf",
                                                  "#7f7f7f", "#bcbd22", "#393b79", "#637939"};

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  }
  return out;
}

/// 1, 2 or 5 times a power of ten: about five of them make `range`.
double nice_step(double range) {
  const double raw = range / 5;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  const double digit = raw / power;
  return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}

}  // namespace

std::string to_svg(const Figure& figure) {
  double x_most = 0, y_most = 0;
  for (const Curve& curve : figure.curves) {
    for (const auto& [x, y] : curve.points) {
      x_most = std::max(x_most, x);
      y_most = std::max(y_most, y);
    }
  }
  if (x_most <= 0) x_most = 1;
  if (y_most <= 0) y_most = 1;
  const auto at_x = [&](double x) { return kLeft + x / x_most * (kWidth - kLeft - kRight); };
  const auto at_y = [&](double y) {
    return kHeight - kBottom - y / y_most * (kHeight - kTop - kBottom);
  };
  const auto text = [](double x, double y, const char* anchor, const std::string& words) {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y,
                       anchor, escaped(words));
  };
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\" font-family=\"sans-serif\" font-size=\"11\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
      kWidth, kHeight);
  out += text(kLeft, 18, "start", figure.title);
  out += text((kLeft + kWidth - kRight) / 2, kHeight - 10, "middle", figure.x_label);
  out += text(8, kTop - 4, "start", figure.y_label);
  const double x_step = nice_step(x_most), y_step = nice_step(y_most);
  for (int i = 0; i * x_step <= x_most * 1.0001; ++i) {
    out +=
        text(at_x(i * x_step), kHeight - kBottom + 15, "middle", fmt::format("{:g}", i * x_step));
  }
  for (int i = 0; i * y_step <= y_most * 1.0001; ++i) {
    const double y = at_y(i * y_step);
    out += fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#ddd\"/>\n", kLeft,
        y, kWidth - kRight, y);
    out += text(kLeft - 5, y + 4, "end", fmt::format("{:g}", i * y_step));
  }
  for (size_t i = 0; i < figure.curves.size(); ++i) {
    const char* colour = kColours[i % kColours.size()];
    std::string points;
    for (const auto& [x, y] : figure.curves[i].points) {
      points += fmt::format("{:.1f},{:.1f} ", at_x(x), at_y(y));
    }
    out +=
        fmt::format("<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\" points=\"{}\"/>\n",
                    colour, points);
    const double y = kTop + 12 + 16 * static_cast<double>(i);
    out += fmt::format(
        "<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{2:.1f}\" y2=\"{1:.1f}\" stroke=\"{3}\" "
        "stroke-width=\"3\"/>\n",
        kWidth - kRight + 10, y, kWidth - kRight + 28, colour);
    out += text(kWidth - kRight + 33, y + 4, "start", figure.curves[i].name);
  }
  return out + "</svg>\n";
}

std::string to_csv(const Figure& figure) {
  std::string out = "curve,x,y\n";
  for (const Curve& curve : figure.curves) {
    for (const auto& [x, y] : curve.points)
      out += fmt::format("{},{:g},{:.6g}\n", curve.name, x, y);
  }
  return out;
}

double first_crossing(const Curve& curve, double level) {
  for (size_t i = 0; i < curve.points.size(); ++i) {
    const auto& [x, y] = curve.points[i];
    if (y > level) continue;
    if (i == 0) return x;
    const auto& [x0, y0] = curve.points[i - 1];
    return x0 + (x - x0) * (y0 - level) / (y0 - y);
  }
  return -1;
}

}  // namespace strobe::reproduce
