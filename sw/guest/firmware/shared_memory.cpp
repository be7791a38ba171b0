// The memory shared by the firmware and the host: boot block, ring block, epochs, profile,
// reference trace.
//
// It is outside .bss (firmware.ld), because the host fills and zeroes it before reset. The table is
// storage of the right size under its type's name, because the type's last member has no length.
#include <stdint.h>

#include "sw/guest/include/strobe/abi.h"
#include "sw/guest/include/strobe/ephemeral_abi.h"
#include "sw/guest/include/strobe/handlers_abi.h"

extern "C" {

strobe_boot_block_t strobe_boot_block __attribute__((section(".bss.strobe_boot_block")));
alignas(64) strobe_ring_block_t strobe_ring_block
    __attribute__((section(".bss.strobe_ring_block")));

strobe_epoch_block_t strobe_epoch_block __attribute__((section(".bss.strobe_epoch_block")));

strobe_dise_program_t strobe_dise_program __attribute__((section(".bss.strobe_boot_block.dise")));

constexpr uint64_t kTableBytes =
    sizeof(strobe_profile_table_t) + STROBE_PROFILE_CAPACITY * sizeof(strobe_profile_entry_t);
alignas(64) uint8_t strobe_profile_table[kTableBytes]
    __attribute__((section(".bss.strobe_profile_table")));

alignas(64) strobe_reference_trace_t strobe_reference_trace
    __attribute__((section(".bss.strobe_reference_trace")));
}
