#include "sw/profile/rates/rate_samples.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace strobe::profile {
namespace {

constexpr unsigned kDteBits = 20;

}  // namespace

uint64_t dte_units(double dte) {
  return static_cast<uint64_t>(std::llround(std::ldexp(dte, kDteBits)));
}

bool RateSample::agree(uint64_t cycles, uint64_t other, uint64_t dte) {
  const uint64_t skew = cycles > other ? cycles - other : other - cycles;
  return skew << kDteBits <= cycles * dte;
}

std::vector<RateSample> rate_samples(const std::vector<RateReading>& readings) {
  std::vector<RateSample> samples;
  for (size_t i = 1; i < readings.size(); ++i) {
    const RateReading& first = readings[i - 1];
    const RateReading& second = readings[i];
    if (second.begin == first.begin) continue;
    samples.push_back({second.begin - first.begin, second.end - first.end, second.begin - first.end,
                       second.count - first.count, second.second - first.second,
                       second.truth - first.truth, second.read_at - first.read_at});
  }
  return samples;
}

void RateHistogram::add(double rate) {
  if (rate > most) {
    ++impossible;
    return;
  }
  const auto bucket = static_cast<size_t>(rate / most * static_cast<double>(counts.size()));
  ++counts[std::min(bucket, counts.size() - 1)];
}

std::optional<double> earth_movers_distance(const RateHistogram& one, const RateHistogram& other) {
  const auto total = [](const RateHistogram& histogram) {
    return static_cast<double>(
        std::accumulate(histogram.counts.begin(), histogram.counts.end(), histogram.impossible));
  };
  const double first = total(one), second = total(other);
  if (first == 0 || second == 0) return std::nullopt;
  double ahead = 0, moved = 0;
  for (size_t i = 0; i < one.counts.size(); ++i) {
    ahead +=
        static_cast<double>(one.counts[i]) / first - static_cast<double>(other.counts[i]) / second;
    moved += std::abs(ahead);
  }
  return moved * one.most / static_cast<double>(one.counts.size());
}

Correction correction(const std::vector<RateSample>& samples, uint64_t dte) {
  Correction found;
  for (const RateSample& sample : samples) {
    const bool discarded = !sample.kept(dte), skewed = sample.skewed(dte);
    found.discarded += discarded ? 1 : 0;
    found.skewed += skewed ? 1 : 0;
    found.both += discarded && skewed ? 1 : 0;
  }
  return found;
}

}  // namespace strobe::profile
