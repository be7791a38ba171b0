// What the pipeline counts.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "sc_models/core/cpi/cpi.h"
#include "sc_models/port/retire.h"

namespace strobe::core {

/// Cycles in which a stage could not go on: the same in every cycle of a quiet stretch.
struct StallStats {
  uint64_t fetch = 0;     // fetch waits for the instruction cache, a miss register or trap entry
  uint64_t rob_full = 0;  // rename waits for a slot in the reorder buffer,
  uint64_t stations_full = 0;     // for a reservation station,
  uint64_t load_queue_full = 0;   // for room in the load queue,
  uint64_t store_queue_full = 0;  // for room in the store queue
  uint64_t serial = 0;            // decode waits for the pipeline to drain
  uint64_t idle = 0;              // the hart waits in WFI
};

struct PipelineStats {
  uint64_t cycles = 0;
  uint64_t user = 0, machine = 0;        // committed instructions
  uint64_t opclass[kOpClassCount] = {};  // the same, by class
  uint64_t injected = 0;                 // committed for the decode engine, in neither
  uint64_t expansions = 0;               // instructions of the program replaced by a sequence
  uint64_t traps = 0, interrupts = 0;
  uint64_t switches = 0;      // from one thread of the program to another
  uint64_t control = 0;       // committed branches, jumps, calls and returns
  uint64_t mispredicted = 0;  // of them, resolved at execution
  uint64_t misfetched = 0;    // direct, taken, target not in the target buffer: resolved at decode
  uint64_t fetched = 0, wrong_path_fetched = 0;
  uint64_t squashed = 0;                         // fetched and dropped before commit
  uint64_t forwards = 0;                         // loads served by an older store
  uint64_t partial_overlaps = 0;                 // loads that waited for an older store's write
  uint64_t load_retries = 0, store_retries = 0;  // accesses the data cache turned away
  uint64_t cpi[kCpiClassCount] = {};             // cycles by class: their sum is `cycles`
  StallStats stall;

  /// "branch.mispredicted" and the like, with their values.
  std::map<std::string, uint64_t> named() const;
};

}  // namespace strobe::core
