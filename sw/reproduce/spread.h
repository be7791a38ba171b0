// A number of each program as one: the mean, and from where to where.
#pragma once

#include <string>
#include <vector>

namespace strobe::reproduce {

struct Spread {
  double mean = 0, least = 0, most = 0;

  /// "1.23 % (0.10 % to 4.00 %)"
  std::string percents() const;
  /// "12.3 (4.0 to 20.1)"
  std::string text() const;
};

/// Throws std::invalid_argument without a value.
Spread spread_of(const std::vector<double>& values);

}  // namespace strobe::reproduce
