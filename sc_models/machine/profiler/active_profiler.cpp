#include "sc_models/machine/profiler/active_profiler.h"

#include <algorithm>
#include <utility>

namespace strobe::platform {

const config::ProfilerConfig* active_profiler(const config::RunConfig& configuration) {
  for (const config::ProfilerConfig& profiler : configuration.profilers) {
    if (profiler.active) return &profiler;
  }
  return nullptr;
}

bool simulates_rtl(const config::RunConfig& configuration) {
  const auto is_rtl = [](profiling::Fidelity fidelity) {
    return fidelity != profiling::Fidelity::kModel;
  };
  const config::ProfilerConfig* const active =
      configuration.mode == config::Mode::kFunctional ? nullptr : active_profiler(configuration);
  return (active != nullptr && is_rtl(active->fidelity)) ||
         (configuration.decode.given() && is_rtl(configuration.decode.fidelity));
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

}  // namespace strobe::platform
