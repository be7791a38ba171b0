#include "sw/reproduce/bursty/bursty.h"

#include <fmt/format.h>

#include <utility>

namespace strobe::reproduce::bursty {

std::string Setting::text() const { return fmt::format("{}:{}", n_check0, n_instr0); }

double Cost::overhead(const Cost& original) const {
  return static_cast<double>(cycles) / static_cast<double>(original.cycles) - 1;
}

Figure figure_of_variants(const std::string& name, const std::string& title,
                          const std::string& value,
                          const std::function<std::vector<double>(Variant)>& of) {
  using report::Stroke;
  Figure figure{name, title, "program", value, {}};
  for (const auto& [variant, stroke] :
       {std::pair(kOrig, Stroke::kCrosses), std::pair(kEC, Stroke::kDiamonds),
        std::pair(kL4, Stroke::kDots), std::pair(kPreferred, Stroke::kDots)}) {
    Curve curve{kVariants[variant], {}, stroke};
    const std::vector<double> values = of(variant);
    for (size_t i = 0; i < values.size(); ++i) {
      curve.points.emplace_back(static_cast<double>(i + 1), 100 * values[i]);
    }
    figure.curves.push_back(std::move(curve));
  }
  return figure;
}

}  // namespace strobe::reproduce::bursty
