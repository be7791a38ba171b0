// The simulation context of one Verilated model.
#pragma once

#include <verilated.h>

namespace strobe::profiling {

/// Without threads. A context of Verilator starts one for every further processor of the host, for
/// models that are Verilated for several; and a process with threads is not confined as a whole
/// (sw/confine).
class ModelContext : public VerilatedContext {
 public:
  ModelContext() { threads(1); }
};

}  // namespace strobe::profiling
