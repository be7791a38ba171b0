#include "sw/reproduce/spread.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "sw/reproduce/reproduction.h"

namespace strobe::reproduce {

std::string Spread::percents() const {
  return fmt::format("{} ({} to {})", percent(mean), percent(least), percent(most));
}

std::string Spread::text() const {
  return fmt::format("{:.1f} ({:.1f} to {:.1f})", mean, least, most);
}

Spread spread_of(const std::vector<double>& values) {
  if (values.empty()) throw std::invalid_argument("spread_of: expected a value, got none");
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  return {sum / static_cast<double>(values.size()), *least, *most};
}

}  // namespace strobe::reproduce
