#include "sw/report/confidence.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/statistics/univariate_statistics.hpp>
#include <cmath>
#include <functional>
#include <numeric>

namespace strobe::report {
namespace {

// No long double: valgrind has none, and Boost's tables for it would overflow there before main().
using Doubles = boost::math::policies::policy<boost::math::policies::promote_double<false>>;

}  // namespace

std::optional<double> mean(const std::vector<double>& values) {
  if (values.empty()) return std::nullopt;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::optional<double> half_width(const std::vector<double>& values) {
  if (values.size() < 2) return std::nullopt;
  const auto n = static_cast<double>(values.size());
  const boost::math::students_t_distribution<double, Doubles> distribution(n - 1);
  const double t = boost::math::quantile(distribution, (1 + kConfidence) / 2);
  return t * std::sqrt(boost::math::statistics::sample_variance(values) / n);
}

std::optional<double> half_width_of_repetitions(const std::vector<double>& values) {
  const bool vary =
      std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) != values.end();
  return vary ? half_width(values) : std::nullopt;
}

}  // namespace strobe::report
