// Confidence intervals by bootstrap: what was measured is drawn again with replacement, and the
// statistic computed of each draw (Efron and Tibshirani, "An Introduction to the Bootstrap",
// chapter 13, the percentile interval). Every interval comes from the same seed, so the same
// measurements give the same interval.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sw/report/confidence.h"

namespace strobe::reproduce {

inline constexpr uint64_t kBootstrapSeed = 2001;
inline constexpr unsigned kDraws = 1000;
/// A draw of fewer programs says nothing about others: there is no interval then.
inline constexpr size_t kLeastPrograms = 5;

/// Both ends may be infinite.
struct Interval {
  double least = 0, most = 0;
};

double mean_of(const std::vector<double>& values);
/// Of an even number of values, the mean of the two in the middle. Takes at least one.
double median_of(std::vector<double> values);

/// @param units  how many there are to draw from
/// @param statistic  takes the places of those that were drawn, as many as there are
Interval bootstrap(size_t units, const std::function<double(const std::vector<size_t>&)>& statistic,
                   double confidence = report::kConfidence);

/// The interval of the mean of one value a program. None for fewer than kLeastPrograms.
std::optional<Interval> bootstrap_mean(const std::vector<double>& of_programs);
/// The interval of their median.
std::optional<Interval> bootstrap_median(const std::vector<double>& of_programs);
/// The interval of the mean of the first values as a multiple of that of the second, program by
/// program.
std::optional<Interval> bootstrap_ratio(const std::vector<double>& of_programs,
                                        const std::vector<double>& to);

/// A number that was measured on a program several times.
struct Repeated {
  std::string program;
  std::vector<std::vector<double>> by;  // by the start in the stream, then by the seed

  double median() const;
};
/// The interval of the median over the programs of their medians: programs are drawn, and starts
/// and seeds in each of them. None for fewer than kLeastPrograms.
std::optional<Interval> bootstrap_median(const std::vector<Repeated>& programs);
/// The interval of the median of one program: starts and seeds are drawn.
Interval bootstrap_median(const Repeated& program, double confidence = report::kConfidence);

/// The interval of the share of all programs like these for which something is true, when it is for
/// `true_for` of them: the exact one of Clopper and Pearson, because a bootstrap of values that are
/// all the same has no width.
Interval share_interval(size_t true_for, size_t programs);

}  // namespace strobe::reproduce
