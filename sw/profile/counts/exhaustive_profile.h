// The profile gathered beside a run. It counts every selected event exactly; with a bound on
// memory, every event of the instructions that it keeps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sw/profile/counts/pc_sample.h"
#include "sw/profile/counts/profile.h"

namespace strobe::profile {

/// Counts by tuple, and numbers the tuples in the order in which they first come. A flat table with
/// linear probing finds a tuple's number; it doubles when it is two thirds full. Nothing is
/// estimated, so the memory follows the number of distinct tuples: at most 72 bytes each, and half
/// as much again while the table grows. Where a bound forbids the doubling, the table drops every
/// second of its instructions with all their tuples. The remaining tuples have their exact counts
/// and are numbered anew in the same order. A count holds up to 2^56 - 1.
class ExhaustiveProfile {
 public:
  static constexpr size_t kLeastBytes = 98304;
  static constexpr uint32_t kNoNumber = UINT32_MAX;

  ExhaustiveProfile() : ExhaustiveProfile(0, 0) {}
  /// @param most_bytes  the bound of the table, at least kLeastBytes; 0: no bound
  /// @param seed  the seed for the choice of instructions
  ExhaustiveProfile(size_t most_bytes, uint64_t seed);

  /// Counts `n` occurrences; n = 0 does nothing. This is the hot path: it takes a few nanoseconds
  /// on warm data.
  /// @return the tuple's number; kNoNumber when it is not kept, and for n = 0
  uint32_t add(const Tuple& tuple, uint64_t n = 1) {
    if (n == 0) return kNoNumber;
    total_ += n;
    const uint64_t hash = mix(tuple);
    size_t index = static_cast<size_t>(hash >> shift_);
    const uint32_t number = find(tuple, hash, index);
    if (number == kNoNumber) return insert(index, hash, tuple, n);
    counted_[number].tag_and_count += n;
    return number;
  }

  /// Prefetches the memory that add() will read for this tuple.
  void prefetch(const Tuple& tuple) const { __builtin_prefetch(&index_[mix(tuple) >> shift_], 1); }

  /// The tuple's number; kNoNumber for a tuple that is not there.
  uint32_t number(const Tuple& tuple) const {
    const uint64_t hash = mix(tuple);
    size_t index = static_cast<size_t>(hash >> shift_);
    return find(tuple, hash, index);
  }
  /// The tuple with this number, which must be below size().
  Tuple tuple(uint32_t number) const { return tuple_of(counted_[number]); }
  uint64_t count_of(uint32_t number) const { return counted_[number].tag_and_count & kCountMask; }
  /// The tuple's count; 0 for a tuple that is not there.
  uint64_t count(const Tuple& tuple) const {
    const uint32_t found = number(tuple);
    return found == kNoNumber ? 0 : count_of(found);
  }
  /// The number of events added, kept or not.
  uint64_t total() const { return total_; }
  /// The number of distinct tuples.
  size_t size() const { return counted_.size(); }
  /// The instructions whose tuples are kept. They become fewer whenever add() drops some.
  const PcSample& kept() const { return kept_; }
  /// The new number of each old one after the last drop; kNoNumber for a dropped tuple.
  const std::vector<uint32_t>& renumbered() const { return renumbered_; }
  /// Calls visit(tuple, count) for each distinct tuple, by number.
  template <typename Visit>
  void for_each(Visit visit) const {
    for (const Counted& one : counted_) visit(tuple_of(one), one.tag_and_count & kCountMask);
  }
  /// The memory that the table occupies, in bytes.
  size_t bytes() const { return index_.size() * kBytesPerSlot; }
  /// The memory that the table of a profile with this many distinct tuples occupies, in bytes.
  static size_t bytes_for(size_t tuples);
  /// The numbers in the order of their tuples (tag, pc, value). The same events give the same
  /// tuples in whatever order they came.
  std::vector<uint32_t> order() const;
  /// The entries in that order.
  Entries entries() const { return entries(order()); }
  Entries entries(const std::vector<uint32_t>& order) const;

 private:
  static constexpr unsigned kCountBits = 56;
  static constexpr uint64_t kCountMask = (uint64_t{1} << kCountBits) - 1;

  // 24 bytes, because the tag shares a word with the count.
  struct Counted {
    uint64_t pc;
    uint64_t value;
    uint64_t tag_and_count;
  };
  // The upper half of a place of the index is the lower half of the tuple's hash. The lower half of
  // the place is the number plus one; 0 is an empty place. At most two thirds of the places have a
  // tuple.
  static constexpr size_t kBytesPerSlot = sizeof(uint64_t) + sizeof(Counted) * 2 / 3;

  // Multiplies and folds twice, so that addresses a few bytes apart and small values spread over
  // the high bits, which choose the slot. The constants are odd and have no other meaning.
  static uint64_t mix(const Tuple& tuple) {
    uint64_t hash = (tuple.pc ^ uint64_t{tuple.tag} << kCountBits) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
    hash = (hash ^ tuple.value) * 0xd6e8feb86659fd93u;
    hash ^= hash >> 29;
    return hash * 0xbf58476d1ce4e5b9u;
  }

  /// Searches from `index` on, and leaves `index` at the tuple's place or at the place where it
  /// would be.
  uint32_t find(const Tuple& tuple, uint64_t hash, size_t& index) const {
    for (;; index = (index + 1) & (index_.size() - 1)) {
      const uint64_t place = index_[index];
      if (place == 0) return kNoNumber;
      if (place >> 32 != (hash & UINT32_MAX)) continue;
      const auto number = static_cast<uint32_t>(place) - 1;
      const Counted& counted = counted_[number];
      if (counted.pc == tuple.pc && counted.value == tuple.value &&
          counted.tag_and_count >> kCountBits == tuple.tag) {
        return number;
      }
    }
  }

  static Tuple tuple_of(const Counted& counted) {
    return {counted.pc, counted.value, static_cast<uint8_t>(counted.tag_and_count >> kCountBits)};
  }
  static bool too_full(size_t tuples, size_t slots) { return tuples * 3 > slots * 2; }
  uint32_t insert(size_t index, uint64_t hash, const Tuple& tuple, uint64_t n);
  void set_places(size_t slots);
  void thin_out();

  std::vector<uint64_t> index_;
  std::vector<Counted> counted_;  // by number
  std::vector<uint32_t> renumbered_;
  unsigned shift_ = 0;  // 64 - log2 of the size of the index
  uint64_t total_ = 0;
  size_t most_slots_;
  PcSample kept_;
};

}  // namespace strobe::profile
