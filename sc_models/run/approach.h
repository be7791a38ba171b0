// The way to the region of interest of a run on the core model: firmware, roi.begin, skip and warm.
// docs/sampling.md has the rules.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "sc_models/core/core.h"
#include "sc_models/core/warming.h"
#include "sc_models/isa/hart/hart.h"
#include "sc_models/machine/config/run_config.h"
#include "sc_models/machine/guest/guest_image.h"
#include "sc_models/machine/profiler/active_profiler.h"
#include "sc_models/machine/system/host_device.h"
#include "sc_models/watch/retire_fork.h"

namespace strobe::platform {

class Approach {
 public:
  struct Parts {
    core::Core& core;
    core::Warmer& warmer;
    GuestImage& image;
    const HostSignals& signals;
    RetireFork& fork;
    /// Runs in detail until so many more U-mode instructions have committed, or a stop.
    std::function<core::CoreStop(uint64_t)> detail;
    std::function<void()> progress;
  };

  /// Keeps a reference to the configuration.
  Approach(const config::RunConfig& configuration, Parts parts);

  /// Executes what is before the region; kUserLimit when it begins. The pipeline runs then.
  core::CoreStop run();

  /// Why the region never begins; empty when it does.
  const std::string& error() const { return error_; }
  /// U-mode instructions of the program before the region.
  uint64_t begin() const { return begin_; }
  /// U-mode instructions of the region that have committed already.
  uint64_t before() const { return before_; }

 private:
  core::CoreStop forward(const isa::StopPoint& end);
  core::CoreStop forward_to(uint64_t target);
  core::CoreStop firmware();
  core::CoreStop warm();

  const config::RunConfig& configuration_;
  const config::WorkloadConfig& workload_;
  Parts parts_;
  uint64_t begin_ = 0, before_ = 0;
  std::string error_;
};

}  // namespace strobe::platform
