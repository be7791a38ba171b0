// The epochs of ephemeral instrumentation: at the end of each, the branches that have been taken
// out of the instrumentation are hooked again. docs/ephemeral.md
#pragma once

#include "sw/guest/include/strobe/abi.h"
#include "sw/guest/include/strobe/ephemeral_abi.h"

namespace strobe::guest {

/// Sets the timer for the first epoch, unless there are none.
void start_epochs(strobe_epoch_block_t& block);

/// Hooks all branches of the program's list again and sets the timer for the next epoch. Returns
/// RUNNING, or why the run cannot go on.
strobe_firmware_status_t end_epoch(strobe_epoch_block_t& block);

}  // namespace strobe::guest
