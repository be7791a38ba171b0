// The active profiler of a configuration, and what listens to commit.
#pragma once

#include <vector>

#include "sc_models/platform/recorder.h"
#include "sc_models/platform/run.h"
#include "sc_models/platform/watchers.h"
#include "sc_models/port/retire.h"
#include "sc_models/port/retire_kinds.h"
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
  void retire(uint64_t cycle, const RetireRecord* lanes, unsigned count) override {
    if (!shown_) count = 0;
    cycle_ = cycle;
    const RetireRecord* picked[kMaxRetireWidth];
    unsigned picks = 0;
    const RetireKinds kinds = this->kinds();
    for (const RetireRecord* lane = lanes; lane != lanes + count; ++lane) {
      // Most are of a class that nobody profiles.
      if (kinds.has(*lane) && lane->injected == 0) picked[picks++] = lane;
    }
    if (picks != 0 || RetireFork::busy()) pass_on(lanes, picked, picks);
  }
  bool busy() const override { return device_ != nullptr && device_->busy(); }
  /// Whether instructions are shown: those of the region are. Time passes for the device anyway.
  void show_instructions(bool shown) { shown_ = shown; }
  /// The listeners' cycles count from here; before it they are 0.
  void begin_region(uint64_t cycle) { begin_ = cycle; }
  /// Tells the listeners up to which cycle they have seen everything.
  void end_region();
  /// Nobody listens.
  bool empty() const { return device_ == nullptr && listened_ == RetireKinds(); }

 private:
  void pass_on(const RetireRecord* lanes, const RetireRecord* const* picked, unsigned count);
  void show_some(RetireKinds kinds, const RetireRecord* lanes, const RetireRecord* const* picked,
                 unsigned count);
  uint64_t cycles() const { return cycle_ > begin_ ? cycle_ - begin_ : 0; }
  RetireKinds kinds() const {
    return device_ == nullptr ? listened_ : device_->kinds() | listened_;
  }

  profiling::ProfilerDevice* device_;
  Watchers* watchers_;
  Recorder* recorder_;
  RetireKinds listened_;  // kinds() of those two
  uint64_t begin_ = ~uint64_t{0};
  uint64_t cycle_ = 0;  // the last one in which something was to see
  bool shown_ = true;
};

}  // namespace strobe::platform
