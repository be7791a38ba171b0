// What is known of an instruction while it is placed.
#pragma once

#include <cstdint>

#include "sc_models/core/cpi/cpi.h"

namespace strobe::core {

struct Placing {
  // From decode.
  uint64_t decoded;         // the cycle
  uint32_t serial_latency;  // cycles that it takes beside those of its unit
  bool serial;              // nothing younger is decoded before it commits
  bool mispredicted;
  // Cycles, in their order.
  uint64_t fetched_at;
  uint64_t rename_from;  // there is bandwidth to rename it
  uint64_t renamed;
  uint64_t ready;  // its operands are there, and with issue in order its predecessor has issued
  uint64_t issued;
  uint64_t address_at;  // a load's address is there
  uint64_t accepted;    // a store or the data cache gives a load its data
  uint64_t done;        // its result is there
  // What a load's cycles go to up to `accepted`, and from then on.
  CpiClass waiting_class, level;
};

}  // namespace strobe::core
