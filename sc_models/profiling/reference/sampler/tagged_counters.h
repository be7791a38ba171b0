// The tagged sampler T without timing (ISCA 2001, section 4, Figure 6).
// docs/blocks/tagged_sampler.md
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "sc_models/port/path_params.h"
#include "sc_models/port/tuple.h"
#include "sc_models/profiling/reference/hash/hash.h"
#include "sc_models/profiling/reference/sampler/compressor_rates.h"

namespace strobe::profiling {

/// The parameters of a tagged sampler.
struct TaggedShape {
  unsigned strata = 2048;   // all entries: a power of two, from `ways` to 4096
  unsigned ways = 2;        // 1, 2 or 4
  unsigned tag_bits = 2;    // bits, 1 to 16
  unsigned hit_width = 8;   // bits of an entry's hits, 1 to 12
  unsigned miss_width = 3;  // bits of an entry's misses, 1 to hit_width
  HashKind hash = HashKind::kPaper;
};

/// When an entry acts. A threshold above its counter's range acts as 2^width.
struct TaggedThresholds {
  uint32_t period = 256;        // r, in hits
  uint32_t should_evict = 128;  // hits that are "enough"
  uint32_t should_replace = 8;  // misses that are "too many"
};

/// The parameters of a path's sampler, and its thresholds as software sets them.
inline TaggedShape tagged_shape(const PathParams& p) {
  return {p.strata,        p.ways,       p.tag_bits,
          p.counter_width, p.miss_width, static_cast<HashKind>(p.hash)};
}
inline TaggedThresholds tagged_thresholds(const CompressorRates& rates) {
  return {rates.sampling.period, rates.settings.should_evict, rates.settings.should_replace};
}

/// Sets of entries with partial tags; each entry has the state machine of Figure 6. The cycle-exact
/// sampler and the passive observers both use this class.
class TaggedCounters {
 public:
  /// The transitions of Figure 6.
  enum Transition { kE1, kE2, kE3, kE4, kE5, kE5a, kE6, kE6a, kTransitions };

  /// Throws std::invalid_argument for a parameter out of range.
  explicit TaggedCounters(const TaggedShape& shape);

  uint32_t set_of(const Tuple& tuple) const { return hash_.index(tuple.pc, tuple.value); }
  uint16_t tag_of(const Tuple& tuple) const;

  /// Counts one tuple with this set and tag.
  /// @return the count of the message that falls due, or 0
  uint32_t add(uint32_t set, uint16_t tag, const TaggedThresholds& thresholds);

  /// Counts a tuple. @return the message that falls due, if any
  std::optional<Message> update(const Tuple& tuple, const TaggedThresholds& thresholds) {
    const uint32_t count = add(set_of(tuple), tag_of(tuple), thresholds);
    if (count == 0) return std::nullopt;
    return Message{tuple, count};
  }

  const TaggedShape& shape() const { return shape_; }
  unsigned sets() const { return shape_.strata / shape_.ways; }
  /// Hits plus misses of one entry. Its index is set * ways + position, modulo all entries.
  uint32_t held(uint32_t index) const {
    const Entry& entry = entries_[index & (shape_.strata - 1)];
    return uint32_t{entry.hits} + entry.misses;
  }
  void zero(uint32_t set);
  /// Sum of all hits and misses held: what was counted and not reported.
  uint64_t residue() const;
  /// How often each transition was taken since construction.
  const std::array<uint64_t, kTransitions>& taken() const { return taken_; }

 private:
  enum class State : uint8_t { kEmpty, kValid, kEvict };
  struct Entry {
    uint16_t hits = 0;
    uint16_t misses = 0;
    uint16_t tag = 0;
    State state = State::kEmpty;
  };

  unsigned choose(const Entry* set, uint16_t tag) const;
  uint32_t hit(Entry& entry, const TaggedThresholds& thresholds);
  uint32_t take(Entry& entry, uint16_t tag, const TaggedThresholds& thresholds);
  bool full(uint32_t hits, const TaggedThresholds& thresholds) const {
    return hits >= thresholds.period || hits > max_hits_;
  }

  TaggedShape shape_;
  Hash hash_;
  uint32_t max_hits_, max_misses_;
  std::vector<Entry> entries_;  // by set; each set in order of last use
  std::array<uint64_t, kTransitions> taken_{};
};

}  // namespace strobe::profiling
