// Interrupts: a two-method protocol beside TLM, level-held until the cause is gone.
#pragma once

namespace strobe {

/// The interrupt inputs of a hart; the numbers are bit positions in mip and mie.
enum class Interrupt : unsigned {
  kMachineSoftware = 3,
  kMachineTimer = 7,
  kMachineExternal = 11,
  kCounterOverflow = 13,
  kProfiler = 16,  // platform-defined local interrupt (RISC-V privileged spec: 16 and above)
};

class InterruptTarget {
 public:
  virtual ~InterruptTarget() = default;
  virtual void set_interrupt(Interrupt line, bool level) = 0;
  virtual bool interrupt_level(Interrupt line) const = 0;
};

}  // namespace strobe
