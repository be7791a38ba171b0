// Empties the message buffer into the profile, at the interrupt and at the end of a run.
#pragma once

#include <stdint.h>

#include "sw/guest/include/strobe/abi.h"

namespace strobe::guest {

/// Takes `level` messages, at most as many as the buffer holds, and folds them into `table`.
void drain(strobe_profile_table_t& table, uint64_t level);

}  // namespace strobe::guest
