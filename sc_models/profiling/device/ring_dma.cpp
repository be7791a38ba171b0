#include "sc_models/profiling/device/ring_dma.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace strobe::profiling {
namespace {

constexpr uint64_t kLastWord = 0x18;  // of a record of 32 bytes

}  // namespace

RingDma::RingDma(const sc_core::sc_module_name& name, const memory::Clock& clock,
                 std::function<void(uint64_t cycle)> on_record)
    : sc_module(name), socket("socket"), clock_(clock), on_record_(std::move(on_record)) {}

void RingDma::write(uint64_t cycle, uint64_t address, uint64_t data) {
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_WRITE_COMMAND);
  payload.set_address(address);
  payload.set_data_ptr(reinterpret_cast<unsigned char*>(&data));
  payload.set_data_length(sizeof data);
  payload.set_streaming_width(sizeof data);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  sc_core::sc_time delay = clock_.delay_until(cycle);
  socket->b_transport(payload, delay);
  if (!payload.is_response_ok()) {
    throw std::runtime_error(fmt::format(
        "{}: cycle {}: the ring writer wrote to {:#x}, expected memory there, got {}; check "
        "RING_BASE",
        name(), cycle, address, payload.get_response_string()));
  }
  done_ = clock_.cycle_at(delay);
  if ((address & kLastWord) == kLastWord) on_record_(done_);
}

}  // namespace strobe::profiling
