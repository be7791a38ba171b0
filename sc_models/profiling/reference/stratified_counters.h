// The sampling rule of H[P_r]_n without time: n counters, the r-th tuple of a stratum is a message
// (ISCA 2001, sections 3.2 and 3.5). The cycle-exact sampler and the passive observer both use it.
#pragma once

#include <cstdint>
#include <vector>

#include "sc_models/port/tuple.h"
#include "sc_models/profiling/reference/hash_paper.h"

namespace strobe::profiling {

class StratifiedCounters {
 public:
  /// @param strata  n, a power of two from 1 to 4096. Throws std::invalid_argument outside.
  explicit StratifiedCounters(unsigned strata);

  uint32_t index(const Tuple& tuple) const { return hash_.index(tuple.pc, tuple.value); }

  /// Counts one tuple in a stratum.
  /// @param period  r; 0 counts as 1
  /// @return the count of the message that falls due, or 0. More than r when r was lowered below
  /// the
  ///         count held, so that counts are conserved.
  uint32_t add(uint32_t stratum, uint32_t period) {
    const uint32_t count = counters_[stratum] + 1u;
    const bool due = count >= period;
    counters_[stratum] = due ? uint16_t{0} : static_cast<uint16_t>(count);
    return due ? count : 0;
  }

  unsigned strata() const { return static_cast<unsigned>(counters_.size()); }
  /// The counter of stratum `stratum` modulo n.
  uint16_t counter(uint32_t stratum) const { return counters_[stratum & (strata() - 1)]; }
  void zero(uint32_t stratum) { counters_[stratum] = 0; }
  /// Sum of all counters: what was counted and not reported.
  uint64_t residue() const;

 private:
  HashPaper hash_;
  std::vector<uint16_t> counters_;
};

}  // namespace strobe::profiling
