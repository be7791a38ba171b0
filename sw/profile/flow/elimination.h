// Expected visits of the states of a chain that ends: the elimination of Grassmann, Taksar and
// Heyman ("Regenerative Analysis and Steady State Distributions for Markov Chains", Operations
// Research 33, 1985). It adds, multiplies and divides numbers that are not negative and subtracts
// nothing. So each result has a small relative error, however rarely the chain ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace strobe::profile {

class Elimination {
 public:
  /// @param moves  moves[i * size + j] is the probability of state i to go to state j
  /// @param leaves  that of each state to end; a row and it add up to 1. They are given beside each
  ///                other because the difference from 1 would not be exact.
  Elimination(uint32_t size, std::vector<double> moves, std::vector<double> leaves);

  /// Whether the chain ends from every state. A probability below 1e-200 counts as 0.
  bool ends() const { return ends_; }

  /// Requires ends(). @param entering  how often each state is entered from outside
  /// @return how often each state is visited, linear in `entering`
  std::vector<double> visits(const std::vector<double>& entering) const;

 private:
  double& move(uint32_t from, uint32_t to) { return moves_[size_t{from} * size_ + to]; }
  double move(uint32_t from, uint32_t to) const { return moves_[size_t{from} * size_ + to]; }

  uint32_t size_;
  std::vector<double> moves_;  // row k: of the chain without the states above k
  std::vector<double> total_;  // the probability of state k to go to a lower state or end
  bool ends_ = true;
};

}  // namespace strobe::profile
