// The simulation context of one Verilated model.
#pragma once

#include <verilated.h>

namespace strobe::profiling {

/// Runs without threads. A Verilator context starts one thread for each further processor of the
/// host, and a process with threads cannot be confined as a whole (sw/confine).
class ModelContext : public VerilatedContext {
 public:
  ModelContext() { threads(1); }
};

}  // namespace strobe::profiling
