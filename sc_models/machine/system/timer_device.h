// The timer of a hart: its interrupt is pending from a given cycle on (RISC-V privileged
// specification, section 3.2.1). It counts core cycles.
//
//   STROBE_TIMER_COMPARE  mtimecmp  the cycle; all ones, as after reset, is never
//   STROBE_TIMER_NOW      mtime     the present cycle; read-only
//
// Accesses have eight bytes. A write of mtimecmp takes the interrupt back, unless the cycle has
// come already.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <systemc>

#include "sc_models/core/core.h"

namespace strobe::platform {

class TimerDevice : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<TimerDevice> socket;

  /// @param core          whose timer it is
  /// @param access_delay  the delay of a register access
  TimerDevice(const sc_core::sc_module_name& name, core::Core& core, sc_core::sc_time access_delay);

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  tlm::tlm_response_status access(tlm::tlm_generic_payload& payload);

  core::Core& core_;
  const sc_core::sc_time access_delay_;
  uint64_t compare_ = ~uint64_t{0};
};

}  // namespace strobe::platform
