// The one sink of the retire port, which hands on what it gets to all that listen to commit.
#pragma once

#include <cstdint>
#include <vector>

#include "sc_models/port/retire_listener.h"
#include "sc_models/port/retire_sink.h"
#include "sc_models/profiling/device/profiler_device.h"

namespace strobe::platform {

/// Shows the region of interest to the listeners, and each cycle to the profiling device.
class RetireFork final : public RetireSink {
 public:
  /// @param device  null: there is no active profiler
  explicit RetireFork(profiling::ProfilerDevice* device) : device_(device) {}
  /// Keeps a reference to the listener.
  void add(RetireListener& listener) {
    listeners_.push_back(&listener);
    listened_ = listened_ | listener.kinds();
  }

  RetireInterest interest() const override {
    return {shown_ ? kinds() : RetireKinds(), false, device_ != nullptr && device_->busy()};
  }
  RetireInterest retire(uint64_t cycle, const RetireRecord* lanes, unsigned count,
                        const RetireRecord* const* picked, unsigned picks) override;
  /// Whether instructions are shown: those of the region are. Time passes for the device anyway.
  void show_instructions(bool shown) { shown_ = shown; }
  /// The listeners' cycles count from here; before it they are 0.
  void begin_region(uint64_t cycle) { begin_ = cycle; }
  /// Tells the listeners that they have seen everything up to cycle `last`.
  void end_region(uint64_t last);
  /// Neither a device nor a listener needs to be called.
  bool empty() const { return device_ == nullptr && listened_.empty(); }

 private:
  void show_device(uint64_t cycle, const RetireRecord* lanes, const RetireRecord* const* picked,
                   unsigned picks);
  uint64_t since_begin(uint64_t cycle) const { return cycle > begin_ ? cycle - begin_ : 0; }
  RetireKinds kinds() const {
    return device_ == nullptr ? listened_ : device_->kinds() | listened_;
  }

  profiling::ProfilerDevice* device_;
  std::vector<RetireListener*> listeners_;
  RetireKinds listened_;  // kinds() of the listeners
  uint64_t begin_ = ~uint64_t{0};
  bool shown_ = true;
};

}  // namespace strobe::platform
