// From the profile a user names to the selector slot that collects it (docs/blocks/selector.md).
#pragma once

#include <vector>

#include "sc_models/machine/config/run_config.h"
#include "sc_models/profiling/reference/selection/selector.h"
#include "sw/guest/include/strobe/abi.h"

namespace strobe::platform {

/// The slot a selector configuration stands for. Throws std::invalid_argument on an unknown profile
/// or opcode class (the configuration is checked before, so that is a bug of the caller).
profiling::SelectorSlot selector_slot(const config::SelectorConfig& selector);

/// The slots of a list of them, in its order.
std::vector<profiling::SelectorSlot> selector_slots(
    const std::vector<config::SelectorConfig>& selectors);

/// Whether two profilers select the same tuples, however their configurations say it.
bool same_selection(const std::vector<config::SelectorConfig>& a,
                    const std::vector<config::SelectorConfig>& b);

/// The same as the firmware writes it: SEL_CTRL, SEL_PC_LO, SEL_PC_HI (docs/registers.md).
strobe_selector_config_t selector_registers(const config::SelectorConfig& selector);

}  // namespace strobe::platform
