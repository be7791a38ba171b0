// How many places of a structure are taken in which cycle, where two harts share the structure.
//
// When an instruction is placed, the cycles in which it takes and leaves its place are known. The
// harts are not in the same cycle, so each has a cursor: the cycle it asked about last, and how
// many places are taken then. Changes after the cursor wait in a ring of cycles. A change that is
// kCycles or more after the earlier cursor is noted kCycles - 1 after it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace strobe::core {

class Occupancy {
 public:
  static constexpr unsigned kHarts = 2;

  /// A place is taken from cycle `cycle` on.
  void enter(uint64_t cycle) { change(cycle, 1); }
  /// It is free from cycle `cycle` on.
  void leave(uint64_t cycle) { change(cycle, -1); }

  /// The hart takes a place from cycle `from` on and leaves it in cycle `to`, which is later.
  void occupy(unsigned hart, uint64_t from, uint64_t to) {
    Cursor &mine = cursors_[hart], &other = cursors_[hart ^ 1];
    if (from != mine.now || to > last_noted()) {
      enter(from);
      leave(to);
      return;
    }
    ++mine.taken;  // as is usual: it asked about this cycle last
    --changes_[to % kCycles];
    if (from > other.now) {
      ++changes_[from % kCycles];
    } else if (to > other.now) {
      ++other.taken;
    }
  }

  /// The places taken in cycle `cycle`, or in the last one that the hart asked about if that is
  /// later.
  unsigned at(unsigned hart, uint64_t cycle) {
    Cursor& cursor = cursors_[hart];
    if (cycle > cursor.now) move(cursor, std::min(cycle, last_noted()));
    return static_cast<unsigned>(cursor.taken);
  }

 private:
  static constexpr uint64_t kCycles = 4096;
  struct Cursor {
    uint64_t now = 0;
    int taken = 0;
  };

  uint64_t earlier() const { return std::min(cursors_[0].now, cursors_[1].now); }
  uint64_t last_noted() const { return earlier() + kCycles - 1; }

  void change(uint64_t cycle, int by) {
    cycle = std::min(cycle, last_noted());
    bool waits = false;
    for (Cursor& cursor : cursors_) {
      if (cycle <= cursor.now) {
        cursor.taken += by;
      } else {
        waits = true;
      }
    }
    if (waits) changes_[cycle % kCycles] += by;
  }

  void move(Cursor& cursor, uint64_t to) {
    const uint64_t before = earlier();
    while (cursor.now < to) cursor.taken += changes_[++cursor.now % kCycles];
    const uint64_t now = earlier();
    for (uint64_t cycle = before + 1; cycle <= now; ++cycle) changes_[cycle % kCycles] = 0;
  }

  Cursor cursors_[kHarts];
  std::array<int, kCycles> changes_{};
};

}  // namespace strobe::core
