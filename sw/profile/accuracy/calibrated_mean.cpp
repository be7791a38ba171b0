#include "sw/profile/accuracy/calibrated_mean.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace strobe::profile {

double confidence_t(uint64_t degrees) {
  // Abramowitz and Stegun, "Handbook of Mathematical Functions", 26.7.3 and 26.7.4: the probability
  // between -t and t. The tangent of the angle is t over the root of the degrees.
  const auto within = [degrees](double angle) {
    const double sine = std::sin(angle), cosine = std::cos(angle);
    const bool odd = degrees % 2 == 1;
    double term = odd ? cosine : 1, sum = degrees == 1 ? 0 : term;
    for (uint64_t i = odd ? 3 : 2; i < degrees; i += 2) {
      term *= cosine * cosine * static_cast<double>(i - 1) / static_cast<double>(i);
      sum += term;
    }
    return odd ? 2 / std::acos(-1) * (angle + sine * sum) : sine * sum;
  };
  double low = 0, high = std::acos(0);
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (within(middle) < kConfidence ? low : high) = middle;
  }
  return std::tan(low) * std::sqrt(static_cast<double>(degrees));
}

CalibratedMean::CalibratedMean(const std::vector<uint64_t>& known, double mean) {
  const double sum = std::accumulate(known.begin(), known.end(), 0.0);
  const double center = sum / static_cast<double>(known.size());
  for (const uint64_t one : known) {
    known_.push_back(static_cast<double>(one) - center);
    squares_ += known_.back() * known_.back();
    if (one != 0) ++nonzero_;
  }
  off_ = mean - center;
}

CalibratedMean::Line CalibratedMean::line(const std::vector<double>& values) const {
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  Line line = {sum / static_cast<double>(values.size()), 0};
  if (squares_ == 0) return line;
  line.slope = std::inner_product(known_.begin(), known_.end(), values.begin(), 0.0) / squares_;
  return line;
}

double CalibratedMean::of(const std::vector<double>& values) const {
  const Line through = line(values);
  return through.middle + through.slope * off_;
}

std::optional<double> CalibratedMean::half_width(const std::vector<double>& values) const {
  const uint64_t size = values.size();
  const uint64_t points = squares_ == 0 ? size : std::min(nonzero_, size - 1);
  if (points < 2) return std::nullopt;
  const Line through = line(values);
  const double share = 1 / static_cast<double>(size);
  double variance = 0;
  for (size_t i = 0; i < size; ++i) {
    const double place = squares_ == 0 ? 0 : known_[i] / squares_;
    const double weight = share + off_ * place, leverage = share + known_[i] * place;
    const double residual = values[i] - through.middle - through.slope * known_[i];
    variance += weight * weight * residual * residual / (1 - leverage);
  }
  return confidence_t(points - 1) * std::sqrt(variance);
}

}  // namespace strobe::profile
