// The handler's loop, the hot code of the firmware: docs/blocks/firmware.md counts its
// instructions.
//
// Three register reads a message. The level is read once before the loop, not a valid bit after
// each message: only this code takes messages out, so those counted then are there.
#include "sw/guest/handlers/drain.h"

#include "sw/guest/firmware/driver.h"
#include "sw/guest/handlers/fold.h"

namespace strobe::guest {

void drain(strobe_profile_table_t& table, uint64_t level) {
  for (; level != 0; --level) {
    uint64_t pc = read_register(STROBE_REG_MSG_PC);
    uint64_t value = read_register(STROBE_REG_MSG_VALUE);
    uint64_t meta = read_register(STROBE_REG_MSG_META);  // takes the message out: last
    fold(table, pc, value, field(meta, STROBE_MSG_META_TAG_MASK, STROBE_MSG_META_TAG_SHIFT),
         field(meta, STROBE_MSG_META_COUNT_MASK, STROBE_MSG_META_COUNT_SHIFT));
  }
}

}  // namespace strobe::guest
