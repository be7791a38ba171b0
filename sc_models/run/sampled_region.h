// Mode sampled: the region of interest as its start and then units, all measured in detail, with
// functional warming between them. docs/sampling.md has the method and its reasons.
#pragma once

#include <cstdint>
#include <functional>

#include "sc_models/core/core.h"
#include "sc_models/core/warming.h"
#include "sc_models/machine/config/run_config.h"
#include "sc_models/machine/outcome/statistics.h"
#include "sc_models/profiling/device/profiler_device.h"
#include "sc_models/run/run.h"
#include "sc_models/watch/watchers.h"
#include "sw/profile/accuracy/sampling.h"

namespace strobe::platform {

class SampledRegion {
 public:
  struct Parts {
    core::Core& core;
    core::Warmer& warmer;
    profiling::ProfilerDevice* device;  // null: no active profiler
    Watchers* watchers;                 // null: nothing watches
    bool handlers;                      // productions call some; then there is no active profiler
    Statistics& statistics;
    uint64_t begin;   // U-mode instructions of the program before the region
    uint64_t before;  // the region's, that have committed already
    /// Runs in detail until so many more U-mode instructions have committed, or a stop.
    std::function<core::CoreStop(uint64_t)> detail;
    std::function<void()> progress;
  };

  SampledRegion(const config::RunConfig& configuration, Parts parts);

  /// From the present cycle, the pipeline running, to the end of the region: kUserLimit, or what
  /// stopped it before.
  core::CoreStop run();

  const profile::Samples& samples() const { return samples_; }
  /// What the start and all units counted.
  const Counters& counters() const { return counters_; }
  uint64_t machine_instructions() const { return machine_instructions_; }

 private:
  core::CoreStop sample(uint64_t end);
  core::CoreStop measure_start(uint64_t end);
  core::CoreStop forward(uint64_t target);
  isa::StopReason warm(uint64_t instructions);
  core::CoreStop observe(uint64_t target);
  core::CoreStop detail(uint64_t instructions);
  core::CoreStop measure_unit();
  core::CoreStop measure_interrupt();
  bool interrupt_fits() const;
  void show(const RetireRecord& record);
  /// U-mode instructions executed; those committed when the pipeline is drained.
  uint64_t now() const { return parts_.core.hart().user_instructions(); }
  /// The same of M-mode.
  uint64_t machine() const { return parts_.core.hart().instructions() - now(); }
  /// Cycles of interrupt entries and handlers since the counters were reset.
  uint64_t interrupt_cycles() const;
  void reset_counters();

  const config::SamplingConfig sampling_;
  const config::WorkloadConfig& workload_;
  const uint64_t most_instructions_;
  const uint64_t in_flight_;  // more U-mode instructions than the pipeline holds
  const uint64_t offset_;     // the first unit's
  Parts parts_;
  profile::Samples samples_;
  Counters counters_;
  uint64_t machine_instructions_ = 0;
  uint64_t machine_at_start_ = 0;  // the hart's machine instructions, as the start ended
  uint64_t detail_at_ = 0;         // where the next detailed stretch begins
  uint64_t unmeasured_ = 0;        // interrupts since the last measured one
  RetireRecord record_;
};

/// The fewest instructions of a region, beyond its start, that hold profile::kLeastUnits units.
uint64_t shortest_sampled_region(const config::RunConfig& configuration);

/// The cycles of a whole run from its samples; it has failed when there are too few of them.
void estimate_cycles(RunOutcome& outcome);

}  // namespace strobe::platform
