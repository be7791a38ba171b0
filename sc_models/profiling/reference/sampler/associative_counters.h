// The associative counter table A_k without timing (ISCA 2001, section 3.4).
// docs/blocks/associative_table.md
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "sc_models/port/path_params.h"
#include "sc_models/port/tuple.h"
#include "sc_models/profiling/reference/sampler/compressor_rates.h"

namespace strobe::profiling {

/// k counters, each with its whole tuple. A tuple without a counter takes the least recently used
/// one, whose count leaves as a message, so no count is lost. The cycle-exact table and the passive
/// observers both use this class.
class AssociativeCounters {
 public:
  /// The rows of the page's table: A1 counted, A2 wrapped, A3 entered, A4 entered and evicted.
  enum Rule { kA1, kA2, kA3, kA4, kRules };

  /// @param entries      k, a power of two from 4 to 64
  /// @param count_width  W in bits, 1 to 24: a counter wraps at 2^W
  /// Throws std::invalid_argument for a parameter out of range.
  AssociativeCounters(unsigned entries, unsigned count_width);
  /// The table that is the first level of a path with these parameters.
  explicit AssociativeCounters(const PathParams& params)
      : AssociativeCounters(params.strata, params.counter_width) {}

  /// Counts `count` occurrences of `tuple`; `count` is below 2^W.
  /// @return the message that falls due, if any: of this tuple or of the evicted one
  std::optional<Message> update(const Tuple& tuple, uint32_t count);

  /// Counts one tuple of a path.
  std::optional<Message> count(const Tuple& tuple, const CompressorRates& /*rates*/) {
    return update(tuple, 1);
  }
  /// Counts that belong to no tuple: none, because every entry has its tuple.
  static uint64_t residue_without_tuples() { return 0; }

  /// The entry at a position of the list, 0 the most recently used; nothing beyond the entries in
  /// use.
  std::optional<Message> entry(uint32_t position) const;
  /// Appends each entry in use whose count is not 0, in the order of their positions.
  void read_out(std::vector<Message>& messages) const;
  /// k.
  unsigned entries() const { return static_cast<unsigned>(slots_.size()); }
  /// Sum of the counts that all entries hold.
  uint64_t residue() const;
  /// How often each rule was applied since construction.
  const std::array<uint64_t, kRules>& applied() const { return applied_; }
  void clear();

 private:
  static constexpr uint8_t kNone = 0xff;
  struct Slot {
    Message held;
    uint8_t newer = kNone, older = kNone;  // neighbors in the list
    uint8_t chain = kNone;                 // next slot of the same bucket
    uint8_t bucket = 0;
  };

  static uint8_t bucket_of(const Tuple& tuple) {
    const uint64_t mixed =
        (tuple.pc * 0x9E3779B97F4A7C15 + tuple.value) * 0xD6E8FEB86659FD93 + tuple.tag;
    return static_cast<uint8_t>((mixed * 0x9E3779B97F4A7C15) >> 56);
  }
  uint8_t find(const Tuple& tuple, uint8_t bucket) const;
  std::optional<Message> enter(const Tuple& tuple, uint32_t count, uint8_t bucket);
  void unlink(uint8_t slot);
  void push_front(uint8_t slot);
  void leave_bucket(uint8_t slot);

  uint32_t limit_;  // 2^W
  std::vector<Slot> slots_;
  std::array<uint8_t, 256> buckets_;  // first slot of each chain
  unsigned used_ = 0;
  uint8_t newest_ = kNone, oldest_ = kNone;
  std::array<uint64_t, kRules> applied_{};
};

}  // namespace strobe::profiling
