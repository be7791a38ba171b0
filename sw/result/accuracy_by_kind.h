// How good the profiles of a run are, whichever system collected them: one key for each kind.
#pragma once

#include <nlohmann/json.hpp>

namespace strobe::result {

/// An object for each kind of profile that the run has: edges, values, call_pairs, methods,
/// hot_streams. Each has `overlap`, `overlap_90`, `invariance_error` and `from`: "handlers" for
/// what ran in the program's place or inside of it, otherwise the name of a profiler. What costs
/// the program cycles comes first: handlers, then the active profiler, then the others in their
/// order.
/// @param result  result.json, with `profile` and `profilers`
nlohmann::json accuracy_by_kind(const nlohmann::json& result);

}  // namespace strobe::result
