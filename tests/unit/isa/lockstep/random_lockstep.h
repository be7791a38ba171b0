// Random instruction streams on the hart and on Unicorn, compared register by register.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sc_models/isa/decode/op.h"

namespace strobe::isa::lockstep {

struct RandomResult {
  uint64_t instructions = 0;   // executed by the hart's step() and by Unicorn
  uint64_t excluded = 0;       // those not compared, see unicorn_is_wrong() in the source
  std::vector<uint64_t> seen;  // by Op
  std::string difference;      // empty: none
};

/// Runs streams until `count` instructions are compared. Each stream runs several times with new
/// register and memory contents, with step() against Unicorn and again with run() against step().
RandomResult run_random(uint64_t count, uint64_t seed);

}  // namespace strobe::isa::lockstep
