// What makes the figures of a run doubtful, in sentences that stand beside them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace strobe::result {

/// A profile of fewer messages or collected events says little: the half-width of a share of 10 %
/// is 6 % of the whole then.
inline constexpr unsigned kFewEvents = 100;
/// Dropped events over all from which on a profile is no sample of the program any more.
inline constexpr double kManyDropped = 0.01;
/// A profile that is further from the program's than this, and by so many times what chance takes
/// of a random sample, does not come from chance.
inline constexpr double kFarOff = 0.1, kBeyondChance = 3;

/// A sentence for each doubt: a program that failed or was refused a file, dropped events, a
/// passive profiler beside them, too few messages, samples in step with a loop, bursts too short
/// for streams, a trace window in which nothing ran. Empty where there is none.
/// @param result  result.json
std::vector<std::string> warnings(const nlohmann::json& result);

}  // namespace strobe::result
