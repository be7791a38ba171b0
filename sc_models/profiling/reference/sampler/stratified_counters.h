// The stratified samplers H[X_r]_n without timing (ISCA 2001, sections 3.1 to 3.5).
// docs/blocks/stratified_sampler.md
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sc_models/port/tuple.h"
#include "sc_models/profiling/reference/hash/hash.h"
#include "sc_models/profiling/reference/sampler/sampling_rule.h"

namespace strobe::profiling {

/// The stratified sampler of a path; with several banks, all banks as one.
inline SamplerParams sampler_params(const PathParams& params) {
  return SamplerParams{static_cast<SamplerKind>(params.sampler), static_cast<HashKind>(params.hash),
                       params.strata, params.counter_width};
}

/// A hash and the state of each stratum. The cycle-exact sampler and the passive observers both use
/// this class.
class StratifiedCounters {
 public:
  /// Throws std::invalid_argument when the strata are not a power of two from 1 to 4096.
  explicit StratifiedCounters(const SamplerParams& params);

  /// The stratum of a tuple.
  uint32_t index(const Tuple& tuple) const { return hash_.index(tuple.pc, tuple.value); }

  /// Counts one tuple in a stratum.
  /// @return the count of the message that falls due, or 0. A periodic sampler gives more than r
  /// when r was lowered below the count held, so that counts are conserved.
  uint32_t add(uint32_t stratum, const SamplingRate& rate, const Draw& draw) {
    return sample(params_, counters_[stratum], rate, draw);
  }

  /// Counts a tuple in its stratum. @return the message that falls due, if any
  std::optional<Message> update(const Tuple& tuple, const SamplingRate& rate, const Draw& draw) {
    const uint32_t count = add(index(tuple), rate, draw);
    if (count == 0) return std::nullopt;
    return Message{tuple, count};
  }

  const SamplerParams& params() const { return params_; }
  unsigned entries() const { return static_cast<unsigned>(counters_.size()); }
  /// The state of a stratum; its number is taken modulo entries().
  uint16_t counter(uint32_t stratum) const { return counters_[stratum & (entries() - 1)]; }
  void zero(uint32_t stratum) { counters_[stratum] = 0; }
  /// A stratum begins as if it had counted `count` tuples.
  void begin_at(uint32_t stratum, uint16_t count) { counters_[stratum] = count; }
  /// Sum of all counters: what a periodic or counted random sampler has counted and not reported.
  uint64_t residue() const;

 private:
  SamplerParams params_;
  Hash hash_;
  std::vector<uint16_t> counters_;
};

}  // namespace strobe::profiling
