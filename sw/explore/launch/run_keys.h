// What decides the result of a point, a run, a recording and a baseline, as hashes. Equal keys mean
// equal results, so each is made once.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "sw/explore/launch/environment.h"
#include "sw/explore/space/plan.h"
#include "sw/explore/space/space.h"

namespace strobe::explore {

/// All keys cover the names and contents of the files that a run reads, not their paths. A file is
/// read once, when a key first needs it.
class RunKeys {
 public:
  RunKeys(const Space& space, const Environment& environment);

  /// Everything that identifies the point, so that an answer to it is found again.
  std::string of_point(const Point& point);
  /// What decides a run or a replay (`kind`): keys that apply to it, without a seed from which it
  /// draws nothing.
  std::string of_run(const std::string& kind, const config::LoadResult& loaded);
  /// What decides the stream that a replay needs.
  std::string of_stream(const config::LoadResult& loaded);
  /// What decides the baseline of a run: its configuration without what profiles it; "" when it has
  /// no baseline.
  std::string of_baseline(const config::LoadResult& loaded);
  /// The identities of what a run reads, as it was when this sweep first looked at it.
  nlohmann::json inputs_of(const config::RunConfig& configuration);

 private:
  /// @param counts  whether a key of the effective configuration counts
  template <class Counts>
  std::string identity(const config::LoadResult& loaded, const Counts& counts);
  const std::string& of_workload(size_t workload);
  const nlohmann::json& input(const std::string& path);

  const Space& space_;
  const Environment& environment_;
  bool inputs_vary_;                              // with the design
  std::map<size_t, std::string> of_workloads_;    // by workload
  std::map<std::string, nlohmann::json> inputs_;  // identities of files, by path
};

/// The runs and replays, the recordings and the baselines of a plan that differ.
struct Distinct {
  size_t runs = 0, recordings = 0, baselines = 0;
  bool counted = true;  // false: there are too many runs to look at, and at most as many as planned
};
Distinct distinct_runs(const Space& space, const Plan& plan, RunKeys& keys);

}  // namespace strobe::explore
