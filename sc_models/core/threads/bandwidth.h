// A stage of a core that two harts share: so many instructions a cycle, whosever they are.
//
// The harts ask in the order in which their instructions are placed, so a cycle may be asked about
// after a later one. Of two cycles that are kCycles apart, only the later one is counted.
#pragma once

#include <array>
#include <cstdint>

#include "sc_models/core/back_end/reorder_buffer.h"

namespace strobe::core {

class Bandwidth {
 public:
  explicit Bandwidth(unsigned width) : width_(width) {}

  /// The first cycle from `from` on with room for another instruction.
  uint64_t first_free(uint64_t from) const {
    while (full(from)) ++from;
    return from;
  }
  /// An instruction is in the stage in cycle `cycle`, which has room for it.
  void take(uint64_t cycle) {
    if (cycle >= kNever) return;
    Cell& cell = cells_[cycle % kCycles];
    if (cell.cycle < cycle) cell = {cycle, 0};
    if (cell.cycle == cycle) ++cell.taken;
  }

 private:
  static constexpr uint64_t kCycles = 4096;
  struct Cell {
    uint64_t cycle = 0;
    unsigned taken = 0;
  };

  bool full(uint64_t cycle) const {
    const Cell& cell = cells_[cycle % kCycles];
    return cell.cycle == cycle && cell.taken >= width_;
  }

  const unsigned width_;
  std::array<Cell, kCycles> cells_;
};

}  // namespace strobe::core
