// What a read-out of a compressor's table gives. docs/blocks/compressor.md
#pragma once

#include "sc_models/port/tuple.h"

namespace strobe::profiling {

struct TableEntry {
  bool known = false;  ///< the entry has a tuple; without one held.tuple is zero
  Message held;
};

/// That of a sampler, whose entries have no tuple.
inline TableEntry entry_of_count(uint32_t count) {
  return TableEntry{false, Message{Tuple{}, count}};
}

}  // namespace strobe::profiling
