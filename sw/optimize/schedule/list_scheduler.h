// List scheduling: an order of a region's operations in which few cycles are lost.
#pragma once

#include <cstdint>
#include <vector>

#include "sw/optimize/schedule/machine.h"
#include "sw/optimize/schedule/region.h"

namespace strobe::optimize {

struct Schedule {
  std::vector<uint32_t> order;  // the operations, as indices in the region
  std::vector<unsigned> cycle;  // by operation: when it issues
  unsigned length = 0;          // cycles until the last has issued
};

/// Cycle by cycle, of the operations that can issue, those on the longest chains of dependences
/// first. A chain counts by how often control leaves the region at its end (dependence height and
/// speculative yield: Fisher, IEEE Transactions on Computers 1981; Bringmann, "Enhancing
/// Instruction Level Parallelism through Compiler-Controlled Speculation", 1995). Equal operations
/// keep their order.
Schedule schedule(const Region& region, const Machine& machine);

/// When each operation issues on a machine that issues them in the region's order.
Schedule in_order(const Region& region, const Machine& machine);

/// Cycles that the region takes in all its executions, by its schedule: each time up to the branch
/// that leaves it, or to its end.
double cycles_of(const Region& region, const Schedule& schedule);

}  // namespace strobe::optimize
