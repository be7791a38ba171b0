// How good a profile is while it grows: the metrics of metrics.h at points of the event stream
// (ISCA 2001, figures 7 to 9), without a pass over every tuple a point.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sw/profile/exhaustive_profile.h"
#include "sw/profile/metrics.h"
#include "sw/profile/numbered_counts.h"

namespace strobe::profile {

/// A profiler after so many events.
struct ProgressPoint {
  uint64_t events = 0;
  uint64_t cycles = 0;    // core cycles of the region so far; 0 in functional mode
  uint64_t messages = 0;  // sent so far
  double overlap = 0;
  std::optional<double> invariance_error;  // none while no load qualifies
};

/// What of a growing exhaustive profile the points need. A tuple the invariance error selects has a
/// tenth of at least 1000 executions, so only those counted 100 times or more are ever looked at
/// again, and a point costs a pass over them and over the distinct tuples of each profile scored.
class ProgressTracker {
 public:
  /// Keeps a reference to the exhaustive profile, which the caller fills. It must have no bound.
  explicit ProgressTracker(const ExhaustiveProfile& ideal) : ideal_(ideal) {}

  /// After each addition of one event to the exhaustive profile: the number it returned.
  void note(uint32_t number);
  /// The number of a tuple's load, as profiles of loads name it.
  uint32_t load_of(uint32_t number) const { return load_of_[number]; }
  /// Loads so far.
  size_t loads() const { return loads_.size(); }
  /// Decides what the error selects now; the metrics below are against this state.
  void select();
  /// As profile::overlap.
  double overlap(const NumberedCounts& profile) const;
  /// As profile::invariance_error; none when no load qualifies.
  /// @param loads  the same profile by load_of()
  std::optional<double> invariance_error(const NumberedCounts& profile,
                                         const NumberedCounts& loads) const;

 private:
  struct Frequent {
    Tuple tuple;
    uint32_t number;
  };
  struct Selected {
    uint32_t number, load;
    uint64_t count, executions;
  };
  static constexpr InvarianceLimits kLimits{};
  static constexpr uint64_t kFrequent = kLimits.min_executions * kLimits.min_tuple_percent / 100;

  const ExhaustiveProfile& ideal_;
  ExhaustiveProfile loads_;         // executions
  std::vector<uint32_t> load_of_;   // by the tuple's number
  std::vector<Frequent> frequent_;  // in profile order up to sorted_
  size_t sorted_ = 0;
  std::vector<Selected> selected_;
  uint64_t frequency_ = 0;  // executions of the selected tuples
};

/// When a series of errors met a threshold.
struct Convergence {
  std::optional<uint64_t> reaches;  // events at the first point under it
  std::optional<uint64_t>
      stays_below;  // at the first point from which all are; none if the last is not
};

/// A point without an error is not under the threshold.
Convergence convergence(const std::vector<ProgressPoint>& points, double threshold);

}  // namespace strobe::profile
