// Which operations of a region must stay before which others, and by how many cycles.
#pragma once

#include <cstdint>
#include <vector>

#include "sw/optimize/schedule/machine.h"
#include "sw/optimize/schedule/region.h"

namespace strobe::optimize {

/// The operation `to` issues at least `latency` cycles later, and stands later even when that is 0.
struct Dependence {
  uint32_t to = 0;
  unsigned latency = 0;
};

/// By operation: what depends on it. An operation depends only on earlier ones.
///
/// - Registers: a use follows its definition by the latency; definitions follow earlier uses and
///   definitions.
/// - Memory: a store and a load or another store keep their order, unless their addresses are
///   provably different.
/// - Barriers, the last operation of a region that ends in a jump, and a change of the unwind row
///   are not crossed.
/// - Branches: upwards past a branch go only operations that cannot trap, write no memory, set no
///   fflags, and write no register that is live where the branch goes. Downwards past it go only
///   operations without any effect but a register that is dead there.
std::vector<std::vector<Dependence>> dependences_of(const Region& region, const Machine& machine);

}  // namespace strobe::optimize
