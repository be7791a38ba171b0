// result.json: what a run was and how good its profiles are. docs/results.md lists every key.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>

#include "sc_models/machine/config/run_config.h"
#include "sc_models/machine/outcome/outcome.h"

namespace strobe::result {

inline constexpr int kSchemaVersion = 1;

/// Scores every profiler of a run against the exhaustive profile of the same run and puts all in
/// one document. Depends on nothing but its arguments: no times, no paths (of the program only the
/// file name).
/// @param baseline_cycles  cycles of the same run without its active profiler; not needed when no
///                         profiler is active, for then the run is its own baseline
/// @param baseline_samples in mode sampled, what was measured for them
/// @param handlers         HandlerReport::json(); null without productions
/// Throws std::invalid_argument when the outcome has a profiler the configuration has not.
nlohmann::json make_result(const config::RunConfig& configuration,
                           const platform::RunOutcome& outcome,
                           std::optional<uint64_t> baseline_cycles,
                           const std::optional<profile::Samples>& baseline_samples = std::nullopt,
                           const nlohmann::json& handlers = nullptr);

}  // namespace strobe::result
