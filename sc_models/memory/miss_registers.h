// The miss registers of a cache: which lines are on their way, and in which cycles.
//
// Accesses may come in another order than that of their times (reservations.h), so a register is
// taken from one cycle to another, and there are more entries than registers when several of them
// were or will be the same register.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace strobe::memory {

class MissRegisters {
 public:
  struct Entry {
    uint64_t from = 0, until = 0;  // in cycle `until` the line is there and the register free
    uint64_t line = 0;
    bool owns = false;  // a coherent miss that may be written to
  };

  explicit MissRegisters(unsigned count) : count_(count), entries_(count) {}

  /// No register is free in cycle `now`.
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
  /// When the next of those that are taken in cycle `now` is free.
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
