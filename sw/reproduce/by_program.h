// Figures that have the programs side by side, under their names.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sw/reproduce/reproduction.h"

namespace strobe::reproduce {

/// The names of the programs, in their order. @param name  the member that holds a program's name
template <class Program, class Named>
std::vector<std::string> names_of(const std::vector<Program>& programs, std::string Named::*name) {
  std::vector<std::string> names;
  names.reserve(programs.size());
  for (const Program& program : programs) names.push_back(program.*name);
  return names;
}

/// A figure without curves: x = 1, 2, ... are the programs.
Figure by_program(std::string name, std::string title, std::string y_label,
                  std::vector<std::string> programs);

/// One mark a program. @param shares  in the order of the programs; drawn in per cent
Curve percents_by_program(std::string name, const std::vector<double>& shares,
                          report::Stroke stroke = report::Stroke::kDots);

}  // namespace strobe::reproduce
