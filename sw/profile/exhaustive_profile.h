// The profile gathered beside a run: every selected event, counted exactly; with a bound, every
// event of the instructions that are kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sw/profile/pc_sample.h"
#include "sw/profile/profile.h"

namespace strobe::profile {

/// Counts by tuple in a flat table with linear probing. Grows by doubling when it is two thirds
/// full; nothing is estimated, so its memory follows the number of distinct tuples (at most 72
/// bytes each, and half as much again while it grows). Where a bound forbids the doubling it drops
/// every second of its instructions, with all their tuples: what is left has its exact counts. A
/// count holds up to 2^56 - 1.
class ExhaustiveProfile {
 public:
  static constexpr size_t kLeastBytes = 98304;

  ExhaustiveProfile() : ExhaustiveProfile(0, 0) {}
  /// @param most_bytes  of the table; 0: no bound; at least kLeastBytes
  /// @param seed  of the choice of instructions
  ExhaustiveProfile(size_t most_bytes, uint64_t seed);

  /// Counts `n` occurrences; 0 does nothing. The hot path: a few nanoseconds on warm data.
  /// @return how often the tuple was counted with them; 0 for n = 0
  uint64_t add(const Tuple& tuple, uint64_t n = 1) {
    if (n == 0) return 0;
    total_ += n;
    size_t index = static_cast<size_t>(mix(tuple) >> shift_);
    for (;;) {
      Slot& slot = slots_[index];
      if (slot.tag_and_count == 0) {
        insert(slot, tuple, n);
        return n;
      }
      if (slot.pc == tuple.pc && slot.value == tuple.value &&
          slot.tag_and_count >> kCountBits == tuple.tag) {
        slot.tag_and_count += n;
        return slot.tag_and_count & kCountMask;
      }
      index = (index + 1) & (slots_.size() - 1);
    }
  }

  /// Asks the memory for where add() will look.
  void prefetch(const Tuple& tuple) const { __builtin_prefetch(&slots_[mix(tuple) >> shift_], 1); }

  /// 0 for a tuple never added.
  uint64_t count(const Tuple& tuple) const;
  /// Every event added, kept or not.
  uint64_t total() const { return total_; }
  /// Distinct tuples.
  size_t size() const { return size_; }
  /// The instructions whose tuples are kept.
  const PcSample& kept() const { return kept_; }
  /// Keeps the tuples of these instructions only, now and from now on: those that another profile
  /// of the same bound kept, this one or fewer.
  void keep_only(const PcSample& sample) {
    if (sample.halvings() != kept_.halvings()) drop_all_but(sample);
  }
  /// Calls visit(tuple, count) for each distinct tuple; the order depends on that of the additions.
  template <typename Visit>
  void for_each(Visit visit) const {
    for (const Slot& slot : slots_) {
      if (slot.tag_and_count == 0) continue;
      visit(tuple_of(slot), slot.tag_and_count & kCountMask);
    }
  }
  /// What the table occupies in memory.
  size_t bytes() const { return slots_.size() * sizeof(Slot); }
  /// What the table of a profile with this many distinct tuples occupies.
  static size_t bytes_for(size_t tuples);
  /// By tag, pc, value: the same for the same events in whatever order they came.
  Entries entries() const;

 private:
  static constexpr unsigned kCountBits = 56;
  static constexpr uint64_t kCountMask = (uint64_t{1} << kCountBits) - 1;

  // 24 bytes: the tag shares a word with the count. Empty when the whole word is 0, which it is
  // for no tuple that was counted.
  struct Slot {
    uint64_t pc = 0;
    uint64_t value = 0;
    uint64_t tag_and_count = 0;
  };

  // Multiply and fold twice, so that addresses a few bytes apart and small values spread over the
  // high bits, the ones that choose the slot. The constants are odd and of no other meaning.
  static uint64_t mix(const Tuple& tuple) {
    uint64_t hash = (tuple.pc ^ uint64_t{tuple.tag} << kCountBits) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
    hash = (hash ^ tuple.value) * 0xd6e8feb86659fd93u;
    hash ^= hash >> 29;
    return hash * 0xbf58476d1ce4e5b9u;
  }

  static Tuple tuple_of(const Slot& slot) {
    return {slot.pc, slot.value, static_cast<uint8_t>(slot.tag_and_count >> kCountBits)};
  }
  static bool too_full(size_t tuples, size_t slots) { return tuples * 3 > slots * 2; }
  void insert(Slot& slot, const Tuple& tuple, uint64_t n);
  void grow();
  void drop_all_but(const PcSample& sample);
  void place(const Slot& slot);

  std::vector<Slot> slots_;
  unsigned shift_;  // 64 - log2 of the number of slots
  size_t size_ = 0;
  uint64_t total_ = 0;
  size_t most_slots_;
  PcSample kept_;
};

}  // namespace strobe::profile
