// The driver of the profiling device. docs/registers.md describes each register.
#include "sw/guest/firmware/driver.h"

#include "sw/guest/handlers/fold.h"

namespace strobe::guest {
namespace {

// Values of CAP1.kind and CAP2.sampler.
constexpr uint64_t kStratified = 1, kCountdown = 2;
constexpr uint64_t kSettings[] = STROBE_SETTING_REGISTERS;
// The bit of TABLE_INDEX that selects an entry of the second level.
constexpr uint64_t kSecondLevel = 0x8000;

/// Returns in the third device cycle after the last write or later: each access has a cycle of its
/// own, and the two reads come after the write.
void settle() {
  read_register(STROBE_REG_ID);
  read_register(STROBE_REG_ID);
}

bool can_do(const strobe_boot_block_t& boot, const strobe_ring_block_t& ring,
            const Capabilities& capabilities) {
  return (ring.entries == 0 || capabilities.ring != 0) &&
         boot.selector_count <= capabilities.selectors &&
         boot.selector_count <= STROBE_MAX_SELECTORS && boot.period >= 1 &&
         boot.period <= capabilities.max_period && boot.watermark <= capabilities.buffer_depth;
}

void start_ring(const strobe_ring_block_t& ring) {
  uint64_t log2_entries = 0;
  while (uint64_t{1} << log2_entries < ring.entries) ++log2_entries;
  write_register(STROBE_REG_RING_CONFIG,
                 log2_entries << STROBE_RING_CONFIG_LOG2_ENTRIES_SHIFT |
                     (ring.overwrite != 0 ? STROBE_RING_CONFIG_OVERWRITE_MASK : 0));
  write_register(STROBE_REG_RING_BASE, ring.base);
  write_register(STROBE_REG_RING_CTRL, STROBE_RING_CTRL_ENABLE_MASK);
}

void write_selector(uint64_t index, const strobe_selector_config_t& selector) {
  write_register(STROBE_REG_SEL_PC_LO + index * STROBE_REG_SEL_PC_LO_STRIDE, selector.pc_lo);
  write_register(STROBE_REG_SEL_PC_HI + index * STROBE_REG_SEL_PC_HI_STRIDE, selector.pc_hi);
  write_register(STROBE_REG_SEL_CTRL + index * STROBE_REG_SEL_CTRL_STRIDE, selector.ctrl);
}

/// Adds the counts of `entries` entries from `first` on to `held` and `table`.
void read_level(strobe_profile_table_t& table, uint64_t first, uint64_t entries, Held& held) {
  for (uint64_t i = first; i < first + entries; ++i) {
    write_register(STROBE_REG_TABLE_INDEX, i);
    settle();
    uint64_t data = read_register(STROBE_REG_TABLE_DATA);
    uint64_t count = field(data, STROBE_TABLE_DATA_COUNT_MASK, STROBE_TABLE_DATA_COUNT_SHIFT);
    if ((data & STROBE_TABLE_DATA_TUPLE_MASK) == 0) {
      held.residue += count;
    } else if (count != 0) {
      fold(table, read_register(STROBE_REG_TABLE_PC), read_register(STROBE_REG_TABLE_VALUE),
           field(data, STROBE_TABLE_DATA_TAG_MASK, STROBE_TABLE_DATA_TAG_SHIFT), count);
      ++held.messages;
    }
  }
}

}  // namespace

strobe_firmware_status_t probe(Capabilities& capabilities) {
  // The device must have this register map, but may have another minor version of it.
  constexpr uint64_t kSame = STROBE_ID_MAGIC_MASK | STROBE_ID_MAJOR_MASK;
  if ((read_register(STROBE_REG_ID) & kSame) != (STROBE_ID_RESET & kSame)) {
    return STROBE_STATUS_NO_DEVICE;
  }
  uint64_t cap0 = read_register(STROBE_REG_CAP0);
  uint64_t cap1 = read_register(STROBE_REG_CAP1);
  uint64_t cap2 = read_register(STROBE_REG_CAP2);
  capabilities.selectors = field(cap0, STROBE_CAP0_SELECTORS_MASK, STROBE_CAP0_SELECTORS_SHIFT);
  capabilities.buffer_depth =
      field(cap0, STROBE_CAP0_BUFFER_DEPTH_MASK, STROBE_CAP0_BUFFER_DEPTH_SHIFT);
  capabilities.strata = field(cap1, STROBE_CAP1_STRATA_MASK, STROBE_CAP1_STRATA_SHIFT);
  capabilities.counts_down =
      field(cap1, STROBE_CAP1_KIND_MASK, STROBE_CAP1_KIND_SHIFT) == kStratified &&
      field(cap2, STROBE_CAP2_SAMPLER_MASK, STROBE_CAP2_SAMPLER_SHIFT) == kCountdown;
  uint64_t counter_bits =
      field(cap1, STROBE_CAP1_COUNTER_BITS_MASK, STROBE_CAP1_COUNTER_BITS_SHIFT);
  capabilities.max_period = uint64_t{1}
                            << (capabilities.counts_down ? counter_bits - 1 : counter_bits);
  capabilities.second_entries =
      field(cap2, STROBE_CAP2_SECOND_ENTRIES_MASK, STROBE_CAP2_SECOND_ENTRIES_SHIFT);
  capabilities.ring = field(cap1, STROBE_CAP1_RING_MASK, STROBE_CAP1_RING_SHIFT);
  return STROBE_STATUS_RUNNING;
}

strobe_firmware_status_t start(const strobe_boot_block_t& boot, const strobe_ring_block_t& ring,
                               const Capabilities& capabilities) {
  if (!can_do(boot, ring, capabilities)) return STROBE_STATUS_BAD_CAPABILITY;
  const strobe_selector_config_t unused = {0, 0, 0};
  for (uint64_t i = 0; i < capabilities.selectors; ++i) {
    write_selector(i, i < boot.selector_count ? boot.selectors[i] : unused);
  }
  write_register(STROBE_REG_PERIOD, boot.period);
  write_register(STROBE_REG_THRESHOLD, boot.threshold);
  write_register(STROBE_REG_SEED, boot.seed);  // loaded by the clear below
  for (uint64_t i = 0; i < STROBE_SETTINGS; ++i) write_register(kSettings[i], boot.settings[i]);
  write_register(STROBE_REG_WATERMARK, boot.watermark);
  if (ring.entries != 0) {
    start_ring(ring);
  } else {
    write_register(STROBE_REG_INTR_ENABLE, STROBE_INTR_ENABLE_WATERMARK_MASK);
  }
  write_register(STROBE_REG_CTRL, STROBE_CTRL_CLEAR_MASK);
  settle();  // the clear takes effect a cycle later; STATUS.init is 1 only then
  while ((read_register(STROBE_REG_STATUS) & STROBE_STATUS_INIT_MASK) != 0) {
  }
  write_register(STROBE_REG_CTRL, STROBE_CTRL_ENABLE_MASK);
  return STROBE_STATUS_RUNNING;
}

void stop() {
  write_register(STROBE_REG_CTRL, 0);
  settle();  // what retired before the write has entered the path and STATUS.idle shows it
}

void wait_for_service() {
  while ((read_register(STROBE_REG_STATUS) & STROBE_STATUS_IDLE_MASK) == 0) {
  }
  while (read_register(STROBE_REG_RING_CONS) != read_register(STROBE_REG_RING_PROD)) {
  }
}

Held read_out(strobe_profile_table_t& table, const Capabilities& capabilities) {
  Held held = {0, 0};
  read_level(table, 0, capabilities.strata, held);
  if (capabilities.counts_down) held.residue = 0;
  read_level(table, kSecondLevel, capabilities.second_entries, held);
  return held;
}

}  // namespace strobe::guest
