// The miss registers of a cache: which lines are in flight, and in which cycles.
//
// Accesses need not come in the order of their times (reservations.h). An entry therefore holds a
// register from one cycle to another. There can be more entries than registers, because several
// entries may stand for the same register at different times.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace strobe::memory {

class MissRegisters {
 public:
  struct Entry {
    uint64_t from = 0, until = 0;  // in cycle `until` the line has arrived and the register is free
    uint64_t line = 0;
    bool owns = false;  // a coherent miss that may be written to
  };

  explicit MissRegisters(unsigned count) : count_(count), entries_(count) {}

  /// Whether no register is free in cycle `now`.
  bool full(uint64_t now) const {
    unsigned busy = 0;
    for (const Entry& e : entries_) busy += e.from <= now && now < e.until ? 1 : 0;
    return busy >= count_;
  }
  void take(const Entry& entry) {
    const auto old =
        std::min_element(entries_.begin(), entries_.end(),
                         [](const Entry& a, const Entry& b) { return a.until < b.until; });
    if (old->until <= entry.from) {
      *old = entry;
    } else {
      entries_.push_back(entry);
    }
  }
  /// The cycle in which the first of the registers that are taken in cycle `now` becomes free.
  uint64_t next_free(uint64_t now) const {
    uint64_t at = ~uint64_t{0};
    for (const Entry& e : entries_) {
      if (e.from <= now && now < e.until) at = std::min(at, e.until);
    }
    return at;
  }
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  unsigned count_;
  std::vector<Entry> entries_;
};

}  // namespace strobe::memory
