#include "sw/report/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sw/profile/reports/export.h"
#include "sw/text/shown.h"

namespace strobe::report {
namespace {

constexpr double kWidth = 640, kLeft = 60, kTop = 44, kRight = 150, kBottom = 45;
constexpr double kPlotHeight = 325;
constexpr double kTitleAt = 8, kLegend = kWidth - kRight + 33;  // where their words begin
constexpr double kNameSlope = 0.7;    // the vertical part of a slanted name
constexpr double kLetterWidth = 6.2;  // on average, in a font of 11 pixels
constexpr std::array<const char*, 12> kColours = {"#1f77b4", "#d62728", "#2ca02c", "#9467bd",
                                                  "#ff7f0e", "#8c564b", "#e377c2", "#17becf",
                                                  "#7f7f7f", "#bcbd22", "#393b79", "#637939"};

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text::one_line(text)) {
    out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  }
  return out;
}

/// A step of 1, 2 or 5 times a power of ten, of which about five make `range`.
double nice_step(double range) {
  const double raw = range / 5;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  const double digit = raw / power;
  return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}

/// The range of values of an axis, and its ticks.
struct Scale {
  double least = 0, most = 0;
  std::vector<double> ticks;

  double share(double value) const { return (value - least) / (most - least); }
};

Scale scale_of(const Figure& figure, Start start, double std::pair<double, double>::*coordinate) {
  Scale scale;
  bool first = start == Start::kLeast;
  for (const Curve& curve : figure.curves) {
    for (const auto& point : curve.points) {
      const double value = point.*coordinate;
      scale.least = first ? value : std::min(scale.least, value);
      scale.most = first ? value : std::max(scale.most, value);
      first = false;
    }
  }
  if (start == Start::kZero) scale.least = 0;
  if (scale.most <= scale.least) scale.most = scale.least + 1;
  const double step = nice_step(scale.most - scale.least);
  const double margin = start == Start::kLeast ? 0.03 * (scale.most - scale.least) : 0;
  scale.least -= margin;
  scale.most += margin;
  const double end = scale.most + 0.0001 * (scale.most - scale.least);
  for (double i = std::ceil(scale.least / step); i * step <= end; ++i) {
    scale.ticks.push_back(i == 0 ? 0 : i * step);
  }
  return scale;
}

/// A scale with room for a mark and a name at each of 1, 2, ...
Scale scale_of_names(size_t names) { return {0.5, static_cast<double>(names) + 0.5, {}}; }

/// A width that holds the title, and the curves' names right of the plot.
double width_of(const Figure& figure) {
  const auto after = [](double begin, const std::string& words) {
    return std::ceil(begin + kLetterWidth * static_cast<double>(words.size()));
  };
  double width = std::max(kWidth, after(kTitleAt, figure.title));
  for (const Curve& curve : figure.curves) width = std::max(width, after(kLegend, curve.name));
  return width;
}

/// The height of the slanted names below the plot.
double height_of(const std::vector<std::string>& names) {
  size_t longest = 0;
  for (const std::string& name : names) longest = std::max(longest, name.size());
  return kNameSlope * kLetterWidth * static_cast<double>(longest);
}

std::string mark(Stroke stroke, double x, double y, const std::string& colour) {
  switch (stroke) {
    case Stroke::kDots:
      return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\" fill=\"{}\"/>\n", x, y,
                         colour);
    case Stroke::kDiamonds:
      return fmt::format("<path d=\"M{:.1f},{:.1f}l5,5l-5,5l-5,-5z\" fill=\"{}\"/>\n", x, y - 5,
                         colour);
    default:
      return fmt::format("<path d=\"M{:.1f},{:.1f}l6,6m0,-6l-6,6\" stroke=\"{}\"/>\n", x - 3, y - 3,
                         colour);
  }
}

std::string slanted(double x, double y, const std::string& words) {
  return fmt::format(
      "<text x=\"{0:.1f}\" y=\"{1:.1f}\" text-anchor=\"end\" transform=\"rotate(-45 {0:.1f} "
      "{1:.1f})\">{2}</text>\n",
      x, y, escaped(words));
}

}  // namespace

std::string to_svg(const Figure& figure) {
  const Scale x_scale = figure.x_names.empty()
                            ? scale_of(figure, figure.x_start, &std::pair<double, double>::first)
                            : scale_of_names(figure.x_names.size());
  const Scale y_scale = scale_of(figure, figure.y_start, &std::pair<double, double>::second);
  const double bottom = kBottom + height_of(figure.x_names);
  const double width = width_of(figure), height = kTop + kPlotHeight + bottom;
  const auto at_x = [&](double x) { return kLeft + x_scale.share(x) * (kWidth - kLeft - kRight); };
  const auto at_y = [&](double y) { return kTop + kPlotHeight - y_scale.share(y) * kPlotHeight; };
  const auto text = [](double x, double y, const char* anchor, const std::string& words) {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y,
                       anchor, escaped(words));
  };
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\" font-family=\"sans-serif\" font-size=\"11\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
      width, height);
  out += text(kTitleAt, 16, "start", figure.title);
  out += text((kLeft + kWidth - kRight) / 2, height - 10, "middle", figure.x_label);
  out += text(8, kTop - 10, "start", figure.y_label);
  for (const double x : x_scale.ticks) {
    out += text(at_x(x), kTop + kPlotHeight + 15, "middle", fmt::format("{:g}", x));
  }
  for (size_t i = 0; i < figure.x_names.size(); ++i) {
    out +=
        slanted(at_x(static_cast<double>(i + 1)) + 4, kTop + kPlotHeight + 12, figure.x_names[i]);
  }
  for (const double tick : y_scale.ticks) {
    const double y = at_y(tick);
    out += fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#ddd\"/>\n", kLeft,
        y, kWidth - kRight, y);
    out += text(kLeft - 5, y + 4, "end", fmt::format("{:g}", tick));
  }
  for (size_t i = 0; i < figure.curves.size(); ++i) {
    const Curve& curve = figure.curves[i];
    const std::string colour = curve.colour.empty() ? kColours[i % kColours.size()] : curve.colour;
    const double y = kTop + 12 + 16 * static_cast<double>(i);
    if (curve.stroke == Stroke::kLine) {
      std::string points;
      for (const auto& [x, value] : curve.points) {
        points += fmt::format("{:.1f},{:.1f} ", at_x(x), at_y(value));
      }
      out += fmt::format(
          "<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\" points=\"{}\"/>\n", colour,
          points);
      out += fmt::format(
          "<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{2:.1f}\" y2=\"{1:.1f}\" stroke=\"{3}\" "
          "stroke-width=\"3\"/>\n",
          kWidth - kRight + 10, y, kWidth - kRight + 28, colour);
    } else {
      for (const auto& [x, value] : curve.points) {
        out += mark(curve.stroke, at_x(x), at_y(value), colour);
      }
      out += mark(curve.stroke, kWidth - kRight + 19, y, colour);
    }
    out += text(kLegend, y + 4, "start", curve.name);
  }
  return out + "</svg>\n";
}

std::string to_csv(const Figure& figure) {
  std::string out = "curve,x,y\n";
  for (const Curve& curve : figure.curves) {
    const std::string name = profile::csv_field(curve.name);
    for (const auto& [x, y] : curve.points) {
      const std::string place =
          figure.x_names.empty() ? fmt::format("{:g}", x)
                                 : profile::csv_field(figure.x_names[static_cast<size_t>(x) - 1]);
      out += fmt::format("{},{},{:.6g}\n", name, place, y);
    }
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

}  // namespace strobe::report
