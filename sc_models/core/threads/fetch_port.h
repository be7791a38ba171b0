// The fetch stage of a core that two harts share: one of them a cycle.
#pragma once

#include <array>
#include <cstdint>

#include "sc_models/core/back_end/reorder_buffer.h"

namespace strobe::core {

class FetchPort {
 public:
  FetchPort() { cells_.fill(~uint64_t{0}); }

  /// The first cycle from `from` on in which the other hart does not fetch.
  uint64_t first_free(unsigned hart, uint64_t from) const {
    while (!is_free(hart, from)) ++from;
    return from;
  }
  /// Whether the other hart does not fetch in cycle `cycle`.
  bool is_free(unsigned hart, uint64_t cycle) const {
    return cells_[cycle % kCycles] != (cycle << 1 | (hart ^ 1));
  }
  /// The hart fetches in cycle `cycle`, in which the other one does not.
  void take(unsigned hart, uint64_t cycle) {
    if (cycle >= kNever) return;
    cells_[cycle % kCycles] = cycle << 1 | hart;
  }
  /// The hart that fetched last before cycle `cycle`; the second one if none did for a while.
  unsigned last_before(uint64_t cycle) const {
    for (unsigned back = 1; back <= kMemory && back <= cycle; ++back) {
      const uint64_t cell = cells_[(cycle - back) % kCycles];
      if (cell >> 1 == cycle - back) return static_cast<unsigned>(cell & 1);
    }
    return 1;
  }

 private:
  static constexpr uint64_t kCycles = 4096;
  static constexpr unsigned kMemory = 16;

  std::array<uint64_t, kCycles> cells_;  // the cycle and the hart that fetches in it
};

}  // namespace strobe::core
