// Everything that watches the retire stream for free: the exhaustive profile of every selection,
// the passive observers, and what watches beside them, such as the exhaustive profiles of the
// decode engine's handlers.
#pragma once

#include <cstdint>
#include <vector>

#include "sc_models/platform/observer_group.h"
#include "sc_models/platform/run.h"
#include "sc_models/platform/tuple_tap.h"
#include "sc_models/port/retire.h"
#include "sc_models/port/retire_kinds.h"

namespace strobe::platform {

/// Profilers with the same selectors form a group: one selection, one exhaustive profile, the
/// group's observers.
class Watchers {
 public:
  /// Keeps a reference to the configuration. @param watcher  shown what it asks for, if not null
  explicit Watchers(const config::RunConfig& configuration, RetireWatcher* watcher = nullptr);

  /// One retired instruction; those that kinds() lacks may be left out.
  void record(const RetireRecord& record) {
    if (!kinds_.has(record) || record.injected != 0) return;
    for (TupleTap& tap : taps_) {
      if (tap.select(record)) flush(static_cast<size_t>(&tap - taps_.data()));
    }
    if (watcher_ != nullptr) watcher_->record(record);
  }
  RetireKinds kinds() const { return kinds_; }
  /// Core cycles of the region so far.
  void set_cycles(uint64_t cycles) { cycles_ = cycles; }

  /// Fills in what the watchers know of each profiler, in configuration order: everything of a
  /// passive one; of the active one its identity and the exhaustive profile.
  void finish(std::vector<ProfilerOutcome>& outcomes);

 private:
  void flush(size_t group);

  const config::RunConfig& configuration_;
  RetireWatcher* watcher_;
  std::vector<TupleTap> taps_;         // per group
  std::vector<ObserverGroup> groups_;  // per group
  RetireKinds kinds_;                  // that somebody looks at
  uint64_t cycles_ = 0;
};

}  // namespace strobe::platform
