// result.json: what a run was and how good its profiles are. docs/results.md lists every key.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>

#include "sc_models/machine/config/run_config.h"
#include "sc_models/machine/outcome/outcome.h"
#include "sw/result/overhead_by_class.h"

namespace strobe::result {

inline constexpr int kSchemaVersion = 1;

/// The same run without what costs it cycles.
struct BaselineRun {
  uint64_t cycles = 0;                      // the region's; 0: the run did not come to its end
  CpiStack stack;                           // what they were spent on
  std::optional<profile::Samples> samples;  // in mode sampled: what was measured for them
};

/// Scores every profiler of a run against the exhaustive profile of the same run and puts all in
/// one document. Depends on nothing but its arguments: no times, no paths (of the program only the
/// file name).
/// @param baseline  not needed when nothing costs the run cycles, for then it is its own baseline
/// @param handlers  HandlerReport::json(); null without productions
/// Throws std::invalid_argument when the outcome has a profiler the configuration has not.
nlohmann::json make_result(const config::RunConfig& configuration,
                           const platform::RunOutcome& outcome,
                           const std::optional<BaselineRun>& baseline,
                           const nlohmann::json& handlers = nullptr);

}  // namespace strobe::result
