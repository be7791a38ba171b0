// The driver of the profiling device: probing, configuration, access to its registers.
//
// The capabilities of an instance are always read from its CAP registers.
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

/// The capabilities that the device reports.
struct Capabilities {
  uint64_t selectors;
  uint64_t buffer_depth;  // messages
  uint64_t strata;        // entries of the first level
  uint64_t max_period;    // largest r
  bool counts_down;       // first-level counters hold the number of tuples to come, not the past
  uint64_t second_entries;
  uint64_t ring;  // nonzero: there is a ring writer
};

/// Reads the capabilities. Returns RUNNING when there is a device, else NO_DEVICE.
strobe_firmware_status_t probe(Capabilities& capabilities);

/// Checks the host's settings, sets the device up, zeroes its state and starts it. Returns
/// RUNNING, or BAD_CAPABILITY when the device cannot do what is asked; then it writes nothing.
strobe_firmware_status_t start(const strobe_boot_block_t& boot, const strobe_ring_block_t& ring,
                               const Capabilities& capabilities);

/// Ends selection. Tuples that are already selected go on toward the buffer.
void stop();

/// Waits until the stopped path is empty and the service thread has taken every record.
void wait_for_service();

/// The counts that a compressor held at the end.
struct Held {
  uint64_t residue;   // sum of the counts of entries that do not hold their tuple
  uint64_t messages;  // entries that hold it: folded into the table like messages
};

/// Reads out both levels. The path must be idle.
Held read_out(strobe_profile_table_t& table, const Capabilities& capabilities);

}  // namespace strobe::guest
