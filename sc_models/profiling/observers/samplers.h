// The samplers behind make_observer (ISCA 2001, sections 3.1 to 3.3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sc_models/profiling/observers/observer.h"
#include "sc_models/profiling/reference/stratified_counters.h"
#include "sc_models/profiling/reference/xorshift.h"

namespace strobe::profiling {

/// R_r: each tuple is selected with probability 1/r, independently of all others, and stands for r.
/// One xorshift64* number a tuple, selected when it is at most (2^64 - 1) / r; the seed goes
/// through one round of splitmix64 so that neighbouring seeds give unrelated streams.
class RandomSampler final : public Observer {
 public:
  explicit RandomSampler(const ObserverParams& params);
  uint64_t residue() const override { return 0; }
  uint64_t storage_bits() const override { return 64; }

 private:
  void sample(TupleBatch& batch, std::vector<Message>& messages) override;

  uint32_t period_;
  uint64_t threshold_;
  Xorshift64Star random_;
};

/// P_r: every r-th tuple, standing for r.
class PeriodicSampler final : public Observer {
 public:
  explicit PeriodicSampler(const ObserverParams& params);
  uint64_t residue() const override { return counter_; }
  uint64_t storage_bits() const override;

 private:
  void sample(TupleBatch& batch, std::vector<Message>& messages) override;

  uint32_t period_;
  uint32_t counter_ = 0;
};

/// H[P_r]_n: a P_r for each of n strata, chosen by the paper's hash; the rule of the active block.
class StratifiedObserver final : public Observer {
 public:
  explicit StratifiedObserver(const ObserverParams& params);
  uint64_t residue() const override { return counters_.residue(); }
  uint64_t storage_bits() const override { return uint64_t{counters_.entries()} * counter_width_; }

 private:
  void sample(TupleBatch& batch, std::vector<Message>& messages) override;

  uint32_t period_;
  unsigned counter_width_;
  StratifiedCounters counters_;
};

}  // namespace strobe::profiling
