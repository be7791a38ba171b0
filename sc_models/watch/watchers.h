// Everything that watches the retire stream for free: the exhaustive profile of every selection,
// the passive observers, and what watches beside them, such as the exhaustive profiles of the
// decode engine's handlers.
#pragma once

#include <cstdint>
#include <vector>

#include "sc_models/machine/outcome/outcome.h"
#include "sc_models/machine/outcome/run_hooks.h"
#include "sc_models/port/retire_listener.h"
#include "sc_models/watch/observer_group.h"
#include "sc_models/watch/tuple_tap.h"

namespace strobe::platform {

/// Profilers with the same selectors form a group: one selection, one exhaustive profile, the
/// group's observers.
class Watchers final : public RetireListener {
 public:
  /// Keeps a reference to the configuration. @param listener  shown what it asks for, if not null
  explicit Watchers(const config::RunConfig& configuration, RetireListener* listener = nullptr);

  void record(const RetireRecord& record) override {
    if (record.injected != 0) return;
    for (TupleTap& tap : taps_) {
      if (tap.select(record)) flush(static_cast<size_t>(&tap - taps_.data()));
    }
    if (listener_ != nullptr && kinds_.has(record)) listener_->record(record);
  }
  RetireKinds kinds() const override { return kinds_; }
  void set_cycles(uint64_t cycles) override { cycles_ = cycles; }
  /// As the base class has it, without a virtual call for each instruction.
  void retire(uint64_t cycles, const RetireRecord* const* picked, unsigned picks) override {
    cycles_ = cycles;
    for (unsigned k = 0; k < picks; ++k) Watchers::record(*picked[k]);
  }

  /// Fills in what the watchers know of each profiler, in configuration order: everything of a
  /// passive one; of the active one its identity and the exhaustive profile.
  void finish(std::vector<ProfilerOutcome>& outcomes);

 private:
  void flush(size_t group);

  const config::RunConfig& configuration_;
  RetireListener* listener_;
  std::vector<TupleTap> taps_;         // per group
  std::vector<ObserverGroup> groups_;  // per group
  RetireKinds kinds_;                  // that a profiler or the listener looks at
  uint64_t cycles_ = 0;
};

}  // namespace strobe::platform
