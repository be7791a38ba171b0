// The sampling rules X of the stratified samplers H[X_r]_n, applied to the state of one stratum
// (ISCA 2001, section 3.1). docs/blocks/stratified_sampler.md
#pragma once

#include <cstdint>

#include "sc_models/profiling/reference/hash/hash.h"

namespace strobe::profiling {

/// The parameters of a stratified sampler.
struct SamplerParams {
  SamplerKind kind = SamplerKind::kPeriodic;
  HashKind hash = HashKind::kPaper;
  unsigned strata = 2048;      ///< n, a power of two from 1 to 4096
  unsigned counter_width = 8;  ///< bits of a stratum's state, 1 to 12

  /// The largest r: the largest number that a state of `counter_width` bits can count to or down
  /// from.
  uint32_t max_period() const {
    return uint32_t{1} << (kind == SamplerKind::kCountdown ? counter_width - 1 : counter_width);
  }
  /// Strata that have state. A random sampler has none and acts as one stratum.
  unsigned entries() const { return kind == SamplerKind::kRandom ? 1 : strata; }
};

/// How often a stratum gives a message: the registers PERIOD and THRESHOLD.
struct SamplingRate {
  uint32_t period = 1;              ///< r; 0 counts as 1
  uint32_t threshold = UINT32_MAX;  // a tuple is drawn with probability (threshold + 1) / 2^32

  uint32_t r() const { return period == 0 ? 1 : period; }
};

/// The threshold for probability 1/r; (threshold + 1) / 2^32 differs from 1/r by at most 2^-33.
/// @param period  r, at least 1
constexpr uint32_t sampling_threshold(uint32_t period) {
  return static_cast<uint32_t>(((uint64_t{1} << 32) + period / 2) / period - 1);
}

/// The random outcome for one tuple.
struct Draw {
  bool hit = false;      ///< R, CR: the tuple is drawn
  uint32_t restart = 0;  ///< R': the countdown's restart, 0 to 2r - 1
};

/// @param random  the tuple's random number
inline Draw draw(uint32_t random, const SamplingRate& rate) {
  const uint64_t product = uint64_t{random >> 8} * (2 * rate.r());
  return Draw{random <= rate.threshold, static_cast<uint32_t>(product >> 24)};
}

/// Counts one tuple in a stratum and updates its state.
/// @return the count of the message that falls due, or 0
inline uint32_t sample(const SamplerParams& params, uint16_t& state, const SamplingRate& rate,
                       const Draw& draw) {
  const uint32_t count = state + 1u;
  switch (params.kind) {
    case SamplerKind::kPeriodic: {
      const bool due = count >= rate.period;
      state = due ? uint16_t{0} : static_cast<uint16_t>(count);
      return due ? count : 0;
    }
    case SamplerKind::kRandom:
      return draw.hit ? rate.r() : 0;
    case SamplerKind::kCountdown:
      state = static_cast<uint16_t>(state == 0 ? draw.restart : state - 1u);
      return state == 0 ? rate.r() : 0;
    case SamplerKind::kCountedRandom: {
      const bool due = draw.hit || count >> params.counter_width != 0;  // full: no count is lost
      state = due ? uint16_t{0} : static_cast<uint16_t>(count);
      return due ? count : 0;
    }
  }
  return 0;
}

}  // namespace strobe::profiling
