#include "sc_models/platform/active_profiler.h"

#include <algorithm>
#include <utility>

namespace strobe::platform {

const config::ProfilerConfig* active_profiler(const config::RunConfig& configuration) {
  for (const config::ProfilerConfig& profiler : configuration.profilers) {
    if (profiler.active) return &profiler;
  }
  return nullptr;
}

void collect(const profiling::ProfilerDevice& device, const strobe_boot_block_t& boot,
             TupleCounts profile, std::vector<ProfilerOutcome>& outcomes) {
  const auto active = std::find_if(outcomes.begin(), outcomes.end(),
                                   [](const ProfilerOutcome& p) { return p.active; });
  active->events = device.events();
  active->dropped = device.dropped();
  active->high_water = device.high_water();
  active->stalls = device.stalls();
  active->messages = boot.messages;
  active->interrupts = boot.interrupts;
  active->residue = boot.residue;
  for (const auto& [tuple, count] : profile) active->message_counts += count;
  active->profile = std::make_shared<const TupleCounts>(std::move(profile));
}

void RetireFork::pass_on(const RetireRecord* lanes, const RetireRecord* const* picked,
                         unsigned count) {
  if (device_ != nullptr) {
    if (device_->kinds() == kinds()) {
      device_->retire_picked(cycle_, lanes, picked, count);
    } else {
      show_some(device_->kinds(), lanes, picked, count);
    }
  }
  if (count == 0) return;
  if (watchers_ != nullptr) {
    watchers_->set_cycles(cycles());
    for (unsigned k = 0; k < count; ++k) watchers_->record(*picked[k]);
  }
  if (recorder_ != nullptr) {
    recorder_->set_cycles(cycles());
    for (unsigned k = 0; k < count; ++k) recorder_->record(*picked[k]);
  }
}

/// To the device, which looks at fewer than the listeners.
void RetireFork::show_some(RetireKinds kinds, const RetireRecord* lanes,
                           const RetireRecord* const* picked, unsigned count) {
  const RetireRecord* shown[kMaxRetireWidth] = {};
  unsigned shows = 0;
  for (unsigned k = 0; k < count; ++k) {
    if (kinds.has(*picked[k])) shown[shows++] = picked[k];
  }
  device_->retire_picked(cycle_, lanes, shown, shows);
}

void RetireFork::end_region() {
  if (watchers_ != nullptr) watchers_->set_cycles(cycles());
  if (recorder_ != nullptr) recorder_->set_cycles(cycles());
}

}  // namespace strobe::platform
