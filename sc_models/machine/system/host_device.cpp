#include "sc_models/machine/system/host_device.h"

#include <utility>

#include "sc_models/port/address_map.h"

namespace strobe::platform {

bool HostSignals::store(uint64_t offset) {
  if (offset == STROBE_HOST_HALT) {
    halted = true;
  } else if (offset == STROBE_HOST_FATAL) {
    fatal = true;
  } else {
    return false;
  }
  return true;
}

HostDevice::HostDevice(const sc_core::sc_module_name& name, HostSignals& signals,
                       std::function<void()> stop)
    : sc_module(name), socket("socket"), signals_(signals), stop_(std::move(stop)) {
  socket.register_b_transport(this, &HostDevice::b_transport);
}

void HostDevice::b_transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time&) {
  if (!transaction.is_write()) {
    transaction.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
    return;
  }
  if (!signals_.store(transaction.get_address())) {
    transaction.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  transaction.set_response_status(tlm::TLM_OK_RESPONSE);
  stop_();
}

}  // namespace strobe::platform
