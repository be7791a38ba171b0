#include "sc_models/machine/system/ring_service.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "sc_models/port/region_marker.h"

namespace strobe::platform {

RetireInterest ServiceMeter::retire(uint64_t cycle, const RetireRecord* /*lanes*/,
                                    unsigned /*count*/, const RetireRecord* const* picked,
                                    unsigned picks) {
  for (unsigned i = 0; i < picks; ++i) {
    switch (picked[i]->insn) {
      case marker_insn(STROBE_SERVICE_WAITS):
        waits_ = true;
        break;
      case marker_insn(STROBE_SERVICE_TAKES):
        if (waits_) begin_ = cycle;
        waits_ = false;
        break;
      case marker_insn(STROBE_SERVICE_DONE):
        service_.add(cycle - begin_);
        begin_ = cycle;
        break;
      default:
        break;
    }
  }
  return interest();
}

RingService::RingService(System& system, const Clock& clock, profiling::ProfilerDevice& device,
                         tlm::tlm_target_socket<>& device_socket, uint64_t pc)
    : core_(system.core(1)),
      device_(device),
      dma_("ring_dma", clock, [this](uint64_t cycle) { note_record(cycle); }) {
  dma_.socket.bind(system.directory().master_socket);
  device.set_memory(dma_);
  core_.device_socket.bind(device_socket);
  core_.set_retire_sink(&meter_);
  core_.hart().state().pc = pc;
  core_.restart();
  core_.start({});
}

void RingService::note_record(uint64_t cycle) {
  if (any_record_) intervals_.add(cycle - last_record_);
  any_record_ = true;
  last_record_ = cycle;
}

void RingService::begin_region() {
  any_record_ = false;
  intervals_ = CycleHistogram();
  meter_.reset();
}

void RingService::end_region(uint64_t cycles) {
  outcome_.intervals = intervals_;
  outcome_.service = meter_.service();
  outcome_.cycles = cycles;
}

void RingService::expect_running() const {
  if (core_.running()) return;
  throw std::runtime_error(fmt::format("the service core stopped: {}\n{}",
                                       core::stop_name(core_.finish()), core_.dump_state()));
}

void RingService::collect(const strobe_ring_block_t& block,
                          std::vector<ProfilerOutcome>& outcomes) const {
  const auto active = std::find_if(outcomes.begin(), outcomes.end(),
                                   [](const ProfilerOutcome& p) { return p.active; });
  active->messages = block.messages;
  active->ring = outcome_;
  active->ring->entries = block.entries;
  active->ring->high_water = device_.ring_high_water();
  active->ring->stalls = device_.ring_stalls();
  active->ring->overwritten = block.lost_messages;
  active->ring->overwritten_counts = block.lost_count;
}

}  // namespace strobe::platform
