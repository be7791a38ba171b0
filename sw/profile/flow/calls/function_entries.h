// How often each function of a program is entered, from the calls that its functions make.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "sc_models/port/control_flow.h"
#include "sw/profile/flow/markov.h"

namespace strobe::profile {

/// For each function: its callees, and the calls of each for one entry of the function.
using Calls = std::vector<std::map<uint32_t, double>>;

inline constexpr uint32_t kMostRecursive = 2048;

/// Entries for one entry of the root. Recursion is a loop over functions, of at most
/// options.loop_limit levels. Where the calls say that it has more than 64 levels, the entries of
/// `counted` are taken for those functions that have some, because small errors of the biases, or
/// an exception that leaves calls, make a deep recursion any number of times as long.
/// @param counted  by function: entries in the run, in which the root is entered once; negative:
/// not
///                 known
/// @param limited  gets the functions whose recursion the limit shortened
/// Throws FlowError: more than kMostRecursive functions call one another; without a limit, a
/// recursion that has no end.
std::vector<double> function_entries(const ControlFlow& flow, const Calls& calls,
                                     const std::vector<double>& counted, uint32_t root,
                                     const MarkovOptions& options, std::vector<uint32_t>* limited);

}  // namespace strobe::profile
