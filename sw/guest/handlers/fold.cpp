// The rare part of a fold: probing beyond the first slot, new entries, a full table.
#include "sw/guest/handlers/fold.h"

namespace strobe::guest {

void fold_beyond_first_slot(strobe_profile_table_t& table, uint64_t slot, uint64_t pc,
                            uint64_t value, uint64_t tag, uint64_t count) {
  uint64_t key = tag_word(tag);
  for (;;) {
    strobe_profile_entry_t& entry = table.entries[slot];
    if (entry.tag_used == 0) break;
    if (entry.pc == pc && entry.value == value && entry.tag_used == key) {
      entry.count += count;
      return;
    }
    slot = (slot + 1) & (STROBE_PROFILE_CAPACITY - 1);
  }
  if (table.used >= kMaxUsed) {
    ++table.lost_messages;
    table.lost_count += count;
    return;
  }
  ++table.used;
  strobe_profile_entry_t& entry = table.entries[slot];
  entry.pc = pc;
  entry.value = value;
  entry.tag_used = key;
  entry.count = count;
}

}  // namespace strobe::guest
