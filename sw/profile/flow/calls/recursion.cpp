#include "sw/profile/flow/calls/recursion.h"

#include <algorithm>
#include <utility>

namespace strobe::profile {
namespace {

constexpr double kHighestWithoutLimit = 1 - 1e-12;
constexpr int kMostRounds = 10000;

struct Call {
  size_t caller, callee;
  double times;
};

struct Bounds {
  double low, high;
};

/// Bounds of the growth of entries from one level of calls to the next: the largest eigenvalue, by
/// power iteration with the bounds of Collatz and Wielandt. Stops when `highest` is outside of
/// them. The sum with the identity has no period and keeps every number above 0.
Bounds growth_of(const std::vector<Call>& calls, size_t size, double highest) {
  std::vector<double> now(size, 1.0);
  Bounds bounds{0, 0};
  for (int round = 0; round < kMostRounds; ++round) {
    std::vector<double> next = now;
    for (const Call& call : calls) next[call.callee] += now[call.caller] * call.times;
    double largest = 0;
    bounds = {next[0] / now[0], 0};
    for (size_t i = 0; i < size; ++i) {
      bounds.low = std::min(bounds.low, next[i] / now[i]);
      bounds.high = std::max(bounds.high, next[i] / now[i]);
      largest = std::max(largest, next[i]);
    }
    bounds = {bounds.low - 1, bounds.high - 1};
    if (bounds.high < highest || bounds.high - bounds.low < 1e-6 * bounds.high) break;
    for (size_t i = 0; i < size; ++i) now[i] = std::max(next[i] / largest, 1e-100);
  }
  return bounds;
}

/// entries = entering + entries * calls, by eliminating one function after the other.
std::vector<double> eliminate(std::vector<double> calls, std::vector<double> entering) {
  const size_t size = entering.size();
  std::vector<double> repeats(size);  // entries of k for each one that is not from its recursion
  const auto at = [&](size_t caller, size_t callee) -> double& {
    return calls[caller * size + callee];
  };
  for (size_t k = size; k-- > 0;) {
    repeats[k] = 1 / (1 - std::min(at(k, k), kHighestWithoutLimit));
    for (size_t i = 0; i < k; ++i) {
      const double times = at(i, k) * repeats[k];
      if (times == 0) continue;
      for (size_t j = 0; j < k; ++j) at(i, j) += times * at(k, j);
    }
    for (size_t j = 0; j < k; ++j) entering[j] += entering[k] * repeats[k] * at(k, j);
  }
  for (size_t k = 0; k < size; ++k) {
    for (size_t j = 0; j < k; ++j) entering[k] += entering[j] * at(j, k);
    entering[k] *= repeats[k];
  }
  return entering;
}

}  // namespace

Recursion solve_recursion(std::vector<double> calls, std::vector<double> entering, double most) {
  const size_t size = entering.size();
  const double highest = most == 0 ? kHighestWithoutLimit : 1 - 1 / most;
  std::vector<Call> made;
  for (size_t i = 0; i < calls.size(); ++i) {
    if (calls[i] > 0) made.push_back({i / size, i % size, calls[i]});
  }
  Recursion result;
  const Bounds growth = growth_of(made, size, highest);
  result.limited = growth.high >= highest;
  if (result.limited) {
    for (double& times : calls) times *= highest / growth.high;
  }
  result.entries = eliminate(std::move(calls), std::move(entering));
  return result;
}

}  // namespace strobe::profile
