// The handler's loop with a prefetch, in place of drain.cpp: it takes the next message and loads
// the line of the table that it will need before it folds the present one.
//
// The instruction set has no prefetch, so it is a load to x0, which is held in the reorder buffer
// until its data arrives. A message costs 39 instructions in place of 26, so this helps
// only a core whose buffer holds more than a message's instructions (docs/blocks/firmware.md).
#include "sw/guest/firmware/driver.h"
#include "sw/guest/handlers/drain.h"
#include "sw/guest/handlers/fold.h"

namespace strobe::guest {
namespace {

struct Message {
  uint64_t pc, value, meta;
};

inline Message take() {
  Message message;
  message.pc = read_register(STROBE_REG_MSG_PC);
  message.value = read_register(STROBE_REG_MSG_VALUE);
  message.meta = read_register(STROBE_REG_MSG_META);  // last, because it takes the message out
  return message;
}

inline void prefetch(const strobe_profile_table_t& table, const Message& message) {
  asm volatile("ld x0, 0(%0)" : : "r"(&table.entries[first_slot(message.pc, message.value)]));
}

inline void fold_in(strobe_profile_table_t& table, const Message& message) {
  fold(table, message.pc, message.value,
       field(message.meta, STROBE_MSG_META_TAG_MASK, STROBE_MSG_META_TAG_SHIFT),
       field(message.meta, STROBE_MSG_META_COUNT_MASK, STROBE_MSG_META_COUNT_SHIFT));
}

}  // namespace

void drain(strobe_profile_table_t& table, uint64_t level) {
  if (level == 0) return;
  Message present = take();
  while (--level != 0) {
    const Message next = take();
    prefetch(table, next);
    fold_in(table, present);
    present = next;
  }
  fold_in(table, present);
}

}  // namespace strobe::guest
