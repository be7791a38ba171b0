// Which designs to evaluate: all of them, some at random, or those that earlier ones point to.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "sw/explore/space.h"
#include "sw/explore/store.h"

namespace strobe::explore {

/// No design is left: one sentence.
class EmptySpace : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Evaluates designs, with a value of the budget key or with the run file's.
/// @return their scores by label; designs of which no point was done are not in it
using Evaluate = std::function<std::map<std::string, DesignScore>(
    const std::vector<uint64_t>& designs, std::optional<uint64_t> budget)>;

/// The designs a search begins with: for exhaustive and random search all it evaluates. Throws
/// EmptySpace.
std::vector<uint64_t> first_designs(const Space& space);

/// Searches to its end. `evaluate` may throw to stop it.
void search(const Space& space, const std::vector<uint64_t>& first, const Evaluate& evaluate);

/// The genetic search (NSGA-II, pagmo2); `first` is its first generation.
void search_nsga2(const Space& space, const std::vector<uint64_t>& first, const Evaluate& evaluate);

}  // namespace strobe::explore
