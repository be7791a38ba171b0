#include "sc_models/memory/dram.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace strobe::memory {

Dram::Dram(sc_core::sc_module_name name, isa::GuestMemory& memory, unsigned latency,
           unsigned interval, const Clock& clock)
    : sc_module(name),
      target_socket("target_socket"),
      memory_(memory),
      latency_(latency),
      clock_(clock),
      slots_(interval) {
  target_socket.register_b_transport(this, &Dram::b_transport);
  target_socket.register_transport_dbg(this, &Dram::transport_dbg);
  target_socket.register_get_direct_mem_ptr(this, &Dram::get_direct_mem_ptr);
}

bool Dram::move(tlm::tlm_generic_payload& payload) {
  const uint64_t address = payload.get_address();
  const uint64_t length = payload.get_data_length();
  if (length > kSize || address > kSize - length) return false;
  unsigned char* data = payload.get_data_ptr();
  if (payload.is_read()) {
    std::memcpy(data, memory_.data() + address, length);
  } else if (payload.is_write() && std::memcmp(memory_.data() + address, data, length) != 0) {
    // Write-backs carry the bytes that memory already has, and must not look like new code.
    memory_.write(address, data, length);
  }
  return true;
}

void Dram::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (payload.get_byte_enable_ptr() != nullptr) {
    payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    return;
  }
  if (payload.get_streaming_width() < payload.get_data_length()) {
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    return;
  }
  if (!move(payload)) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  payload.is_write() ? ++writes_ : ++reads_;
  const uint64_t arrival = clock_.cycle_at(delay);
  const uint64_t start = slots_.take(arrival);
  wait_cycles_ += start - arrival;
  delay = clock_.delay_until(start + latency_);
  payload.set_dmi_allowed(true);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

unsigned Dram::transport_dbg(tlm::tlm_generic_payload& payload) {
  return move(payload) ? payload.get_data_length() : 0;
}

bool Dram::get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
  if (payload.get_address() >= kSize) return false;
  dmi.set_dmi_ptr(memory_.data());
  dmi.set_start_address(0);
  dmi.set_end_address(kSize - 1);
  dmi.set_read_latency(clock_.time_of(latency_));
  dmi.set_write_latency(clock_.time_of(latency_));
  dmi.allow_read_write();
  return true;
}

std::map<std::string, uint64_t> Dram::statistics() const {
  return {{"reads", reads_}, {"writes", writes_}, {"wait_cycles", wait_cycles_}};
}

std::string Dram::dump_state(uint64_t now) const {
  return slots_.until() > now ? fmt::format("{}: taken until cycle {}\n", name(), slots_.until())
                              : fmt::format("{}: free\n", name());
}

}  // namespace strobe::memory
