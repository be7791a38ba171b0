// The ring writer, cycle by cycle: writes messages as records into a ring in memory.
// docs/blocks/ring_writer.md
#pragma once

#include <cstdint>

#include "sc_models/port/tuple.h"

namespace strobe::profiling {

/// The ring as its registers describe it.
struct RingConfig {
  bool enable = false;
  bool overwrite = false;
  unsigned log2_entries = 0;  // log2 of its records, at most 16
  uint64_t base = 0;          // aligned to the ring's length
  uint32_t cons = 0;          // number of records that software has read, modulo 2^32
};

/// Takes messages from the buffer and writes each as a record of four 64-bit words.
class RingWriter {
 public:
  struct Inputs {
    bool clear = false;
    RingConfig ring;
    bool valid = false;  // the buffer has a head, which stays until it is popped
    Message head;
    bool mem_ready = false;
    bool mem_idle = true;  // every word taken in an earlier cycle is written
  };
  struct Outputs {
    bool pop = false;  // combinational from mem_ready
    bool mem_valid = false;
    uint64_t mem_addr = 0, mem_data = 0;  // from the head and state
    bool busy = false;
    bool in_flight = false;  // a word was taken and may not be written yet
    uint32_t prod = 0, overwritten = 0, high_water = 0,
             stalls = 0;  // records, modulo 2^32; stalls in cycles
  };

  /// One clock cycle: gives the outputs, then takes the edge.
  Outputs step(const Inputs& inputs);
  Outputs outputs(const RingConfig& ring, const Message& head, bool mem_ready) const;

  bool busy() const { return writing_; }
  bool in_flight() const { return in_flight_; }
  /// The edge alone.
  void advance(const RingConfig& ring, bool valid, const Message& head, bool mem_ready,
               bool mem_idle);
  /// The edge of a cycle without a message, in which no record is being written.
  void rest(uint32_t cons, bool mem_idle) {
    cons_ = cons;
    in_flight_ = in_flight_ && !mem_idle;
  }
  /// The edge of a cycle with a clear. Memory writes a word that it takes in this cycle all the
  /// same.
  void clear(bool mem_ready, bool mem_idle);

 private:
  uint64_t word(const Message& head) const;

  bool in_flight_ = false;
  bool writing_ = false;
  unsigned word_ = 0;  // number of the word in its record
  uint32_t prod_ = 0;
  uint32_t cons_ = 0;   // the ring's cons of the cycle before
  uint32_t total_ = 0;  // sum of the counts of earlier messages
  uint32_t overwritten_ = 0, high_water_ = 0, stalls_ = 0;
};

}  // namespace strobe::profiling
