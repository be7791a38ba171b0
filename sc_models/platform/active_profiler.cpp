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

profiling::PathParams path_params(const config::RunConfig& configuration,
                                  const config::ProfilerConfig& profiler) {
  profiling::PathParams params;
  params.lanes = configuration.core.commit_width;
  params.selectors = std::max(2u, static_cast<unsigned>(profiler.selectors.size()));
  params.queue_depth = profiler.queue_depth;
  params.strata = profiler.strata;
  params.counter_width = profiler.counter_width;
  params.buffer_depth = profiler.buffer_depth;
  params.ring = profiler.communication.kind == config::Communication::kRing ? 1 : 0;
  return params;
}

void collect(const config::ProfilerConfig& profiler, const profiling::ProfilerDevice& device,
             const strobe_boot_block_t& boot, TupleCounts profile,
             std::vector<ProfilerOutcome>& outcomes) {
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
  active->profile = std::move(profile);
  active->storage_bits = uint64_t{profiler.strata} * profiler.counter_width;
}

}  // namespace strobe::platform
