// A core and its first-level caches: the unit of which a platform has one or several.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sc_models/core/core.h"
#include "sc_models/machine/outcome/statistics.h"
#include "sc_models/memory/cache.h"

namespace strobe::platform {

struct CoreComplex {
  /// @param suffix     of the names of its modules: empty for the only core, else its number
  /// @param delegates  one for each hart of the core
  CoreComplex(const std::string& suffix, const core::CoreParams& params, const Clock& clock,
              isa::GuestMemory& memory, const std::vector<core::CoreDelegate*>& delegates,
              uint64_t quantum = core::Core::kQuantum)
      : core(("core" + suffix).c_str(), params, clock, memory, delegates, quantum),
        l1i(("l1i" + suffix).c_str(), params.memory.l1i, clock),
        l1d(("l1d" + suffix).c_str(), params.memory.l1d, clock) {
    core.bind_caches(l1i, l1d);
  }

  /// Where its harts' events of caches and memory come from.
  void set_memory_events(const std::function<uint64_t(HpmEvent)>& count) {
    for (unsigned i = 0; i < core.threads(); ++i) core.thread(i).set_memory_events(count);
  }

  /// Under the names of the modules; a second hart is "hart1" of its core.
  void add_to(Statistics& statistics) {
    statistics.add(core.basename(), core);
    for (unsigned i = 1; i < core.threads(); ++i) {
      statistics.add(core.basename() + (".hart" + std::to_string(i)), core.thread(i));
    }
    statistics.add(l1i.basename(), l1i);
    statistics.add(l1d.basename(), l1d);
  }

  core::Core core;
  memory::Cache l1i, l1d;
};

}  // namespace strobe::platform
