// Empties the message buffer into the profile. Used by the interrupt and at the end of a run.
#pragma once

#include <stdint.h>

#include "sw/guest/include/strobe/abi.h"

namespace strobe::guest {

/// Takes `level` messages, no more than the buffer holds, and folds them into `table`.
void drain(strobe_profile_table_t& table, uint64_t level);

}  // namespace strobe::guest
