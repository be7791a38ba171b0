// Driver of the profiling device: probe, configuration, access to its registers.
//
// What an instance can do is read from its CAP registers, never known beforehand.
#pragma once

#include <stdint.h>

#include "sc_models/port/address_map.h"
#include "sw/guest/include/strobe/abi.h"
#include "sw/guest/include/strobe/registers.h"

namespace strobe::guest {

inline uint64_t read_register(uint64_t offset) {
  return *reinterpret_cast<volatile uint64_t*>(STROBE_PROFILER_BASE + offset);
}

inline void write_register(uint64_t offset, uint64_t value) {
  *reinterpret_cast<volatile uint64_t*>(STROBE_PROFILER_BASE + offset) = value;
}

constexpr uint64_t field(uint64_t word, uint64_t mask, unsigned shift) {
  return (word & mask) >> shift;
}

/// What the device says of itself.
struct Capabilities {
  uint64_t selectors;
  uint64_t buffer_depth;  // messages
  uint64_t strata;        // entries of the first level
  uint64_t max_period;    // r at most
  bool counts_down;       // the counters of the first level hold what is to come, not what was
  uint64_t second_entries;
  uint64_t ring;  // whether there is a ring writer
};

/// RUNNING when the device is there, else NO_DEVICE.
strobe_firmware_status_t probe(Capabilities& capabilities);

/// Checks what the host asks for, sets the device up, zeroes its state and starts it.
/// RUNNING, or BAD_CAPABILITY when the device cannot do it; then nothing was written.
strobe_firmware_status_t start(const strobe_boot_block_t& boot, const strobe_ring_block_t& ring,
                               const Capabilities& capabilities);

/// Ends selection; tuples already selected go on towards the buffer.
void stop();

/// Waits until the stopped path is empty and the service thread has taken every record.
void wait_for_service();

/// What a compressor held at the end.
struct Held {
  uint64_t residue;   // counts of entries that do not know their tuple
  uint64_t messages;  // entries that know it: folded into the table like messages
};

/// Reads out both levels. The path must be idle.
Held read_out(strobe_profile_table_t& table, const Capabilities& capabilities);

}  // namespace strobe::guest
