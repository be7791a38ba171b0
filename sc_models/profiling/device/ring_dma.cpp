#include "sc_models/profiling/device/ring_dma.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace strobe::profiling {
namespace {

constexpr uint64_t kRecordBytes = 32;

}  // namespace

RingDma::RingDma(const sc_core::sc_module_name& name, const Clock& clock,
                 std::function<void(uint64_t cycle)> on_record)
    : sc_module(name), socket("socket"), clock_(clock), on_record_(std::move(on_record)) {}

void RingDma::write(uint64_t cycle, uint64_t address, uint64_t data) {
  const uint64_t word = address % kRecordBytes / sizeof data, begin = address - word * sizeof data;
  record_[word] = data;
  if (word + 1 != record_.size()) return;
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_WRITE_COMMAND);
  payload.set_address(begin);
  payload.set_data_ptr(reinterpret_cast<unsigned char*>(record_.data()));
  payload.set_data_length(kRecordBytes);
  payload.set_streaming_width(kRecordBytes);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  sc_core::sc_time delay = clock_.delay_until(cycle);
  socket->b_transport(payload, delay);
  if (!payload.is_response_ok()) {
    throw std::runtime_error(fmt::format(
        "{}: cycle {}: the ring writer wrote to {:#x}, expected memory there, got {}; check "
        "RING_BASE",
        name(), cycle, begin, payload.get_response_string()));
  }
  done_ = clock_.cycle_at(delay);
  on_record_(done_);
}

}  // namespace strobe::profiling
