// The profiles of the decode engine's handlers (HPS, section 4.3): what they left in guest memory,
// beside every event of the same region. docs/hot-streams.md
#pragma once

#include <cstdint>

#include "sc_models/isa/hart/hart.h"
#include "sc_models/machine/guest/guest_image.h"
#include "sc_models/machine/outcome/outcome.h"
#include "sc_models/machine/outcome/run_hooks.h"
#include "sc_models/machine/profiler/production_set.h"
#include "sc_models/port/retire_listener.h"
#include "sw/profile/counts/profile.h"
#include "sw/profile/reports/call_profiles.h"
#include "sw/profile/streams/stream_observer.h"

namespace strobe::platform {

/// Watches the events that the handlers are called for, and takes over what they collected. The
/// handlers run from the program's start: what they left before the region is taken off again, to
/// within the instructions in flight as it begins and ends.
class HandlerProfiles final : public RetireListener {
 public:
  /// Keeps a reference to the set. Handlers of no profile are only named.
  /// @param exhaustive  false: no event is watched, and the exhaustive profiles stay empty
  HandlerProfiles(const ProductionSet& productions, bool exhaustive);

  RetireKinds kinds() const override { return RetireKinds(opclasses_, opclasses_); }
  void record(const RetireRecord& record) override {
    if (streams_) observed_streams_.record(record);
    if (call_pairs_ || methods_) observed_calls_.record(record);
  }

  /// The region begins now, and not with the program.
  void begin_region(const GuestImage& image, const GuestImage::Reader& read);

  /// Throws std::runtime_error when the guest's memory makes no sense.
  HandlersOutcome finish(const GuestImage& image, const GuestImage::Reader& read,
                         const isa::HartState& state) const;

 private:
  bool calls(const char* handler) const;
  StreamsOutcome collected_streams(const GuestImage& image, const GuestImage::Reader& read) const;
  profile::Profile collected(const profile::Profile& table, uint8_t tag) const;

  const ProductionSet& productions_;
  const bool streams_, call_pairs_, methods_, sandbox_, watchpoint_;
  uint16_t opclasses_ = 0;
  profile::StreamObserver observed_streams_;
  profile::CallProfiler observed_calls_;
  // As the region began:
  uint64_t records_before_ = 0, dropped_before_ = 0, lost_before_ = 0;
  profile::Profile counts_before_;
};

}  // namespace strobe::platform
