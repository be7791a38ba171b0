#include "sw/explore/store/pareto.h"

#include <algorithm>
#include <numeric>

namespace strobe::explore {
namespace {

bool dominates(const std::vector<double>& one, const std::vector<double>& other) {
  bool less = false;
  for (size_t i = 0; i < one.size(); ++i) {
    if (one[i] > other[i]) return false;
    less = less || one[i] < other[i];
  }
  return less;
}

/// The rows in `candidates` that no other of them dominates.
std::vector<size_t> front_of(const std::vector<std::vector<double>>& costs,
                             const std::vector<size_t>& candidates) {
  // In lexicographic order no row dominates one that came before it.
  std::vector<size_t> order = candidates;
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return costs[a] < costs[b]; });
  std::vector<size_t> front;
  for (const size_t row : order) {
    const bool beaten = std::any_of(front.begin(), front.end(), [&](size_t other) {
      return dominates(costs[other], costs[row]);
    });
    if (!beaten) front.push_back(row);
  }
  return front;
}

std::vector<size_t> all_rows(size_t count) {
  std::vector<size_t> rows(count);
  std::iota(rows.begin(), rows.end(), size_t{0});
  return rows;
}

}  // namespace

std::vector<bool> pareto_front(const std::vector<std::vector<double>>& costs) {
  std::vector<bool> on_front(costs.size());
  for (const size_t row : front_of(costs, all_rows(costs.size()))) on_front[row] = true;
  return on_front;
}

std::vector<size_t> pareto_ranks(const std::vector<std::vector<double>>& costs) {
  std::vector<size_t> ranks(costs.size());
  std::vector<size_t> left = all_rows(costs.size());
  for (size_t rank = 0; !left.empty(); ++rank) {
    const std::vector<size_t> front = front_of(costs, left);
    for (const size_t row : front) ranks[row] = rank;
    left.erase(std::remove_if(left.begin(), left.end(),
                              [&](size_t row) {
                                return std::find(front.begin(), front.end(), row) != front.end();
                              }),
               left.end());
  }
  return ranks;
}

}  // namespace strobe::explore
