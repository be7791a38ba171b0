// What the profiling path carries: tuples into the compressor, messages out of it.
#pragma once

#include <cstdint>

namespace strobe {

/// One profiled event {tag, pc, value}; the compressor never interprets it
/// (Sastry, Bodik and Smith, ISCA 2001, section 2.1).
struct Tuple {
  uint64_t pc = 0;
  uint64_t value = 0;
  uint8_t tag = 0;  // 4 bits: which selector made it
  friend bool operator==(const Tuple& a, const Tuple& b) {
    return a.pc == b.pc && a.value == b.value && a.tag == b.tag;
  }
};

/// `count` occurrences reported for one tuple (same paper, section 3.3).
struct Message {
  Tuple tuple;
  uint32_t count = 0;
  friend bool operator==(const Message& a, const Message& b) {
    return a.tuple == b.tuple && a.count == b.count;
  }
};

}  // namespace strobe
