// The ring writer's registers, cycle by cycle. docs/blocks/ring_writer.md
#pragma once

#include <cstdint>

#include "sc_models/profiling/reference/ring_writer.h"

namespace strobe::profiling {

/// RING_CTRL to RING_STALLS. The ring cannot be changed while the writer is enabled or busy.
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
  struct Outputs {       // combinational
    bool known = false;  // there is a register at the address
    uint64_t rdata = 0;
  };

  RingRegisters();

  /// One clock cycle: gives the outputs, then takes the edge.
  Outputs step(const Inputs& inputs);
  const RingConfig& config() const { return config_; }

  /// The outputs for an address, without an edge.
  Outputs read(uint16_t addr, const RingWriter::Outputs& writer) const;
  /// The edge alone.
  void advance(const Inputs& inputs);

 private:
  void write(uint16_t addr, uint64_t wdata, bool open, uint32_t prod);

  RingConfig config_;
  uint64_t base_written_ = 0;  // as written: the ring's base before it is aligned
};

}  // namespace strobe::profiling
