#include "sw/profile/flow/recursion.h"

#include <algorithm>
#include <utility>

namespace strobe::profile {
namespace {

constexpr double kMostWithoutLimit = 1e12;

}  // namespace

Recursion solve_recursion(std::vector<double> calls, std::vector<double> entering, double most) {
  const size_t size = entering.size();
  const double highest = most == 0 ? kMostWithoutLimit : most;
  Recursion result;
  std::vector<double> repeats(size);  // entries of k for each one that is not from its recursion
  const auto at = [&](size_t caller, size_t callee) -> double& {
    return calls[caller * size + callee];
  };
  for (size_t k = size; k-- > 0;) {
    const bool ends = at(k, k) < 1 - 1 / highest;
    if (!ends) result.limited.push_back(static_cast<uint32_t>(k));
    repeats[k] = ends ? 1 / (1 - at(k, k)) : highest;
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
  result.entries = std::move(entering);
  std::reverse(result.limited.begin(), result.limited.end());
  return result;
}

}  // namespace strobe::profile
