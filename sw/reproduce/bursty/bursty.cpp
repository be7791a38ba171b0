#include "sw/reproduce/bursty/bursty.h"

#include <fmt/format.h>

namespace strobe::reproduce::bursty {

std::string Setting::text() const { return fmt::format("{}:{}", n_check0, n_instr0); }

double Cost::overhead(const Cost& original) const {
  return static_cast<double>(cycles) / static_cast<double>(original.cycles) - 1;
}

}  // namespace strobe::reproduce::bursty
