// The counter of an eventfd.
#pragma once

#include <cstdint>

#include "sc_models/isa/linux/files/edges.h"

namespace strobe::isa {

struct EventCounter {
  static constexpr uint64_t kMost = ~uint64_t{0} - 1;

  uint64_t value = 0;
  bool semaphore = false;  // a read takes one instead of everything
  Edges edges;
};

}  // namespace strobe::isa
