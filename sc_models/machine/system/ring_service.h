// Message passing: the ring writer's way to memory and the core whose thread reads the ring.
//
//     profiling device ─▶ RingDma ─▶ directory ─▶ memory        core1 ─ device_bus (RING_CONS)
//
// It also holds the time between messages against the time the service thread takes for one, which
// ISCA 2001 (section 2.2) calls the overhead metric of this way of communication.
#pragma once

#include <cstdint>
#include <vector>

#include "sc_models/machine/config/run_config.h"
#include "sc_models/machine/outcome/outcome.h"
#include "sc_models/machine/system/system.h"
#include "sc_models/memory/interconnect.h"
#include "sc_models/port/retire_sink.h"
#include "sc_models/profiling/device/profiler_device.h"
#include "sc_models/profiling/device/ring_dma.h"
#include "sw/guest/include/strobe/abi.h"

namespace strobe::platform {

/// Times the service thread by its marks (sw/guest/include/strobe/abi.h). A message takes from the
/// moment it is taken up, or from the end of the one before when the thread did not wait between
/// them, until it is in the profile.
class ServiceMeter final : public RetireSink {
 public:
  RetireInterest interest() const override { return {RetireKinds(0xffff, 0xffff)}; }
  RetireInterest retire(uint64_t cycle, const RetireRecord* lanes, unsigned count,
                        const RetireRecord* const* picked, unsigned picks) override;

  const CycleHistogram& service() const { return service_; }
  void reset() { service_ = CycleHistogram(); }

 private:
  CycleHistogram service_;
  uint64_t begin_ = 0;
  bool waits_ = true;
};

class RingService {
 public:
  /// Starts hart 1 of `system` at `pc`; `device_socket` is its side of the device bus.
  RingService(System& system, const Clock& clock, profiling::ProfilerDevice& device,
              tlm::tlm_target_socket<>& device_socket, uint64_t pc);

  void begin_region();
  void end_region(uint64_t cycles);

  /// Throws std::runtime_error with the reason when the service core has stopped.
  void expect_running() const;

  /// Completes the outcome of the active profiler at the end of a run. `block` is what the service
  /// thread reported.
  void collect(const strobe_ring_block_t& block, std::vector<ProfilerOutcome>& outcomes) const;

 private:
  void note_record(uint64_t cycle);

  core::Core& core_;
  const profiling::ProfilerDevice& device_;
  profiling::RingDma dma_;
  ServiceMeter meter_;
  CycleHistogram intervals_;
  uint64_t last_record_ = 0;  // the cycle it was whole in memory
  bool any_record_ = false;
  RingOutcome outcome_;
};

}  // namespace strobe::platform
