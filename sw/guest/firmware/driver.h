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
  uint64_t strata;        // counters of the sampler's table
  uint64_t counter_bits;
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

/// The counts the sampler's counters still hold. The path must be idle.
uint64_t read_residue(uint64_t strata);

}  // namespace strobe::guest
