// One run for several designs: those that differ only in profilers that watch.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sw/config/load.h"
#include "sw/explore/space.h"

namespace strobe::explore {

/// Which profilers of a run are a point's.
struct Observed {
  std::vector<size_t> profilers;   // places in the run's list, in the order of the point's own
  std::vector<std::string> names;  // that they have in the point
};

struct MergedRun {
  yaml::Node root;                 // the run file
  config::LoadResult loaded;       // the same, checked; paths relative to the sweep's run file
  std::vector<Observed> observed;  // by point
};

/// The run that answers `points`, which differ only in what a passive observer sees. Observers that
/// several points have are in it once. A single point stays as it is.
MergedRun merge(const Space& space, const std::vector<Point>& points);

/// The `profilers` of the result of a point, from the result of the run that observed it.
nlohmann::json profilers_of(const nlohmann::json& result, const Observed& observed);

}  // namespace strobe::explore
