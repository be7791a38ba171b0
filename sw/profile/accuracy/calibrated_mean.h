// The mean of a population from a sample of it, where something else is known of the whole
// population: the regression estimator of W. G. Cochran, "Sampling Techniques", 3rd edition, 1977,
// chapter 7. Each observation has a weight. The weights add up to 1, and the weighted mean of what
// is known is exactly that of the population.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace strobe::profile {

/// The confidence of the intervals.
inline constexpr double kConfidence = 0.997;

/// The half-width, in standard errors, of an interval of kConfidence by Student's t. The interval
/// comes from a sample variance with this many degrees of freedom, at least 1.
double confidence_t(uint64_t degrees);

class CalibratedMean {
 public:
  /// Nothing is known: `size` observations have the same weight, and their mean is the ordinary
  /// one.
  explicit CalibratedMean(size_t size) : known_(size, 0.0) {}
  /// @param known  of each observation, at least one: zero in most, as for what comes in bursts
  /// @param mean   of the same in the population
  CalibratedMean(const std::vector<uint64_t>& known, double mean);

  /// The estimate from one value of each observation.
  double of(const std::vector<double>& values) const;
  /// The half-width of its interval; none where too few observations tell how much they differ.
  /// Residuals about the line through the observations count by their leverage (S. Horn, R. Horn
  /// and D. Duncan, "Estimating Heteroscedastic Variances in Linear Models", JASA 1975), because
  /// observations with more of what is known vary more. Those that have any of it determine the
  /// line: there are as many degrees of freedom as these, less one.
  std::optional<double> half_width(const std::vector<double>& values) const;

 private:
  /// The least-squares line through the observations, over what is known of them.
  struct Line {
    double middle, slope;
  };
  Line line(const std::vector<double>& values) const;

  std::vector<double> known_;  // less the mean of the sample
  double squares_ = 0;         // the sum of their squares
  double off_ = 0;             // the mean of the population less that of the sample
  uint64_t nonzero_ = 0;       // observations that have any
};

}  // namespace strobe::profile
