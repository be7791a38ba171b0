#include "sc_models/machine/system/counter_window.h"

#include <cstring>
#include <utility>

#include "sc_models/isa/decode/csr.h"
#include "sc_models/port/address_map.h"

namespace strobe::platform {
namespace {

bool is_event(uint64_t offset) {
  return offset % STROBE_COUNTERS_OF_HART >= STROBE_COUNTERS_EVENTS;
}
bool is_programmable(unsigned number) {
  return number >= isa::kFirstHpmCounter && number < isa::kFirstHpmCounter + isa::kHpmCounterCount;
}

}  // namespace

CounterWindow::CounterWindow(const sc_core::sc_module_name& name,
                             std::vector<core::HardwareThread*> harts,
                             sc_core::sc_time access_delay, sc_core::sc_time counter_delay)
    : sc_module(name),
      socket("socket"),
      harts_(std::move(harts)),
      access_delay_(access_delay),
      counter_delay_(counter_delay) {
  socket.register_b_transport(this, &CounterWindow::b_transport);
}

void CounterWindow::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  payload.set_dmi_allowed(false);
  payload.set_response_status(access(payload));
  delay += is_event(payload.get_address()) ? access_delay_ : counter_delay_;
}

tlm::tlm_response_status CounterWindow::access(tlm::tlm_generic_payload& payload) {
  if (payload.get_byte_enable_ptr() != nullptr) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  uint64_t value = 0;
  if (payload.get_data_length() != sizeof value || payload.get_streaming_width() < sizeof value) {
    return tlm::TLM_BURST_ERROR_RESPONSE;
  }
  const uint64_t offset = payload.get_address(), hart = offset / STROBE_COUNTERS_OF_HART;
  const bool event = is_event(offset);
  const auto number = static_cast<unsigned>(offset % STROBE_COUNTERS_EVENTS / 8);
  const bool present = is_programmable(number) || (!event && (number == 0 || number == 2));
  if (offset % 8 != 0 || hart >= harts_.size() || !present) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  core::HardwareThread& thread = *harts_[hart];
  if (payload.is_read()) {
    value = event ? thread.counter_event(number) : thread.counter(number);
    std::memcpy(payload.get_data_ptr(), &value, sizeof value);
    return tlm::TLM_OK_RESPONSE;
  }
  if (!payload.is_write()) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  if (!event) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  std::memcpy(&value, payload.get_data_ptr(), sizeof value);
  thread.set_counter_event(number, value);
  return tlm::TLM_OK_RESPONSE;
}

}  // namespace strobe::platform
