// The exhaustive data-stream profile of a run. It takes every reference of the retire stream.
#pragma once

#include <cstdint>

#include "sc_models/port/retire.h"
#include "sw/profile/streams/reference_trace.h"

namespace strobe::profile {

/// Takes the loads, stores and atomics of user mode that did not trap.
class StreamObserver {
 public:
  /// @param max_symbols  the bound of the grammar, as for ReferenceTrace
  explicit StreamObserver(size_t max_symbols = size_t{1} << 26) : trace_(max_symbols) {}

  void record(const RetireRecord& record) {
    const bool memory = record.opclass == OpClass::kLoad || record.opclass == OpClass::kStore ||
                        record.opclass == OpClass::kAmo;
    if (!memory || record.trap != 0 || record.mode != PrivilegeMode::kUser) return;
    trace_.add({record.pc_rdata, record.mem_addr});
  }

  const ReferenceTrace& trace() const { return trace_; }

 private:
  ReferenceTrace trace_;
};

}  // namespace strobe::profile
