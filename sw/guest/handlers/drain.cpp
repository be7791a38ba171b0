// The handler's loop, which is the hot code of the firmware. docs/blocks/firmware.md counts its
// instructions.
//
// It reads three registers per message. The level is read once before the loop, which replaces a
// valid bit per message: only this code takes messages out, so all counted messages are there.
#include "sw/guest/handlers/drain.h"

#include "sw/guest/firmware/driver.h"
#include "sw/guest/handlers/fold.h"

namespace strobe::guest {

void drain(strobe_profile_table_t& table, uint64_t level) {
  for (; level != 0; --level) {
    uint64_t pc = read_register(STROBE_REG_MSG_PC);
    uint64_t value = read_register(STROBE_REG_MSG_VALUE);
    uint64_t meta = read_register(STROBE_REG_MSG_META);  // last, because it takes the message out
    fold(table, pc, value, field(meta, STROBE_MSG_META_TAG_MASK, STROBE_MSG_META_TAG_SHIFT),
         field(meta, STROBE_MSG_META_COUNT_MASK, STROBE_MSG_META_COUNT_SHIFT));
  }
}

}  // namespace strobe::guest
