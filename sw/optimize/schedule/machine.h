// What the scheduler knows of a core: how many instructions issue in a cycle, its units, and when a
// result can be used.
#pragma once

#include <algorithm>

#include "sc_models/core/back_end/operation.h"
#include "sc_models/core/params.h"

namespace strobe::optimize {

class Machine {
 public:
  explicit Machine(const core::CoreParams& core)
      : width_(core.issue_width),
        units_{core.alu, core.mul, core.div, core.fp, core.fp_div, core.mem},
        load_latency_(core.mem.latency + core.memory.l1d.latency),
        forward_latency_(core.forward_latency) {}

  /// Instructions issued in a cycle.
  unsigned width() const { return width_; }
  static core::Unit unit_of(const isa::DecodedInsn& insn) { return core::operation_of(insn).unit; }
  const core::UnitParams& unit(core::Unit unit) const { return units_[unit]; }
  /// Cycles from the issue of an instruction to the issue of one that uses its result; a load hits
  /// in the data cache.
  unsigned latency(const isa::DecodedInsn& insn) const {
    const core::Operation operation = core::operation_of(insn);
    const bool loads =
        operation.memory == core::Memory::kLoad || operation.memory == core::Memory::kAmo;
    return loads ? load_latency_ : units_[operation.unit].latency;
  }
  /// Cycles from a store to a load of the same bytes.
  unsigned forward_latency() const { return units_[core::kMemUnit].latency + forward_latency_; }

 private:
  unsigned width_;
  core::UnitParams units_[core::kUnitCount];
  unsigned load_latency_, forward_latency_;
};

}  // namespace strobe::optimize
