#include "sw/reproduce/bootstrap.h"

#include <algorithm>
#include <boost/math/distributions/beta.hpp>
#include <cmath>
#include <numeric>
#include <random>

namespace strobe::reproduce {
namespace {

class Draws {
 public:
  /// So many places from 0 to `units` - 1.
  void draw(size_t units, std::vector<size_t>& places) {
    places.resize(units);
    for (size_t& place : places) place = static_cast<size_t>((random_() >> 32) * units >> 32);
  }

 private:
  std::mt19937_64 random_{kBootstrapSeed};
};

/// The percentile interval of the statistics of all draws.
Interval between(std::vector<double> statistics, double confidence) {
  std::sort(statistics.begin(), statistics.end());
  const double tail = (1 - confidence) / 2;
  const auto last = static_cast<double>(statistics.size() - 1);
  return {statistics[static_cast<size_t>(std::floor(tail * last))],
          statistics[static_cast<size_t>(std::ceil((1 - tail) * last))]};
}

template <class Statistic>
std::optional<Interval> of_values(const std::vector<double>& values, Statistic statistic) {
  if (values.size() < kLeastPrograms) return std::nullopt;
  std::vector<double> drawn(values.size());
  return bootstrap(values.size(), [&](const std::vector<size_t>& places) {
    for (size_t i = 0; i < drawn.size(); ++i) drawn[i] = values[places[i]];
    return statistic(drawn);
  });
}

/// The median of a draw of starts and seeds.
class DrawnMedian {
 public:
  double operator()(const Repeated& program, Draws& draws) {
    draws.draw(program.by.size(), starts_);
    draws.draw(program.by.front().size(), seeds_);
    values_.clear();
    for (const size_t start : starts_) {
      for (const size_t seed : seeds_) values_.push_back(program.by[start][seed]);
    }
    return median_of(values_);
  }

 private:
  std::vector<size_t> starts_, seeds_;
  std::vector<double> values_;
};

}  // namespace

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 != 0) return *middle;
  return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

Interval bootstrap(size_t units, const std::function<double(const std::vector<size_t>&)>& statistic,
                   double confidence) {
  Draws draws;
  std::vector<size_t> places;
  std::vector<double> statistics(kDraws);
  for (double& one : statistics) {
    draws.draw(units, places);
    one = statistic(places);
  }
  return between(std::move(statistics), confidence);
}

std::optional<Interval> bootstrap_mean(const std::vector<double>& of_programs) {
  return of_values(of_programs, mean_of);
}

std::optional<Interval> bootstrap_median(const std::vector<double>& of_programs) {
  return of_values(of_programs, median_of);
}

std::optional<Interval> bootstrap_ratio(const std::vector<double>& of_programs,
                                        const std::vector<double>& to) {
  if (of_programs.size() < kLeastPrograms) return std::nullopt;
  return bootstrap(of_programs.size(), [&](const std::vector<size_t>& places) {
    double sum = 0, other = 0;
    for (const size_t place : places) {
      sum += of_programs[place];
      other += to[place];
    }
    return sum / other;
  });
}

double Repeated::median() const {
  std::vector<double> all;
  for (const std::vector<double>& of_start : by) {
    all.insert(all.end(), of_start.begin(), of_start.end());
  }
  return median_of(std::move(all));
}

std::optional<Interval> bootstrap_median(const std::vector<Repeated>& programs) {
  if (programs.size() < kLeastPrograms) return std::nullopt;
  Draws draws;
  DrawnMedian drawn;
  std::vector<size_t> places;
  std::vector<double> medians(programs.size()), statistics(kDraws);
  for (double& one : statistics) {
    draws.draw(programs.size(), places);
    for (size_t i = 0; i < medians.size(); ++i) medians[i] = drawn(programs[places[i]], draws);
    one = median_of(medians);
  }
  return between(std::move(statistics), report::kConfidence);
}

Interval bootstrap_median(const Repeated& program, double confidence) {
  Draws draws;
  DrawnMedian drawn;
  std::vector<double> statistics(kDraws);
  for (double& one : statistics) one = drawn(program, draws);
  return between(std::move(statistics), confidence);
}

Interval share_interval(size_t true_for, size_t programs) {
  // No long double, as in confidence.cpp.
  using Doubles = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
  const auto quantile = [](size_t a, size_t b, double p) {
    const boost::math::beta_distribution<double, Doubles> beta(static_cast<double>(a),
                                                               static_cast<double>(b));
    return boost::math::quantile(beta, p);
  };
  constexpr double kTail = (1 - report::kConfidence) / 2;
  const size_t others = programs - true_for;
  return {true_for == 0 ? 0 : quantile(true_for, others + 1, kTail),
          others == 0 ? 1 : quantile(true_for + 1, others, 1 - kTail)};
}

}  // namespace strobe::reproduce
