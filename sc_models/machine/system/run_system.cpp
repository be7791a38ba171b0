#include "sc_models/machine/system/run_system.h"

namespace strobe::platform {

bool has_ring(const config::ProfilerConfig* active) {
  return active != nullptr && active->communication.kind == config::Communication::kRing;
}

SystemParams system_params(const config::RunConfig& configuration,
                           const config::ProfilerConfig* active, bool profiled) {
  SystemParams params;
  params.core = configuration.core;
  params.core.switch_cycles = configuration.workload.switch_cycles;
  const bool observer = configuration.shim.where == config::ObserverPlace::kSmt;
  if (observer && !profiled) params.core.threads = 1;
  if (profiled && configuration.decode.given()) {
    params.core.front_end_stages += configuration.decode.stages - 1;
  }
  if (has_ring(active) && active->communication.service_core) {
    params.others.push_back(*active->communication.service_core);
  }
  if (configuration.shim.where == config::ObserverPlace::kCmp) {
    params.others.push_back(configuration.shim.core.value_or(configuration.core));
  }
  params.in_step = configuration.remote_counters ||
                   (configuration.shim.given() && !configuration.shim.counters.empty());
  return params;
}

unsigned harts(const config::RunConfig& configuration, const config::ProfilerConfig* active,
               bool profiled) {
  const SystemParams params = system_params(configuration, active, profiled);
  const bool observer = configuration.shim.where == config::ObserverPlace::kCmp;
  if (!has_ring(active) && !observer) return params.core.threads;
  return params.core.threads + (params.others.empty() ? params.core : params.others[0]).threads;
}

}  // namespace strobe::platform
