// The counters of all harts as registers, for any hart to read: those of a hart are exposed to
// others, as the performance counters of Blue Gene/Q are. It is the change of hardware that SHIM
// asks for (section 6.5).
//
//   0x100 hart + 8 number         counter `number`: 0 cycle, 2 instret, 3 to 10 mhpmcounter;
//   read-only 0x100 hart + 0x80 + 8 number  mhpmevent of counters 3 to 10
//
// Accesses have eight bytes. A read shows what has committed, and costs the observed hart nothing.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <systemc>
#include <vector>

#include "sc_models/core/hardware_thread.h"

namespace strobe::platform {

class CounterWindow : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<CounterWindow> socket;

  /// @param harts          by number
  /// @param access_delay   of an access to an event
  /// @param counter_delay  of a read of a counter
  CounterWindow(const sc_core::sc_module_name& name, std::vector<core::HardwareThread*> harts,
                sc_core::sc_time access_delay, sc_core::sc_time counter_delay);

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  tlm::tlm_response_status access(tlm::tlm_generic_payload& payload);

  const std::vector<core::HardwareThread*> harts_;
  const sc_core::sc_time access_delay_, counter_delay_;
};

}  // namespace strobe::platform
