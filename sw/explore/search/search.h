// Chooses the designs to evaluate: all of them, some at random, or those that earlier results
// suggest.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "sw/explore/space/space.h"
#include "sw/explore/store/store.h"

namespace strobe::explore {

/// There is no design to evaluate: one sentence.
class EmptySpace : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Evaluates designs, with a value of the budget key or with the run file's. @return their scores
/// by label; a design without a point that is done has none
using Evaluate = std::function<std::map<std::string, DesignScore>(
    const std::vector<uint64_t>& designs, std::optional<uint64_t> budget)>;

/// The designs with which a search begins; exhaustive and random search evaluate no others. Throws
/// EmptySpace.
std::vector<uint64_t> first_designs(const Space& space);

/// Searches to the end. `evaluate` may throw to stop the search.
void search(const Space& space, const std::vector<uint64_t>& first, const Evaluate& evaluate);

/// The genetic search (NSGA-II, pagmo2); `first` is its first generation.
void search_nsga2(const Space& space, const std::vector<uint64_t>& first, const Evaluate& evaluate);

}  // namespace strobe::explore
