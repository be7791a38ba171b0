// Pareto fronts of small tables.
#pragma once

#include <cstddef>
#include <vector>

namespace strobe::explore {

/// Which rows no other row dominates: is at most in every column and less in one. Smaller is
/// better.
std::vector<bool> pareto_front(const std::vector<std::vector<double>>& costs);

/// Rank of each row by non-dominated sorting: 0 on the front, 1 on the front of the others, ...
std::vector<size_t> pareto_ranks(const std::vector<std::vector<double>>& costs);

}  // namespace strobe::explore
