#include "sc_models/core/hardware_thread.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace strobe::core {

HardwareThread::HardwareThread(const CoreParams& params, const Clock& clock,
                               isa::GuestMemory& memory, CoreDelegate& delegate, Devices& devices,
                               CoreShare* share)
    : clock_(clock),
      delegate_(delegate),
      devices_(devices),
      share_(share),
      hart_(memory, *this),
      pipeline_(params, hart_, share),
      line_bytes_(params.memory.l1d.line) {}

void HardwareThread::bind_caches(TimingPort& instructions, TimingPort& data) {
  instructions_ = &instructions;
  data_ = &data;
  pipeline_.bind_caches(instructions, data);
}

void HardwareThread::share_memory(uint64_t hart_id) {
  stores_ = &hart_.share_memory(hart_id);
  store_port_ = std::make_unique<StorePort>(*data_, *stores_, line_bytes_);
  pipeline_.bind_caches(*instructions_, *store_port_);
  pipeline_.share_memory();
}

void HardwareThread::set_low_priority(bool low) {
  if (share_ == nullptr) {
    throw std::invalid_argument(
        "core: the priority of a hart needs threads: 2, because it is relative to the other hart");
  }
  share_->set_low_priority(low);
}

void HardwareThread::restart() {
  if (stores_ != nullptr) stores_->write_all();
  if (share_ != nullptr) pipeline_.skip_to(std::max(pipeline_.cycle(), share_->core().cycle));
  pipeline_.restart();
  beside_ = beside();
  drained_ = false;
}

uint64_t HardwareThread::counter(unsigned number) const {
  if (number == 0) return pipeline_.cycle();
  const uint64_t committed = pipeline_.committed();
  return number == 2 ? committed : hart_.counter_of(number, committed);
}

uint64_t HardwareThread::event_count_of_sibling(HpmEvent event) {
  if (sibling_ == nullptr) return 0;
  const Pipeline& other = sibling_->pipeline_;
  return event == HpmEvent::kInstructions ? other.committed() : other.event_count(event);
}

uint64_t HardwareThread::event_count(HpmEvent event) {
  switch (event) {
    case HpmEvent::kL1iMisses:
    case HpmEvent::kL1dMisses:
    case HpmEvent::kL2Misses:
    case HpmEvent::kDramRequests:
      return memory_events_ ? memory_events_(event) : 0;
    default:
      return pipeline_.event_count(event);
  }
}

bool HardwareThread::mmio_read(uint64_t address, unsigned size, uint64_t& value) {
  value = 0;
  return device_access(tlm::TLM_READ_COMMAND, address, size, value);
}

bool HardwareThread::mmio_write(uint64_t address, unsigned size, uint64_t value) {
  return device_access(tlm::TLM_WRITE_COMMAND, address, size, value);
}

// The access happens now, in program order; the pipeline charges the annotated delay.
bool HardwareThread::device_access(tlm::tlm_command command, uint64_t address, unsigned size,
                                   uint64_t& value) {
  unsigned char bytes[8] = {};
  std::memcpy(bytes, &value, sizeof value);
  tlm::tlm_generic_payload payload;
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(bytes);
  payload.set_data_length(size);
  payload.set_streaming_width(size);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  sc_core::sc_time delay = clock_.delay_until(pipeline_.cycle());
  devices_->b_transport(payload, delay);
  pipeline_.device_answers_at(std::max(clock_.cycle_at(delay), pipeline_.cycle() + 1));
  if (!payload.is_response_ok()) return false;
  std::memcpy(&value, bytes, sizeof value);
  return true;
}

}  // namespace strobe::core
