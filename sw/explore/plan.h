// The fewest runs that answer many points.
#pragma once

#include <cstdint>
#include <vector>

#include "sw/explore/space.h"

namespace strobe::explore {

/// Observers of one run: each keeps a profile in memory.
inline constexpr size_t kMostObserved = 256;

/// Points that one execution answers: those of designs[first, first + count) on a workload with a
/// seed.
struct PlannedRun {
  uint32_t workload = 0, seed = 0;
  size_t first = 0, count = 0;
  bool replay = false;  // of the stream that is recorded for its run
};

struct Plan {
  std::vector<uint64_t> designs;  // ascending
  std::vector<PlannedRun> runs;
  size_t recordings = 0;  // streams recorded for them

  uint64_t points() const;
};

/// Designs that differ only in what passive observers see share a run. Where these are more than
/// kMostObserved, or `iterative` (more of them will be asked for), and a stream can hold what they
/// see, it is recorded once and replayed.
Plan make_plan(const Space& space, std::vector<uint64_t> designs, bool iterative);

}  // namespace strobe::explore
