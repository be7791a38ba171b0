// The ring writer's registers, cycle by cycle. docs/blocks/ring_writer.md
#pragma once

#include <cstdint>

#include "sc_models/profiling/reference/ring_writer.h"

namespace strobe::profiling {

class RingRegisters {
 public:
  struct Inputs {
    bool clear = false;
    bool unlocked = true;  // REGWEN
    bool we = false;
    uint16_t addr = 0;
    uint64_t wdata = 0;
    RingWriter::Outputs writer;
  };
  struct Outputs {  // combinational
    bool known = false;
    uint64_t rdata = 0;
  };

  RingRegisters();

  Outputs step(const Inputs& inputs);
  const RingConfig& config() const { return config_; }

  Outputs read(uint16_t addr, const RingWriter::Outputs& writer) const;
  /// The edge alone.
  void advance(const Inputs& inputs);

 private:
  void write(uint16_t addr, uint64_t wdata, bool open, uint32_t prod);

  RingConfig config_;
  uint64_t base_written_ = 0;  // of which the ring's length may be no divisor
};

}  // namespace strobe::profiling
