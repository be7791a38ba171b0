// What the core calls when instructions commit.
#pragma once

#include <cstdint>

#include "sc_models/port/retire.h"
#include "sc_models/port/retire_kinds.h"

namespace strobe {

/// What a sink is called for.
struct RetireInterest {
  RetireKinds kinds;      // these instructions of the program
  bool injected = false;  // those of the decode engine
  bool busy = false;      // every cycle, with or without retirement
};

class RetireSink {
 public:
  virtual ~RetireSink() = default;
  /// Asked before a run and after each instruction executed alone; otherwise it changes with
  /// retire() only.
  virtual RetireInterest interest() const = 0;
  /// One core cycle. Cycles between two calls had nothing of interest.
  /// @param cycle   the core's cycle number, strictly rising from call to call
  /// @param lanes   `count` records in program order: all that retire in this cycle; count <= the
  ///                core's width, may be 0
  /// @param picked  of them, the `picks` of interest, in program order
  /// @return interest() from now on
  virtual RetireInterest retire(uint64_t cycle, const RetireRecord* lanes, unsigned count,
                                const RetireRecord* const* picked, unsigned picks) = 0;
};

}  // namespace strobe
