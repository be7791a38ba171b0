// How near ours must be for a claim about SHIM to hold. The limits were fixed before the runs;
// limits_table() gives each its reason.
#pragma once

#include "sw/reproduce/reproduction.h"

namespace strobe::reproduce::shim {

inline constexpr double kOfOverhead = 0.5;  // share of the paper's overhead
inline constexpr double kFactor = 2;        // a small overhead may be so many times the paper's
inline constexpr double kNothing = 0.01;    // what "essentially no overhead" is, at most
inline constexpr double kValid = 0.9;       // share of the samples that are kept
inline constexpr double kHalf = 0.5;        // the same at the highest rate, at most
inline constexpr double kAnyMode = 0.05;    // share of the most frequent period, at most
inline constexpr double kNear = 0.67;       // samples whose own rate is near the median
inline constexpr double kWide = 0.99;
inline constexpr double kAny = 1e-9;          // a difference that is there at all
inline constexpr double kSmallCost = 0.05;    // overhead of the producer, at most
inline constexpr double kSimilar = 0.8;       // share of the hot methods that are found
inline constexpr double kOutside = 0.1;       // share of the samples that coarse ones do not show
inline constexpr double kNearTruth = 0.1;     // error of the IPC by method, at most
inline constexpr double kUnchanged = 0.1;     // change of a bandwidth that does not change, at most
inline constexpr double kMostRequests = 0.9;  // share of the requests of samples with a high rate
inline constexpr double kCorrelated = -0.5;   // correlation of rate and bandwidth, at most
inline constexpr double kFewerPoints = 0.05;  // how near the two shares above must be

Table limits_table();

}  // namespace strobe::reproduce::shim
