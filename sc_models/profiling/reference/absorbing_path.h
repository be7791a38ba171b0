// A path that knows when nobody would notice what it does, and then need not be stepped.
#pragma once

#include "sc_models/port/path_interface.h"
#include "sc_models/port/retire.h"

namespace strobe::profiling {

class AbsorbingPath : public ProfilerPath {
 public:
  /// First skip(idle). Then one clock cycle in which the `count` picked instructions retire and
  /// nothing else comes in, if the interrupt stays as it is until the next other input, however
  /// late that is. Cycles without any input may follow by skip().
  /// @return cycles after which the path is idle and settled, at the most; 0: the one cycle has not
  ///         happened, step() is due
  virtual unsigned absorb(uint64_t idle, const RetireRecord* const* picked, unsigned count) = 0;
};

}  // namespace strobe::profiling
