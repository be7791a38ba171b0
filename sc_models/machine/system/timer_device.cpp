#include "sc_models/machine/system/timer_device.h"

#include <cstring>

#include "sc_models/port/address_map.h"

namespace strobe::platform {

TimerDevice::TimerDevice(const sc_core::sc_module_name& name, core::Core& core,
                         sc_core::sc_time access_delay)
    : sc_module(name), socket("socket"), core_(core), access_delay_(access_delay) {
  socket.register_b_transport(this, &TimerDevice::b_transport);
}

void TimerDevice::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  payload.set_dmi_allowed(false);
  payload.set_response_status(access(payload));
  delay += access_delay_;
}

tlm::tlm_response_status TimerDevice::access(tlm::tlm_generic_payload& payload) {
  if (payload.get_byte_enable_ptr() != nullptr) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  uint64_t value = 0;
  if (payload.get_data_length() != sizeof value || payload.get_streaming_width() < sizeof value) {
    return tlm::TLM_BURST_ERROR_RESPONSE;
  }
  const uint64_t offset = payload.get_address();
  if (payload.is_read()) {
    if (offset != STROBE_TIMER_COMPARE && offset != STROBE_TIMER_NOW) {
      return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    }
    value = offset == STROBE_TIMER_COMPARE ? compare_ : core_.cycle_count();
    std::memcpy(payload.get_data_ptr(), &value, sizeof value);
    return tlm::TLM_OK_RESPONSE;
  }
  if (!payload.is_write()) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  if (offset != STROBE_TIMER_COMPARE) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  std::memcpy(&compare_, payload.get_data_ptr(), sizeof compare_);
  core_.set_timer(compare_);
  return tlm::TLM_OK_RESPONSE;
}

}  // namespace strobe::platform
