// The firmware's actions at boot, at its interrupts, at the end, and at a fatal trap.
//
// start.S calls these functions in M-mode, on the firmware's stack, with interrupts off.
#include <stdint.h>

#include "sc_models/port/address_map.h"
#include "sw/guest/firmware/driver.h"
#include "sw/guest/firmware/epoch.h"
#include "sw/guest/handlers/drain.h"
#include "sw/guest/include/strobe/abi.h"

extern "C" {
extern strobe_boot_block_t strobe_boot_block;
extern strobe_ring_block_t strobe_ring_block;
extern const strobe_dise_program_t strobe_dise_program;
extern strobe_profile_table_t strobe_profile_table;
extern strobe_epoch_block_t strobe_epoch_block;
}

namespace strobe::guest {
namespace {

Capabilities capabilities;

// The decode engine's registers (docs/blocks/dise.md).
constexpr uint64_t kDiseId = 0x00, kDiseCtrl = 0x10;
constexpr uint32_t kDiseMagic = 0x45534944;

uint64_t buffer_level(uint64_t status) {
  return field(status, STROBE_STATUS_LEVEL_MASK, STROBE_STATUS_LEVEL_SHIFT);
}

void host_store(uint64_t offset, uint64_t value) {
  *reinterpret_cast<volatile uint64_t*>(STROBE_HOST_BASE + offset) = value;
}

[[noreturn]] void wait_forever() {
  for (;;) asm volatile("wfi");
}

[[noreturn]] void halt(strobe_firmware_status_t status) {
  strobe_boot_block.status = status;
  host_store(STROBE_HOST_HALT, status);
  wait_forever();
}

/// Loads the production set into the decode engine and enables it, except in a baseline run.
void load_productions() {
  const strobe_dise_program_t& program = strobe_dise_program;
  if (program.count == 0) return;
  const auto engine = [](uint64_t offset) {
    return reinterpret_cast<volatile uint64_t*>(STROBE_DISE_BASE + offset);
  };
  if (static_cast<uint32_t>(*engine(kDiseId)) != kDiseMagic) halt(STROBE_STATUS_NO_DECODE_ENGINE);
  for (uint64_t i = 0; i < program.count; ++i) {
    *engine(program.writes[i].offset) = program.writes[i].value;
  }
  *engine(kDiseCtrl) = program.control;
}

/// Takes everything out of a stopped path. The buffer is emptied while waiting, because a full one
/// would stall the sampler without end.
uint64_t drain_all() {
  uint64_t messages = 0;
  for (;;) {
    uint64_t status = read_register(STROBE_REG_STATUS);
    uint64_t level = buffer_level(status);
    if (level == 0 && (status & STROBE_STATUS_IDLE_MASK) != 0) return messages;
    drain(strobe_profile_table, level);
    messages += level;
  }
}

}  // namespace
}  // namespace strobe::guest

using namespace strobe::guest;

extern "C" {

/// Called before the program starts. Returns when the program may start.
void strobe_boot() {
  strobe_boot_block_t& boot = strobe_boot_block;
  if (boot.magic != STROBE_ABI_MAGIC) halt(STROBE_STATUS_BAD_BOOT_BLOCK);
  strobe_profile_table.capacity = STROBE_PROFILE_CAPACITY;
  if (boot.profiler_active != 0) {
    strobe_firmware_status_t status = probe(capabilities);
    if (status == STROBE_STATUS_RUNNING) status = start(boot, strobe_ring_block, capabilities);
    if (status != STROBE_STATUS_RUNNING) halt(status);
  }
  load_productions();
  start_epochs(strobe_epoch_block);
  boot.status = STROBE_STATUS_RUNNING;
}

/// Handles the profiling interrupt, whose level falls once the buffer is below the watermark.
void strobe_profile_interrupt() {
  uint64_t level = buffer_level(read_register(STROBE_REG_STATUS));
  drain(strobe_profile_table, level);
  ++strobe_boot_block.interrupts;
  strobe_boot_block.messages += level;
}

/// Handles the interrupt of the timer, which ends an epoch.
void strobe_timer_interrupt() {
  const strobe_firmware_status_t status = end_epoch(strobe_epoch_block);
  if (status != STROBE_STATUS_RUNNING) halt(status);
}

/// Called when the program has ended: collects what is still in the device and stops the run.
[[noreturn]] void strobe_finish() {
  strobe_boot_block_t& boot = strobe_boot_block;
  if (boot.profiler_active != 0) {
    stop();
    if (strobe_ring_block.entries != 0) {
      wait_for_service();
    } else {
      boot.final_messages = drain_all();
    }
    Held held = read_out(strobe_profile_table, capabilities);
    boot.final_messages += held.messages;
    boot.messages += boot.final_messages;
    boot.residue = held.residue;
  }
  halt(strobe_profile_table.lost_messages != 0 ? STROBE_STATUS_TABLE_FULL : STROBE_STATUS_DONE);
}

/// Called at a trap that the firmware does not handle.
[[noreturn]] void strobe_fatal(uint64_t cause, uint64_t epc, uint64_t tval) {
  strobe_boot_block.fatal_cause = cause;
  strobe_boot_block.fatal_epc = epc;
  strobe_boot_block.fatal_tval = tval;
  strobe_boot_block.status = STROBE_STATUS_FATAL;
  host_store(STROBE_HOST_FATAL, cause);
  wait_forever();
}

}  // extern "C"
