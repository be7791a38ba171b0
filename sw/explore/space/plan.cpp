#include "sw/explore/space/plan.h"

#include <algorithm>

namespace strobe::explore {

uint64_t Plan::points() const {
  uint64_t points = 0;
  for (const PlannedRun& run : runs) points += run.count;
  return points;
}

Plan make_plan(const Space& space, std::vector<uint64_t> designs, bool iterative) {
  Plan plan;
  plan.designs = std::move(designs);
  std::sort(plan.designs.begin(), plan.designs.end());
  const bool recordable = space.is_recordable();
  uint64_t before = 0;
  const uint64_t shared = space.observer_designs();
  for (uint32_t workload = 0; workload < space.workloads(); ++workload) {
    for (uint32_t seed = 0; seed < space.seeds(); ++seed) {
      for (size_t first = 0; first < plan.designs.size();) {
        const uint64_t run = plan.designs[first] / shared;
        size_t end = first + 1;
        while (end < plan.designs.size() && plan.designs[end] / shared == run) ++end;
        const bool replay = recordable && shared > 1 && (iterative || end - first > kMostObserved);
        if (replay) ++plan.recordings;
        for (; first < end; first += std::min(kMostObserved, end - first)) {
          const size_t count = std::min(kMostObserved, end - first);
          plan.runs.push_back({workload, seed, first, count, before, replay});
          before += count;
        }
      }
    }
  }
  return plan;
}

std::vector<Point> points_of(const Plan& plan, const PlannedRun& run, uint64_t budget) {
  std::vector<Point> points;
  for (size_t i = 0; i < run.count; ++i) {
    points.push_back({plan.designs[run.first + i], run.workload, run.seed, budget});
  }
  return points;
}

}  // namespace strobe::explore
