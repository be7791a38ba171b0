// Merges the runs of designs that differ only in profilers that watch.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sw/config/load.h"
#include "sw/explore/space/space.h"

namespace strobe::explore {

/// Maps a design point to the profilers of the run that evaluate it.
struct Observed {
  std::vector<size_t> profilers;  // indices in the run's list, in the order of the point's own list
  std::vector<std::string> names;  // the names that they have in the point
};

struct MergedRun {
  yaml::Node root;  // the run file
  /// The same run file, checked. Its paths are relative to the sweep's run file.
  config::LoadResult loaded;
  std::vector<Observed> observed;  // by point
};

/// The run that answers `points`, which must differ only in what a passive observer sees. An
/// observer that several points have is in the run once. A single point stays as it is.
MergedRun merge(const Space& space, const std::vector<Point>& points);

/// The `profilers` of a point's result, taken from the result of the run that observed it.
nlohmann::json profilers_of(const nlohmann::json& result, const Observed& observed);

}  // namespace strobe::explore
