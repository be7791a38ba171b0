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

void RetireFork::retire(uint64_t cycle, const RetireRecord* lanes, unsigned /*count*/,
                        const RetireRecord* const* picked, unsigned picks) {
  if (device_ != nullptr) show_device(cycle, lanes, picked, picks);
  if (picks == 0) return;
  if (watchers_ != nullptr) {
    watchers_->set_cycles(since_begin(cycle));
    for (unsigned k = 0; k < picks; ++k) watchers_->record(*picked[k]);
  }
  if (recorder_ != nullptr) {
    recorder_->set_cycles(since_begin(cycle));
    for (unsigned k = 0; k < picks; ++k) recorder_->record(*picked[k]);
  }
}

/// The device may look at fewer than the listeners.
void RetireFork::show_device(uint64_t cycle, const RetireRecord* lanes,
                             const RetireRecord* const* picked, unsigned picks) {
  const RetireKinds kinds = device_->kinds();
  if (kinds == this->kinds()) return device_->retire(cycle, lanes, picked, picks);
  const RetireRecord* shown[kMaxRetireWidth] = {};
  unsigned shows = 0;
  for (unsigned k = 0; k < picks; ++k) {
    if (kinds.has(*picked[k])) shown[shows++] = picked[k];
  }
  device_->retire(cycle, lanes, shown, shows);
}

void RetireFork::end_region(uint64_t last) {
  if (watchers_ != nullptr) watchers_->set_cycles(since_begin(last));
  if (recorder_ != nullptr) recorder_->set_cycles(since_begin(last));
}

}  // namespace strobe::platform
