// The active profiler of a configuration, and what listens to commit.
#pragma once

#include <vector>

#include "sc_models/platform/recorder.h"
#include "sc_models/platform/run.h"
#include "sc_models/platform/watchers.h"
#include "sc_models/port/retire_sink.h"
#include "sc_models/profiling/device/profiler_device.h"
#include "sw/config/run_config.h"
#include "sw/guest/include/strobe/abi.h"

namespace strobe::platform {

/// nullptr when there is none.
const config::ProfilerConfig* active_profiler(const config::RunConfig& configuration);

/// Fills in the outcome of the active profiler at the end of a run: what its device counted, what
/// the firmware reported in the boot block, and the profile the handler made.
void collect(const profiling::ProfilerDevice& device, const strobe_boot_block_t& boot,
             TupleCounts profile, std::vector<ProfilerOutcome>& outcomes);

/// Those that listen to commit: the device, the watchers or the recorder, as far as there are any.
class RetireFork final : public RetireSink {
 public:
  RetireFork(profiling::ProfilerDevice* device, Watchers* watchers, Recorder* recorder)
      : device_(device), watchers_(watchers), recorder_(recorder) {
    if (watchers_ != nullptr) listened_ = listened_ | watchers_->kinds();
    if (recorder_ != nullptr) listened_ = listened_ | recorder_->kinds();
  }
  RetireInterest interest() const override {
    return {shown_ ? kinds() : RetireKinds(), false, device_ != nullptr && device_->busy()};
  }
  void retire(uint64_t cycle, const RetireRecord* lanes, unsigned count,
              const RetireRecord* const* picked, unsigned picks) override;
  /// Whether instructions are shown: those of the region are. Time passes for the device anyway.
  void show_instructions(bool shown) { shown_ = shown; }
  /// The listeners' cycles count from here; before it they are 0.
  void begin_region(uint64_t cycle) { begin_ = cycle; }
  /// Tells the listeners that they have seen everything up to cycle `last`.
  void end_region(uint64_t last);
  /// Nobody listens.
  bool empty() const { return device_ == nullptr && listened_ == RetireKinds(); }

 private:
  void show_device(uint64_t cycle, const RetireRecord* lanes, const RetireRecord* const* picked,
                   unsigned picks);
  uint64_t since_begin(uint64_t cycle) const { return cycle > begin_ ? cycle - begin_ : 0; }
  RetireKinds kinds() const {
    return device_ == nullptr ? listened_ : device_->kinds() | listened_;
  }

  profiling::ProfilerDevice* device_;
  Watchers* watchers_;
  Recorder* recorder_;
  RetireKinds listened_;  // kinds() of those two
  uint64_t begin_ = ~uint64_t{0};
  bool shown_ = true;
};

}  // namespace strobe::platform
