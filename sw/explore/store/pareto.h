// Pareto fronts of small tables.
#pragma once

#include <cstddef>
#include <vector>

namespace strobe::explore {

/// Marks the rows that no other row dominates. A row dominates another when it is at most as large
/// in every column and smaller in one; smaller is better.
std::vector<bool> pareto_front(const std::vector<std::vector<double>>& costs);

/// The rank of each row by non-dominated sorting: 0 on the front, 1 on the front of the remaining
/// rows, ...
std::vector<size_t> pareto_ranks(const std::vector<std::vector<double>>& costs);

}  // namespace strobe::explore
