// An entry of a compressor's table, as a read-out gives it. docs/blocks/compressor.md
#pragma once

#include "sc_models/port/tuple.h"

namespace strobe::profiling {

/// One entry: its count, and its tuple where the table stores one.
struct TableEntry {
  bool known = false;  ///< the entry has a tuple; otherwise held.tuple is zero
  Message held;
};

/// The entry of a sampler, whose table stores no tuples.
inline TableEntry entry_of_count(uint32_t count) {
  return TableEntry{false, Message{Tuple{}, count}};
}

}  // namespace strobe::profiling
