#include "sw/reproduce/by_program.h"

namespace strobe::reproduce {

Figure by_program(std::string name, std::string title, std::string y_label,
                  std::vector<std::string> programs) {
  Figure figure;
  figure.name = std::move(name);
  figure.title = std::move(title);
  figure.x_label = "program";
  figure.y_label = std::move(y_label);
  figure.x_names = std::move(programs);
  return figure;
}

Curve percents_by_program(std::string name, const std::vector<double>& shares,
                          report::Stroke stroke) {
  Curve curve{std::move(name), {}, stroke};
  for (size_t i = 0; i < shares.size(); ++i) {
    curve.points.emplace_back(static_cast<double>(i + 1), 100 * shares[i]);
  }
  return curve;
}

}  // namespace strobe::reproduce
