// An independent RV64GC implementation to compare with: Unicorn (QEMU's translator), with registers
// and memory of its own.
#pragma once

#include <unicorn/unicorn.h>

#include <cstdint>
#include <string>

#include "sc_models/isa/hart/hart.h"

namespace strobe::isa::lockstep {

/// The state both implementations must agree on.
struct Registers {
  uint64_t x[32] = {};
  uint64_t f[32] = {};
  uint64_t pc = 0;
  uint64_t fcsr = 0;
};

Registers registers_of(const Hart& hart);
/// Every difference as "x5 ours 0x.. golden 0x..", one a line; empty when equal.
std::string differences(const Registers& ours, const Registers& golden);

class Golden {
 public:
  Golden();
  ~Golden();
  Golden(const Golden&) = delete;
  Golden& operator=(const Golden&) = delete;

  /// Gives the guest range [address, address + size) the host memory at `host`, all permissions.
  void map(uint64_t address, uint64_t size, void* host);
  void set(const Registers& registers);
  Registers get();
  /// Runs from `pc` until `until` is reached (it is not executed) or a hook stops it.
  void run(uint64_t pc, uint64_t until);
  void forget_code(uint64_t begin, uint64_t end);
  uc_engine* engine() { return engine_; }

 private:
  void check(uc_err error, const char* what) const;
  uc_engine* engine_ = nullptr;
};

}  // namespace strobe::isa::lockstep
