#include "sw/reproduce/ephemeral/ephemeral_means.h"

#include <numeric>

namespace strobe::reproduce::ephemeral {

std::vector<double> differences(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> result;
  for (size_t i = 0; i < a.size(); ++i) result.push_back(a[i] - b[i]);
  return result;
}

double mean_percent(const std::vector<double>& fractions) {
  return 100 * std::accumulate(fractions.begin(), fractions.end(), 0.0) /
         static_cast<double>(fractions.size());
}

Claim only_with(size_t programs, size_t wanted, Claim claim) {
  if (programs >= wanted) return claim;
  claim.holds = false;
  claim.undecided = true;
  return claim;
}

}  // namespace strobe::reproduce::ephemeral
