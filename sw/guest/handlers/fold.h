// Folds messages into the profile: the part of the handler that runs once per message.
//
// This header is compiled for the modeled core and, in the unit tests, for the host.
#pragma once

#include <stdint.h>

#include "sw/guest/include/strobe/abi.h"

namespace strobe::guest {

constexpr unsigned kCapacityBits = 20;
static_assert((1u << kCapacityBits) == STROBE_PROFILE_CAPACITY, "the hash gives slot numbers");

/// The largest number of used entries. Beyond it new tuples are refused, so that probes stay short.
constexpr uint64_t kMaxUsed = STROBE_PROFILE_CAPACITY / 8 * 7;

/// An entry's key word for a tag: the used bit and the tag.
constexpr uint64_t tag_word(uint64_t tag) { return STROBE_PROFILE_USED | tag; }

/// The slot where a tuple's probe starts. The first multiplication joins pc and value, the second
/// spreads the result: the top bits of a product depend on all lower bits. The value is folded
/// first, because the low half of a double is often zero. The tag does not matter: tuples that
/// differ only in it are rare and get neighboring slots.
inline uint64_t first_slot(uint64_t pc, uint64_t value) {
  uint64_t joined = (value ^ (value >> 32)) + pc * 0x9e3779b97f4a7c15;
  return (joined * 0xd1342543de82ef95) >> (64 - kCapacityBits);
}

/// The rest of the probe, when the first slot does not hold the tuple: finds or makes its entry.
/// If the table is full, the message is lost and counted as lost.
void fold_beyond_first_slot(strobe_profile_table_t& table, uint64_t slot, uint64_t pc,
                            uint64_t value, uint64_t tag, uint64_t count);

/// Adds `count` to the tuple's entry; makes the entry if there is none.
inline void fold(strobe_profile_table_t& table, uint64_t pc, uint64_t value, uint64_t tag,
                 uint64_t count) {
  uint64_t slot = first_slot(pc, value);
  strobe_profile_entry_t& entry = table.entries[slot];
  if (__builtin_expect(entry.pc == pc && entry.value == value && entry.tag_used == tag_word(tag),
                       1)) {
    entry.count += count;
  } else {
    fold_beyond_first_slot(table, slot, pc, value, tag, count);
  }
}

}  // namespace strobe::guest
