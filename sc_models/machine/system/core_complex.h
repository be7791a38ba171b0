// A core and its first-level caches: the unit of which a platform has one or several.
#pragma once

#include <string>

#include "sc_models/core/core.h"
#include "sc_models/machine/outcome/statistics.h"
#include "sc_models/memory/cache.h"

namespace strobe::platform {

struct CoreComplex {
  /// @param suffix  of the names of its modules: empty for the only core, else its number
  CoreComplex(const std::string& suffix, const core::CoreParams& params, const Clock& clock,
              isa::GuestMemory& memory, core::CoreDelegate& delegate,
              uint64_t quantum = core::Core::kQuantum)
      : core(("core" + suffix).c_str(), params, clock, memory, delegate, quantum),
        l1i(("l1i" + suffix).c_str(), params.memory.l1i, clock),
        l1d(("l1d" + suffix).c_str(), params.memory.l1d, clock) {
    core.bind_caches(l1i, l1d);
  }

  /// Under the names of the modules.
  void add_to(Statistics& statistics) {
    statistics.add(core.basename(), core);
    statistics.add(l1i.basename(), l1i);
    statistics.add(l1d.basename(), l1d);
  }

  core::Core core;
  memory::Cache l1i, l1d;
};

}  // namespace strobe::platform
