// The quality of a profile while it grows: the metrics of metrics.h at points of the event stream
// (ISCA 2001, figures 7 to 9). A point needs no pass over every tuple.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sw/profile/accuracy/metrics.h"
#include "sw/profile/counts/exhaustive_profile.h"
#include "sw/profile/counts/numbered_counts.h"

namespace strobe::profile {

/// The state of a profiler after a number of events.
struct ProgressPoint {
  uint64_t events = 0;
  uint64_t cycles = 0;    // core cycles of the region so far; 0 in functional mode
  uint64_t messages = 0;  // those sent so far
  double overlap = 0;
  std::optional<double> invariance_error;  // none while no load qualifies
};

/// The part of a growing exhaustive profile that the points need. A tuple that the invariance error
/// selects has at least a tenth of at least 1000 executions. Only tuples counted 100 times or more
/// are therefore looked at again, and a point costs a pass over these and over the distinct tuples
/// of each scored profile.
class ProgressTracker {
 public:
  /// Keeps a reference to the exhaustive profile, which the caller fills. That profile must have no
  /// bound.
  explicit ProgressTracker(const ExhaustiveProfile& ideal) : ideal_(ideal) {}

  /// Call this after each addition of one event to the exhaustive profile, with the number that it
  /// returned.
  void note(uint32_t number);
  /// The number of a tuple's load, under which profiles of loads count it.
  uint32_t load_of(uint32_t number) const { return load_of_[number]; }
  /// The number of loads so far.
  size_t loads() const { return loads_.size(); }
  /// Decides which tuples the error selects at this point; the metrics below refer to this state.
  void select();
  /// The number of loads that the error looks at.
  size_t selected_loads() const;
  /// The overlap of the profile, as profile::overlap.
  double overlap(const NumberedCounts& profile) const;
  /// The error of the profile, as profile::invariance_error; none when no load qualifies.
  /// @param loads  the same profile, counted by load_of()
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
  ExhaustiveProfile loads_;         // the executions of each load
  std::vector<uint32_t> load_of_;   // by the tuple's number
  std::vector<Frequent> frequent_;  // in profile order up to sorted_
  size_t sorted_ = 0;
  std::vector<Selected> selected_;
  uint64_t frequency_ = 0;  // the executions of the selected tuples
};

/// When a series of errors first met a threshold, and when it stayed below it.
struct Convergence {
  std::optional<uint64_t> reaches;  // the events at the first point under it
  std::optional<uint64_t>
      stays_below;  // at the first point from which all are; none if the last is not
};

/// Finds both points of the series. A point without an error does not count as under the threshold.
Convergence convergence(const std::vector<ProgressPoint>& points, double threshold);

}  // namespace strobe::profile
