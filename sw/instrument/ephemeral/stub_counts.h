// What the data of a stub in guest memory says of its branch.
#pragma once

#include <cstdint>

#include "sw/guest/include/strobe/ephemeral_abi.h"

namespace strobe::instrument {

/// Executions that a stub has recorded since the program's start.
struct StubCounts {
  uint64_t total = 0, taken = 0;
  uint64_t unhooked = 0;  // hookings that have ended
  bool hooked = false;    // at least once; not before its page was, with hook_pages()
};

/// @param persistence  executions of a hooking, as hook_all() or hook_pages() was told
inline StubCounts counts_of(const strobe_stub_t& stub, uint64_t persistence) {
  StubCounts counts;
  counts.hooked = stub.unhooked != 0 || stub.next == 0;
  if (!counts.hooked) return counts;
  const auto left = static_cast<uint64_t>(static_cast<int64_t>(stub.count) >> STROBE_LEFT_SHIFT);
  counts.unhooked = stub.unhooked;
  counts.total = stub.unhooked * persistence + (persistence - 1 - left);
  counts.taken = stub.taken + (stub.count >> STROBE_TAKEN_SHIFT & STROBE_TAKEN_MASK);
  return counts;
}

}  // namespace strobe::instrument
