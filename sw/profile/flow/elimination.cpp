#include "sw/profile/flow/elimination.h"

#include <utility>

namespace strobe::profile {
namespace {

constexpr double kVanishing = 1e-200;

}  // namespace

Elimination::Elimination(uint32_t size, std::vector<double> moves, std::vector<double> leaves)
    : size_(size), moves_(std::move(moves)), total_(size) {
  for (uint32_t k = size; k-- > 0;) {
    double total = leaves[k];
    for (uint32_t j = 0; j < k; ++j) total += move(k, j);
    total_[k] = total;
    if (total < kVanishing) {
      ends_ = false;
      return;
    }
    for (uint32_t i = 0; i < k; ++i) {
      const double through = move(i, k) / total;
      if (through == 0) continue;
      for (uint32_t j = 0; j < k; ++j) move(i, j) += through * move(k, j);
      leaves[i] += through * leaves[k];
    }
  }
}

std::vector<double> Elimination::visits(const std::vector<double>& entering) const {
  std::vector<double> result = entering;
  // What enters a state arrives, when the state is left, at a lower one.
  for (uint32_t k = size_; k-- > 0;) {
    if (result[k] == 0) continue;
    for (uint32_t j = 0; j < k; ++j) result[j] += result[k] / total_[k] * move(k, j);
  }
  for (uint32_t k = 0; k < size_; ++k) {
    for (uint32_t j = 0; j < k; ++j) result[k] += result[j] * move(j, k);
    result[k] /= total_[k];
  }
  return result;
}

}  // namespace strobe::profile
