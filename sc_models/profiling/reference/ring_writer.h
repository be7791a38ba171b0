// The ring writer: messages become records in a ring in memory. docs/blocks/ring_writer.md
#pragma once

#include <cstdint>

#include "sc_models/port/tuple.h"

namespace strobe::profiling {

/// The ring as the registers describe it.
struct RingConfig {
  bool enable = false;
  bool overwrite = false;
  unsigned log2_entries = 0;  // at most 16
  uint64_t base = 0;          // aligned to the ring's length
  uint32_t cons = 0;          // records software is done with
};

class RingWriter {
 public:
  struct Inputs {
    bool clear = false;
    RingConfig ring;
    bool valid = false;  // the buffer has a head; it stays until it is popped
    Message head;
    bool mem_ready = false;
    bool mem_idle = true;  // every word taken in an earlier cycle is written
  };
  struct Outputs {
    bool pop = false;  // combinational from mem_ready
    bool mem_valid = false;
    uint64_t mem_addr = 0, mem_data = 0;  // of the head, from state otherwise
    bool busy = false;
    bool in_flight = false;  // a word was taken and may not be written
    uint32_t prod = 0, overwritten = 0, high_water = 0, stalls = 0;
  };

  Outputs step(const Inputs& inputs);
  Outputs outputs(const RingConfig& ring, const Message& head, bool mem_ready) const;

  bool busy() const { return writing_; }
  bool in_flight() const { return in_flight_; }
  /// The edge alone.
  void advance(const RingConfig& ring, bool valid, const Message& head, bool mem_ready,
               bool mem_idle);
  /// The edge of a cycle in which there is no message and none is being written.
  void rest(uint32_t cons, bool mem_idle) {
    cons_ = cons;
    in_flight_ = in_flight_ && !mem_idle;
  }
  /// The edge of a clear: a word that memory takes in its cycle it writes nevertheless.
  void clear(bool mem_ready, bool mem_idle);

 private:
  uint64_t word(const Message& head) const;

  bool in_flight_ = false;
  bool writing_ = false;
  unsigned word_ = 0;  // of the record
  uint32_t prod_ = 0;
  uint32_t cons_ = 0;   // of the cycle before
  uint32_t total_ = 0;  // counts of the messages before this one
  uint32_t overwritten_ = 0, high_water_ = 0, stalls_ = 0;
};

}  // namespace strobe::profiling
