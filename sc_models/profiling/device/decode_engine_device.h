// The decode engine's register window on the device bus. docs/blocks/dise.md, "Registers"
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <systemc>

#include "sc_models/isa/hart/hart.h"

namespace strobe::profiling {

class DecodeEngineDevice : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<DecodeEngineDevice> socket;

  /// @param hart          the hart, to which an engine is attached
  /// @param access_delay  the delay of a register access
  DecodeEngineDevice(const sc_core::sc_module_name& name, isa::Hart& hart,
                     sc_core::sc_time access_delay);

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  tlm::tlm_response_status access(tlm::tlm_generic_payload& payload);

  isa::Hart& hart_;
  const sc_core::sc_time access_delay_;
};

}  // namespace strobe::profiling
