// The ring writer's access to memory: a TLM-2.0 master that makes one burst of a record's words.
//
// It is coherent with the caches when it is bound to Directory::master_socket. The last word of a
// record starts the burst of 32 bytes. The next record's words are taken when the burst is done.
// The module also reports when each record is complete in memory, so that the service thread's time
// can be compared with the time between messages (ISCA 2001, section 2.2).
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <array>
#include <cstdint>
#include <functional>
#include <systemc>

#include "sc_models/port/clock.h"

namespace strobe::profiling {

class RingDma : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<RingDma> socket;

  /// @param on_record  called with the cycle in which a record is complete in memory
  RingDma(const sc_core::sc_module_name& name, const Clock& clock,
          std::function<void(uint64_t cycle)> on_record);

  bool ready(uint64_t cycle) const { return cycle >= done_; }
  /// Takes a 64-bit word at cycle `cycle`, in which ready() holds. A record's words come in the
  /// order of their addresses. Throws std::runtime_error at an address without memory.
  void write(uint64_t cycle, uint64_t address, uint64_t data);

 private:
  const Clock clock_;
  std::function<void(uint64_t)> on_record_;
  std::array<uint64_t, 4> record_{};  // the record's words so far
  uint64_t done_ = 0;                 // the cycle in which the last burst is done
};

}  // namespace strobe::profiling
