// The fewest runs that answer many points.
#pragma once

#include <cstdint>
#include <vector>

#include "sw/explore/space/space.h"

namespace strobe::explore {

/// The most observers of one run, because each keeps a profile in memory.
inline constexpr size_t kMostObserved = 256;

/// The points that one execution answers: those of designs[first, first + count) on a workload with
/// a seed.
struct PlannedRun {
  uint32_t workload = 0, seed = 0;
  size_t first = 0, count = 0;
  uint64_t before = 0;  // the points of the runs before it
  bool replay = false;  // replays the stream that is recorded for its run
};

struct Plan {
  std::vector<uint64_t> designs;  // ascending
  std::vector<PlannedRun> runs;
  size_t recordings = 0;  // the streams recorded for the runs

  uint64_t points() const;
};

/// Designs that differ only in what passive observers see share a run. A stream is recorded once
/// and replayed when it can hold what they see, and when there are more than kMostObserved of them
/// or `iterative` says that more will be requested.
Plan make_plan(const Space& space, std::vector<uint64_t> designs, bool iterative);

/// The points that a planned run answers.
/// @param budget  the value of the search's budget key; 0: none
std::vector<Point> points_of(const Plan& plan, const PlannedRun& run, uint64_t budget = 0);

}  // namespace strobe::explore
