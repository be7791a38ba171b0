// Anything that looks at the instructions of the region of interest as they retire. It costs the
// program no cycles.
#pragma once

#include <cstdint>

#include "sc_models/port/retire.h"
#include "sc_models/port/retire_kinds.h"

namespace strobe {

class RetireListener {
 public:
  virtual ~RetireListener() = default;
  /// The instructions that record() has to be shown. It may be shown others too.
  virtual RetireKinds kinds() const = 0;
  /// One retired instruction, in program order.
  virtual void record(const RetireRecord& record) = 0;
  /// What is recorded from now on retired so many core cycles after the region began; 0 without
  /// timing.
  virtual void set_cycles(uint64_t /*cycles*/) {}
  /// The same for all `picks` instructions that retired in a cycle.
  virtual void retire(uint64_t cycles, const RetireRecord* const* picked, unsigned picks) {
    set_cycles(cycles);
    for (unsigned k = 0; k < picks; ++k) record(*picked[k]);
  }
};

}  // namespace strobe
