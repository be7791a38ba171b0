// How near ours must be for a claim about ephemeral instrumentation to hold: names for rows of the
// table of limits, which has the reasons.
#pragma once

#include "sw/reproduce/limits.h"

namespace strobe::reproduce::ephemeral {

inline constexpr double kOfSaving = limit("ephemeral-saving").most - 1;
inline constexpr double kOfOverhead = limit("ephemeral-overhead").most - 1;  // at least kPoint
inline constexpr double kPoint = limit("ephemeral-same").most;               // for differences
inline constexpr double kLowOverhead = limit("ephemeral-low").most;
inline constexpr double kLeastComplete = limit("ephemeral-complete").least;
inline constexpr double kMostComplete = limit("ephemeral-complete").most;
inline constexpr double kKept = limit("ephemeral-kept").least;
inline constexpr double kInStep = limit("ephemeral-in-step").least;
inline constexpr double kMended = limit("ephemeral-mended").most;
inline constexpr double kAim = limit("ephemeral-aim").most;
inline constexpr Range kFaster = limit("ephemeral-faster").range();
inline constexpr auto kPrograms = static_cast<unsigned>(limit("ephemeral-programs").least);

}  // namespace strobe::reproduce::ephemeral
