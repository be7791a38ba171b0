// Where measured overhead arises: the CPI stack of a run less that of its baseline. docs/results.md
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "sc_models/machine/outcome/statistics.h"

namespace strobe::result {

/// The cycles of the program's hart by class (docs/blocks/core.md, "The CPI stack"); they add up to
/// the cycles of the region.
using CpiStack = std::map<std::string, uint64_t>;

/// The stack among the counters of a run, whose first core is `core` or `core0`. Empty in mode
/// functional.
CpiStack cpi_stack(const platform::Counters& counters);

/// For each class of either stack, in `cycles` what it has more in the run than in the baseline,
/// negative where it has less, and in `share` the same as a fraction of the baseline's cycles. The
/// classes add up to the whole overhead exactly. Null when one of the stacks is empty.
nlohmann::json overhead_by_class(const CpiStack& run, const CpiStack& baseline);

}  // namespace strobe::result
