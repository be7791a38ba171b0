// The reorder buffer of a hart: its instructions in flight, by number.
//
// Numbers always rise; rings are indexed by them. [head(), placed()) are in flight, as far as
// commit has come. The cycles of squashed instructions are noted under the numbers that the next
// right ones will have: they take places at rename, too.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sc_models/port/retire.h"

namespace strobe::core {

/// Later than any cycle, and far enough from the end to be added to.
inline constexpr uint64_t kNever = uint64_t{1} << 62;

/// A power of two that is at least `at_least`, and at least 64.
inline uint64_t ring_size(uint64_t at_least) {
  uint64_t size = 64;
  while (size < at_least) size *= 2;
  return size;
}

class ReorderBuffer {
 public:
  /// @param at_least  places: twice the most instructions between fetch and commit, right or wrong
  explicit ReorderBuffer(uint64_t at_least)
      : records_(ring_size(at_least)),
        renamed_(records_.size()),
        committed_at_(records_.size()),
        mask_(records_.size() - 1),
        head_(records_.size()),
        placed_(records_.size()) {}

  uint64_t head() const { return head_; }
  uint64_t placed() const { return placed_; }
  uint64_t in_flight() const { return placed_ - head_; }
  bool drained() const { return head_ == placed_; }

  /// Places the next instruction. @return its number
  uint64_t place() { return placed_++; }
  /// All before `end` have committed.
  void commit(uint64_t end) { head_ = end; }

  RetireRecord& record(uint64_t number) { return records_[number & mask_]; }
  const RetireRecord& record(uint64_t number) const { return records_[number & mask_]; }
  /// The cycle in which an instruction is renamed.
  uint64_t& renamed(uint64_t number) { return renamed_[number & mask_]; }
  uint64_t renamed(uint64_t number) const { return renamed_[number & mask_]; }
  /// The cycle in which it commits.
  uint64_t& committed_at(uint64_t number) { return committed_at_[number & mask_]; }
  uint64_t committed_at(uint64_t number) const { return committed_at_[number & mask_]; }

  /// Places in the rings: a power of two. Their records lie one after the other.
  uint64_t size() const { return mask_ + 1; }
  uint64_t place_of(uint64_t number) const { return number & mask_; }
  const RetireRecord* records() const { return records_.data(); }

  /// Nothing is in flight.
  void clear() {
    head_ = placed_;
    std::fill(renamed_.begin(), renamed_.end(), 0);
    std::fill(committed_at_.begin(), committed_at_.end(), 0);
  }

 private:
  std::vector<RetireRecord> records_;
  std::vector<uint64_t> renamed_, committed_at_;
  uint64_t mask_;
  uint64_t head_, placed_;
};

}  // namespace strobe::core
