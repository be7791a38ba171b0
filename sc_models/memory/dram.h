// Main memory: a TLM-2.0 target over the guest memory, with a latency and a bandwidth.
//
// It takes one request every `interval` cycles, in the order of arrival, and answers it `latency`
// cycles later. It serves [0, STROBE_DEVICE_BASE). DMI gives access to the guest memory itself.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <map>
#include <string>
#include <systemc>
#include <tlm>

#include "sc_models/isa/memory/guest_memory.h"
#include "sc_models/memory/reservations.h"
#include "sc_models/port/clock.h"

namespace strobe::memory {

class Dram : public sc_core::sc_module {
 public:
  static constexpr uint64_t kSize = STROBE_DEVICE_BASE;

  tlm_utils::simple_target_socket<Dram> target_socket;

  /// @param latency   cycles from a request's arrival to its data
  /// @param interval  cycles between the starts of two requests
  Dram(sc_core::sc_module_name name, isa::GuestMemory& memory, unsigned latency, unsigned interval,
       const Clock& clock);

  std::map<std::string, uint64_t> statistics() const;
  void reset_statistics() {
    requests_before_ += reads_ + writes_;
    reads_ = writes_ = wait_cycles_ = 0;
  }
  /// Reads and writes since time 0.
  uint64_t requests() const { return requests_before_ + reads_ + writes_; }
  std::string dump_state(uint64_t now) const;

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& payload);
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi);
  bool move(tlm::tlm_generic_payload& payload);

  isa::GuestMemory& memory_;
  const unsigned latency_;
  const Clock clock_;
  Reservations slots_;
  uint64_t reads_ = 0, writes_ = 0, wait_cycles_ = 0;
  uint64_t requests_before_ = 0;  // the counters were reset
};

}  // namespace strobe::memory
