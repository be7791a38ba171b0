// Rates from samples of a clock and a counter, as SHIM takes them (section 4.1): double-time error
// correction, histograms, and the same held against the truth.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace strobe::profile {

/// The limit of double-time error correction, as the observer has it: in units of 2^-20.
uint64_t dte_units(double dte);

/// One reading. All numbers only rise from one to the next.
struct RateReading {
  uint64_t begin = 0, end = 0;  // the clock before and after the counter
  uint64_t count = 0;           // the counter
  uint64_t second = 0;          // another one
  uint64_t truth = 0;           // what it was at `begin`, when it was read at `read_at`
  uint64_t read_at = 0;
};

/// What lies between two readings.
struct RateSample {
  uint64_t cycles = 0;  // from begin to begin
  uint64_t at_end = 0;  // from end to end
  uint64_t gap = 0;     // from the end of the first to the begin of the second
  uint64_t count = 0, second = 0, truth = 0;
  uint64_t counted = 0;  // from one read of the counter to the next

  double rate() const { return static_cast<double>(count) / static_cast<double>(cycles); }
  double true_rate() const { return static_cast<double>(truth) / static_cast<double>(cycles); }
  /// Cycles per cycle: 1 where both clocks agree about the time that has passed.
  double cpc() const { return static_cast<double>(at_end) / static_cast<double>(cycles); }
  /// Whether double-time error correction keeps it. @param dte  dte_units()
  bool kept(uint64_t dte) const { return agree(cycles, at_end, dte); }
  /// Whether the counter was really read over another time.
  bool skewed(uint64_t dte) const { return !agree(cycles, counted, dte); }

 private:
  static bool agree(uint64_t cycles, uint64_t other, uint64_t dte);
};

/// The samples between consecutive readings; two readings at the same clock make none.
std::vector<RateSample> rate_samples(const std::vector<RateReading>& readings);

/// A histogram of rates: so many buckets from 0 to `most`; a rate above `most` is impossible on
/// the machine, and is counted beside it.
struct RateHistogram {
  RateHistogram(unsigned buckets, double highest) : most(highest), counts(buckets) {}
  void add(double rate);

  double most;
  std::vector<uint64_t> counts;
  uint64_t impossible = 0;
};

/// The earth mover's distance of the two normalized histograms, in the unit of the rate: how far,
/// on average, a sample has to be moved. Both have the same buckets; impossible rates are at the
/// end. Empty when one of them has no sample.
std::optional<double> earth_movers_distance(const RateHistogram& one, const RateHistogram& other);

/// How well double-time error correction finds the samples that are really skewed: those whose
/// counter was read over a time that differs from the clock's by more than the limit.
struct Correction {
  uint64_t discarded = 0, skewed = 0, both = 0;
};
Correction correction(const std::vector<RateSample>& samples, uint64_t dte);

}  // namespace strobe::profile
