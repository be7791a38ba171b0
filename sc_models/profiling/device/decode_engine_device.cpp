#include "sc_models/profiling/device/decode_engine_device.h"

#include <cstring>

#include "sc_models/port/address_map.h"

namespace strobe::profiling {

DecodeEngineDevice::DecodeEngineDevice(const sc_core::sc_module_name& name, isa::Hart& hart,
                                       sc_core::sc_time access_delay)
    : sc_module(name), socket("socket"), hart_(hart), access_delay_(access_delay) {
  socket.register_b_transport(this, &DecodeEngineDevice::b_transport);
}

void DecodeEngineDevice::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  payload.set_dmi_allowed(false);
  payload.set_response_status(access(payload));
  delay += access_delay_;
}

tlm::tlm_response_status DecodeEngineDevice::access(tlm::tlm_generic_payload& payload) {
  if (!payload.is_read() && !payload.is_write()) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  if (payload.get_byte_enable_ptr() != nullptr) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  const uint64_t offset = payload.get_address();
  if (payload.get_data_length() != 8 || payload.get_streaming_width() < 8 || offset % 8 != 0) {
    return tlm::TLM_BURST_ERROR_RESPONSE;
  }
  if (offset >= STROBE_DISE_SIZE) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  uint64_t value = 0;
  if (payload.is_read()) {
    value = hart_.read_engine(static_cast<uint32_t>(offset));
    std::memcpy(payload.get_data_ptr(), &value, sizeof value);
  } else {
    std::memcpy(&value, payload.get_data_ptr(), sizeof value);
    hart_.write_engine(static_cast<uint32_t>(offset), value);
  }
  return tlm::TLM_OK_RESPONSE;
}

}  // namespace strobe::profiling
