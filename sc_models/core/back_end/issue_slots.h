// Which issue slots and units are taken in which cycle, from the present cycle of rename on.
//
// Instructions come in program order and take the first cycle that has room, so the oldest goes
// first in every cycle, as a scheduler that picks the oldest ready would have it. A core that
// issues in order asks for no cycle before the one that the last instruction took. A cycle is one
// word of eight counters: instructions issued, operations begun by each kind of unit, and whether a
// hart of low priority issues.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "sc_models/core/back_end/operation.h"

namespace strobe::core {

class IssueSlots {
 public:
  IssueSlots(unsigned width, const UnitParams* units) : units_(units) {
    // A counter starts so far below 128 as there is room: its top bit says that it is full.
    empty_ = kFull - std::min(width, kFull);
    for (unsigned unit = 0; unit < kUnitCount; ++unit) {
      // What does not take an operation every cycle is looked at unit by unit.
      const unsigned room = units[unit].interval == 1 ? std::min(units[unit].count, kFull) : kFull;
      const unsigned shift = 8 + 8 * unit;
      empty_ |= uint64_t{kFull - room} << shift;
      one_[unit] = uint64_t{1} << shift | 1;
      whole_unit_[unit] = units[unit].interval != 1;
      if (whole_unit_[unit]) begun_[unit].resize(units[unit].count);
    }
    clear(0);
  }

  /// Nothing is issued after cycle `now`.
  void clear(uint64_t now) {
    std::fill(cycles_.begin(), cycles_.end(), empty_);
    for (auto& units : begun_) {
      for (std::vector<uint64_t>& begun : units) begun.clear();
    }
    far_.clear();
    now_ = now;
    waiting_ = 0;
  }

  /// Instructions that have a cycle of issue later than the present one.
  uint64_t waiting() const { return waiting_; }
  uint64_t now() const { return now_; }

  /// Nothing will be placed in cycle `now` or before. Never goes back.
  void advance(uint64_t now) {
    if (now > now_) go_on(now);
  }

  /// The first cycle from `from` on, later than the present one, that has room for an operation of
  /// `unit`. It is taken.
  [[gnu::always_inline]] uint64_t take(Unit unit, uint64_t from) {
    ++waiting_;
    if (whole_unit_[unit]) return take_whole_unit<false>(unit, from);
    uint64_t& word = cycles_[from % kCycles];
    if (from - now_ >= kCycles || (word & one_[unit] << 7) != 0) return take_slot(unit, from);
    word += one_[unit];
    return from;
  }
  /// The same for a hart of low priority: at most one operation a cycle, and only where what has
  /// been placed so far leaves a slot. A slot so taken is free for take() all the same.
  uint64_t take_left_over(Unit unit, uint64_t from) {
    if (whole_unit_[unit]) return take_whole_unit<true>(unit, from);
    return take_left_over_slot(unit, from);
  }

 private:
  static constexpr uint64_t kCycles = 2048;
  static constexpr unsigned kFull = 128;
  static constexpr uint64_t kLeftOver = uint64_t{1} << 56;  // a hart of low priority issues here

  [[gnu::noinline]] uint64_t take_slot(Unit unit, uint64_t from) {
    const uint64_t one = one_[unit];
    const uint64_t full = one << 7;
    for (uint64_t cycle = from; cycle - now_ < kCycles; ++cycle) {
      uint64_t& word = cycles_[cycle % kCycles];
      if ((word & full) != 0) continue;
      word += one;
      return cycle;
    }
    far_.push_back(from);
    return from;
  }

  uint64_t take_left_over_slot(Unit unit, uint64_t from) {
    const uint64_t no = one_[unit] << 7 | kLeftOver;
    for (uint64_t cycle = from; cycle - now_ < kCycles; ++cycle) {
      uint64_t& word = cycles_[cycle % kCycles];
      if ((word & no) != 0) continue;
      word |= kLeftOver;
      return cycle;
    }
    return from;
  }

  // One that takes an operation only every `interval` cycles.
  template <bool kLow>
  uint64_t take_whole_unit(Unit unit, uint64_t from) {
    std::vector<uint64_t>* earliest = nullptr;
    uint64_t cycle = 0;
    for (std::vector<uint64_t>& begun : begun_[unit]) {
      const uint64_t at = first_gap(begun, units_[unit].interval, from);
      if (earliest != nullptr && at >= cycle) continue;
      earliest = &begun;
      cycle = at;
    }
    cycle = kLow ? take_left_over_slot(unit, cycle) : take_slot(unit, cycle);
    earliest->insert(std::upper_bound(earliest->begin(), earliest->end(), cycle), cycle);
    return cycle;
  }

  // The first cycle in which a unit that began operations in these cycles can begin another one and
  // end it before the next. Those it has ended by now are forgotten.
  uint64_t first_gap(std::vector<uint64_t>& begun, uint64_t interval, uint64_t from) const {
    const auto over = [&](uint64_t cycle) { return cycle + interval <= now_; };
    begun.erase(begun.begin(), std::find_if_not(begun.begin(), begun.end(), over));
    for (const uint64_t cycle : begun) {
      if (from + interval <= cycle) break;
      from = std::max(from, cycle + interval);
    }
    return from;
  }

  void pass(uint64_t cycle) {
    uint64_t& word = cycles_[cycle % kCycles];
    waiting_ -= (word & 0xff) - (empty_ & 0xff);
    word = empty_;
  }

  void go_on(uint64_t now) {
    if (now == now_ + 1 && far_.empty()) {
      pass(now_ = now);
    } else {
      advance_far(now);
    }
  }

  void advance_far(uint64_t now) {
    if (now - now_ >= kCycles) return jump(now);
    while (now_ < now) pass(++now_);
    if (!far_.empty()) bring_near();
  }

  // Operations that issue later than the table reaches take no slots; they are issued all the same.
  void bring_near() {
    for (size_t i = 0; i < far_.size();) {
      if (far_[i] - now_ >= kCycles) {
        ++i;
        continue;
      }
      uint64_t cycle = far_[i];
      while ((cycles_[cycle % kCycles] & kFull) != 0) ++cycle;
      ++cycles_[cycle % kCycles];
      far_[i] = far_.back();
      far_.pop_back();
    }
  }

  void jump(uint64_t now) {
    uint64_t left = 0;
    for (const uint64_t cycle : far_) left += cycle > now ? 1 : 0;
    far_.erase(std::remove_if(far_.begin(), far_.end(), [&](uint64_t c) { return c <= now; }),
               far_.end());
    std::fill(cycles_.begin(), cycles_.end(), empty_);
    now_ = now;
    waiting_ = left;
    bring_near();
  }

  std::array<uint64_t, kCycles> cycles_;
  const UnitParams* units_;
  uint64_t empty_ = 0;
  uint64_t now_ = 0;
  uint64_t waiting_ = 0;
  uint64_t one_[kUnitCount] = {};     // an operation of the unit, in the words
  bool whole_unit_[kUnitCount] = {};  // it is busy for longer than a cycle
  // Of units that are busy for longer, one by one: the cycles in which they begin operations.
  std::vector<std::vector<uint64_t>> begun_[kUnitCount];
  std::vector<uint64_t> far_;  // cycles of issue beyond the table
};

}  // namespace strobe::core
