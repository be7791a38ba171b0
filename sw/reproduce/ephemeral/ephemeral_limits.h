// How near ours must be for a claim about ephemeral instrumentation to hold. The limits were fixed
// before the runs; limits_table() gives each its reason.
#pragma once

#include "sw/reproduce/reproduction.h"

namespace strobe::reproduce::ephemeral {

inline constexpr double kOfSaving = 0.25;        // share of the paper's saving by a profile
inline constexpr double kOfOverhead = 0.25;      // share of the paper's overhead, at least kPoint
inline constexpr double kPoint = 0.01;           // for differences
inline constexpr double kLowOverhead = 0.05;     // what the paper calls extremely low, at most
inline constexpr double kLeastComplete = 0.163;  // overhead of complete profiles
inline constexpr double kMostComplete = 0.528;   // that the paper quotes
inline constexpr double kKept = 0.9;             // share of the complete profile's gain
inline constexpr double kInStep = 0.35;          // least error of a profile of one phase
inline constexpr double kMended = 0.15;          // most error with jitter
inline constexpr double kAim = 0.90;             // geometric mean of the normalized cycles
inline constexpr unsigned kFaster = 6;           // programs that get faster,
inline constexpr unsigned kPrograms = 12;        // of at least these

Table limits_table();

}  // namespace strobe::reproduce::ephemeral
