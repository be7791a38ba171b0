// A mean, and the confidence in it.
#pragma once

#include <optional>
#include <vector>

namespace strobe::report {

/// The confidence of the intervals.
inline constexpr double kConfidence = 0.95;

/// The mean; none of no values.
std::optional<double> mean(const std::vector<double>& values);

/// Half of the width of the confidence interval of the mean of independent values, by Student's t
/// distribution: t x s / sqrt(n), n - 1 degrees of freedom. None for fewer than two values.
std::optional<double> half_width(const std::vector<double>& values);

/// The same of repetitions, such as runs with several seeds. None when all are equal: a result that
/// the seed does not touch says nothing of how precise it is.
std::optional<double> half_width_of_repetitions(const std::vector<double>& values);

}  // namespace strobe::report
