// How often functions that call one another are entered.
#pragma once

#include <cstdint>
#include <vector>

namespace strobe::profile {

struct Recursion {
  std::vector<double> entries;  // by function
  bool limited = false;         // the calls were scaled down to the limit
};

/// Solves entries = entering + entries * calls. Where each level of calls makes more than 1 - 1 /
/// most times the entries of the level before, so that `most` levels follow or their number has no
/// end, all calls are scaled down to that.
/// @param calls  calls[i * n + j]: calls of function j for one entry of function i, of n functions
///               of which each calls every other one, if not directly
/// @param entering  entries from outside of the n functions
/// @param most  at least 2; 0: no limit, and `limited` says that there is no finite solution
Recursion solve_recursion(std::vector<double> calls, std::vector<double> entering, double most);

}  // namespace strobe::profile
