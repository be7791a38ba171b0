#include "sw/report/over_seeds.h"

#include <map>
#include <set>
#include <utility>

#include "sw/report/confidence.h"

namespace strobe::report {
namespace {

using Points = std::vector<const Point*>;

std::vector<double> values_of(const Points& points, size_t objective) {
  std::vector<double> values;
  for (const Point* point : points) {
    if (point->objectives[objective]) values.push_back(*point->objectives[objective]);
  }
  return values;
}

}  // namespace

void compare_seeds(SweepData* data) {
  std::set<std::string> workloads;
  std::set<uint64_t> seeds;
  std::map<std::pair<size_t, std::string>, Points> of_workload;
  std::map<std::pair<size_t, uint64_t>, Points> of_seed;
  for (const Point& point : data->points) {
    workloads.insert(point.workload);
    seeds.insert(point.seed);
    of_workload[{point.design, point.workload}].push_back(&point);
    of_seed[{point.design, point.seed}].push_back(&point);
  }
  data->workloads = workloads.size();
  data->seeds = seeds.size();
  if (data->seeds < 2) return;
  const size_t objectives = data->objectives.size();
  for (const auto& [key, points] : of_workload) {
    OverSeeds& group = data->over_seeds.emplace_back();
    group.design = key.first;
    group.workload = key.second;
    for (const Point* point : points) group.seeds += point->status == "done" ? 1 : 0;
    for (size_t i = 0; i < objectives; ++i) {
      const std::vector<double> values = values_of(points, i);
      group.objectives.push_back(mean(values));
      group.half_widths.push_back(half_width_of_repetitions(values));
    }
  }
  for (size_t i = 0; i < objectives; ++i) {
    std::vector<std::vector<double>> means(data->designs.size());  // by seed
    for (const auto& [key, points] : of_seed) {
      const std::vector<double> values = values_of(points, i);
      if (values.size() == data->workloads) means[key.first].push_back(*mean(values));
    }
    for (size_t d = 0; d < means.size(); ++d) {
      if (means[d].size() == data->seeds)
        data->designs[d].half_widths[i] = half_width_of_repetitions(means[d]);
    }
  }
}

}  // namespace strobe::report
