// The active profiler of a configuration, and what listens to commit.
#pragma once

#include <string>

#include "sc_models/platform/watchers.h"
#include "sc_models/port/retire.h"
#include "sc_models/profiling/path_interface.h"
#include "sw/config/run_config.h"

namespace strobe::platform {

/// nullptr when there is none.
const config::ProfilerConfig* active_profiler(const config::RunConfig& configuration);

profiling::PathParams path_params(const config::RunConfig& configuration,
                                  const config::ProfilerConfig& profiler);

/// The two that listen to commit: the device, if there is one, and the watchers.
class RetireFork final : public RetireSink {
 public:
  RetireFork(RetireSink* device, Watchers* watchers) : device_(device), watchers_(watchers) {}
  void retire(uint64_t cycle, const RetireRecord* lanes, unsigned count) override {
    if (device_ != nullptr) device_->retire(cycle, lanes, count);
    if (watchers_ == nullptr) return;
    for (unsigned i = 0; i < count; ++i) watchers_->record(lanes[i]);
  }
  bool busy() const override { return device_ != nullptr && device_->busy(); }

 private:
  RetireSink* device_;
  Watchers* watchers_;
};

}  // namespace strobe::platform
