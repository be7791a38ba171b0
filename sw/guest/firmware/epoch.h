// What the timer's interrupt does. At the end of an epoch of ephemeral instrumentation, the
// branches that have been taken out are hooked again (docs/ephemeral.md); otherwise it samples the
// program (docs/truth.md), and an epoch is what lies between two samples.
#pragma once

#include "sw/guest/include/strobe/abi.h"
#include "sw/guest/include/strobe/ephemeral_abi.h"

namespace strobe::guest {

/// Sets the timer for the first epoch, unless there is none.
void start_epochs(strobe_epoch_block_t& block);

/// Counts the interrupted instruction in the profile if the timer samples, and does hook_again().
strobe_firmware_status_t end_epoch(strobe_epoch_block_t& block);
/// Hooks all branches of the program's list again and sets the timer for the next epoch. Returns
/// RUNNING, or why the run cannot go on.
strobe_firmware_status_t hook_again(strobe_epoch_block_t& block);

}  // namespace strobe::guest
