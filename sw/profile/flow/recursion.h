// How often functions that call one another are entered.
#pragma once

#include <cstdint>
#include <vector>

namespace strobe::profile {

struct Recursion {
  std::vector<double> entries;    // of each function
  std::vector<uint32_t> limited;  // functions whose recursion was cut at the limit
};

/// Solves entries = entering + entries * calls by eliminating one function after the other.
/// @param calls  calls[i * n + j]: calls of function j for one entry of function i, of n functions
/// @param entering  entries from outside of the n functions
/// @param most  the most entries of a function for each entry that does not come from its own
///              recursion, at least 1; 0: without a limit. A recursion without an end, whose number
///              of entries is not finite, is cut at 1e12 then, and is in `limited`.
Recursion solve_recursion(std::vector<double> calls, std::vector<double> entering, double most);

}  // namespace strobe::profile
