#include "sw/reproduce/bursty/bursty.h"

#include <fmt/format.h>

#include <utility>

#include "sw/reproduce/by_program.h"

namespace strobe::reproduce::bursty {

std::string Setting::text() const { return fmt::format("{}:{}", n_check0, n_instr0); }

double Cost::overhead(const Cost& original) const {
  return static_cast<double>(cycles) / static_cast<double>(original.cycles) - 1;
}

Figure figure_of_variants(const std::string& name, const std::string& title,
                          const std::string& value, std::vector<std::string> programs,
                          const std::function<std::vector<double>(Variant)>& of) {
  using report::Stroke;
  Figure figure = by_program(name, title, value, std::move(programs));
  for (const auto& [variant, stroke] :
       {std::pair(kOrig, Stroke::kCrosses), std::pair(kEC, Stroke::kDiamonds),
        std::pair(kL4, Stroke::kDots), std::pair(kPreferred, Stroke::kDots)}) {
    figure.curves.push_back(percents_by_program(kVariants[variant], of(variant), stroke));
  }
  return figure;
}

}  // namespace strobe::reproduce::bursty
