// Registers and interrupt of the profiling device, cycle by cycle. docs/blocks/registers.md
#pragma once

#include <cstdint>

#include "sc_models/port/path_interface.h"
#include "sc_models/port/tuple.h"
#include "sc_models/profiling/reference/sampler/compressor.h"
#include "sc_models/profiling/reference/selection/selector.h"

namespace strobe::profiling {

/// The slot that a SEL_CTRL word describes. Its pc range, which has registers of its own, is open.
SelectorSlot unpack_slot(uint64_t word);

/// Software's view of the path: register accesses, the interrupt, and the configuration of the
/// other blocks.
class RegisterBlock {
 public:
  /// What the other blocks report in this cycle.
  struct Hardware {
    bool init = false;       // the sampler clears its table
    bool idle = false;       // the whole path is
    bool msg_valid = false;  // the buffer has a head
    bool stall = false;      // a message waits because the buffer is full
    bool drop = false;       // the queue drops in this cycle
    uint32_t selected = 0;   // valid lanes at the selector's output
    uint32_t dropped = 0;
    uint32_t level = 0, high_water = 0;
    TableEntry table;
    Message head;
  };
  struct Inputs {
    bool re = false, we = false;
    uint16_t addr = 0;
    uint64_t wdata = 0;
    Hardware hardware;
  };
  struct Outputs {  // combinational unless noted
    uint64_t rdata = 0;
    bool error = false;
    bool irq = false;    // from state
    bool shown = false;  // from state: MSG_META would take a message
    bool pop = false;
  };
  /// The configuration of the other blocks, from state.
  struct Config {
    bool enable = false;
    bool unlocked = true;  // REGWEN
    bool clear = false;
    CompressorRates rates;
    uint64_t seed = 0;
    uint32_t watermark = 0;
    uint16_t table_index = 0;
    SelectorSlot slots[kMaxSelectors];
  };

  /// Throws std::invalid_argument when `selectors` or `counter_width` is out of range.
  explicit RegisterBlock(const PathParams& params);

  /// One clock cycle: gives the outputs, then takes the edge.
  Outputs step(const Inputs& inputs);
  const Config& config() const { return config_; }

  /// The combinational outputs for an access, without an edge.
  Outputs read(uint16_t addr, bool re, const Hardware& hardware) const;
  /// The edge alone.
  void advance(bool re, bool we, uint16_t addr, uint64_t wdata, const Hardware& hardware);
  /// The edge of a cycle without an access and without a clear: only the counters change.
  void count(uint32_t selected, bool stall, bool drop);
  /// The edge of the interrupt and of the shown message, in such a cycle.
  void rest(uint32_t level, bool msg_valid) {
    irq_ = cause(level);
    shown_ = shown_ && msg_valid;
  }
  bool irq() const { return irq_; }
  /// The interrupt of the next cycle.
  bool cause(uint32_t level) const;

 private:
  bool watermark_cause(uint32_t level) const;
  bool drop_cause() const;
  void write(uint16_t addr, uint64_t wdata);
  uint64_t read_selector(uint16_t addr, bool& error) const;
  void write_selector(uint16_t addr, uint64_t wdata);

  PathParams params_;
  uint32_t max_period_;
  Config config_;
  bool drop_ = false;
  bool irq_ = false;
  bool shown_ = false;  // MSG_PC of the head was read, MSG_META not yet
  uint64_t intr_enable_ = 0, intr_test_ = 0;
  uint64_t events_ = 0;
  uint32_t stalls_ = 0;
};

}  // namespace strobe::profiling
