// How near ours must be for a claim about SHIM to hold: names for rows of the table of limits,
// which has the reasons, and the paper's shares that two of them are about.
#pragma once

#include "sw/reproduce/limits.h"

namespace strobe::reproduce::shim {

inline constexpr double kOfOverhead = limit("shim-large").most - 1;  // share of the paper's
inline constexpr double kFactor = limit("shim-small").most;
inline constexpr double kNothing = limit("shim-nothing").most;
inline constexpr double kValid = limit("shim-valid").least;
inline constexpr double kHalf = limit("shim-fastest").most;
inline constexpr double kBand = limit("shim-band").most;
inline constexpr double kAnyMode = limit("shim-mode").most;
inline constexpr double kAny = limit("shim-any").least;
inline constexpr double kSmallCost = limit("shim-producer").most;
inline constexpr double kSimilar = limit("shim-similar").least;
inline constexpr double kOutside = limit("shim-outside").least;
inline constexpr double kNearTruth = limit("shim-truth").most;
inline constexpr double kUnchanged = limit("shim-unchanged").most;
inline constexpr double kMostRequests = limit("shim-requests").least;
inline constexpr double kCorrelated = limit("shim-correlated").most;
inline constexpr double kFewerPoints = -limit("shim-own-rate").least;
inline constexpr double kNear =
    0.67;  // the paper's share of samples near the median of its own rate
inline constexpr double kWide = 0.99;  // and of those a little further away

}  // namespace strobe::reproduce::shim
