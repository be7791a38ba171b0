// A decode engine that takes one bundle a cycle: the interface of a Verilated one.
#pragma once

#include "sc_models/port/decode_engine.h"

namespace strobe::profiling {

class PipelinedEngine : public DecodeEngine {
 public:
  /// As decode(), for lanes of which none is replaced and whose `in_burst` is foreseen, without
  /// waiting for the answer. Throws std::logic_error, in this or a later call, when the answer
  /// differs.
  virtual void feed(const DecodeLane* lanes, unsigned count, uint8_t slot, uint8_t in_burst) = 0;
  /// The flags after everything that was presented, as DISE_STATUS has them.
  virtual uint8_t flags() = 0;
};

}  // namespace strobe::profiling
