// The reorder buffer of a hart: its instructions in flight, by number.
//
// Numbers always rise; rings are indexed by them. [head(), placed()) are in flight, as far as
// commit has come. The cycles of squashed instructions are noted under the numbers that the next
// right ones will have: they take places at rename, too.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
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

/// A copy stands for the same buffer, so that each stage finds the rings without a detour.
class ReorderBuffer {
 public:
  /// @param at_least  places: twice the most instructions between fetch and commit, right or wrong
  explicit ReorderBuffer(uint64_t at_least)
      : storage_(std::make_shared<Storage>(ring_size(at_least))),
        counts_(&storage_->counts),
        records_(storage_->records.data()),
        renamed_(storage_->renamed.data()),
        committed_at_(storage_->committed_at.data()),
        mask_(storage_->records.size() - 1) {}

  uint64_t head() const { return counts_->head; }
  uint64_t placed() const { return counts_->placed; }
  uint64_t in_flight() const { return counts_->placed - counts_->head; }
  bool drained() const { return counts_->head == counts_->placed; }

  /// Places the next `count` instructions. @return the number of the first
  uint64_t place(uint64_t count = 1) {
    const uint64_t first = counts_->placed;
    counts_->placed = first + count;
    return first;
  }
  /// All before `end` have committed.
  void commit(uint64_t end) { counts_->head = end; }

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
  /// renamed() and committed_at() by place.
  uint64_t& renamed_in(uint64_t place) { return renamed_[place]; }
  uint64_t& committed_in(uint64_t place) { return committed_at_[place]; }
  const RetireRecord* records() const { return records_; }

  /// Nothing is in flight.
  void clear() {
    counts_->head = counts_->placed;
    std::fill(storage_->renamed.begin(), storage_->renamed.end(), 0);
    std::fill(storage_->committed_at.begin(), storage_->committed_at.end(), 0);
  }

 private:
  struct Counts {
    uint64_t head, placed;
  };
  struct Storage {
    explicit Storage(uint64_t size)
        : records(size), renamed(size), committed_at(size), counts{size, size} {}
    std::vector<RetireRecord> records;
    std::vector<uint64_t> renamed, committed_at;
    Counts counts;
  };

  std::shared_ptr<Storage> storage_;
  Counts* counts_;
  RetireRecord* records_;
  uint64_t* renamed_;
  uint64_t* committed_at_;
  uint64_t mask_;
};

}  // namespace strobe::core
