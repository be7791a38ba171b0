// When something last happened to a file that a program may wait for.
#pragma once

#include <cstdint>

namespace strobe::isa {

/// Numbers of changes, which grow over the run (SystemCalls::files_changed); 0: no change yet.
struct Edges {
  static constexpr uint64_t kForGood = ~uint64_t{0};  // the other end was closed

  uint64_t in = 0;   // something came that can be read
  uint64_t out = 0;  // something was read, so there may be room
};

}  // namespace strobe::isa
