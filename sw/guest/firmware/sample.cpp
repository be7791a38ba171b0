// The end of an epoch: the timer samples the program, or branches are hooked again. This file is
// linked last, so that handlers keep their addresses, and so their cycles, whatever it does.
#include "sw/guest/firmware/epoch.h"
#include "sw/guest/handlers/fold.h"
#include "sw/guest/include/strobe/handlers_abi.h"

extern "C" strobe_profile_table_t strobe_profile_table;

namespace strobe::guest {

strobe_firmware_status_t end_epoch(strobe_epoch_block_t& block) {
  if (block.stubs == 0) {
    uint64_t pc = 0;
    asm volatile("csrr %0, mepc" : "=r"(pc));
    fold(strobe_profile_table, pc, 0, STROBE_TAG_TIMER, 1);
  }
  return hook_again(block);
}

}  // namespace strobe::guest
