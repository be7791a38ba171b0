#include "sw/guest/firmware/epoch.h"

#include "sc_models/port/address_map.h"

namespace strobe::guest {
namespace {

volatile uint64_t& timer(uint64_t offset) {
  return *reinterpret_cast<volatile uint64_t*>(STROBE_TIMER_BASE + offset);
}

/// splitmix64.
uint64_t next_random(uint64_t& state) {
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/// The next epoch begins where the last one ended, whatever its handler took.
void set_timer(strobe_epoch_block_t& block) {
  uint64_t length = block.cycles;
  if (block.jitter != 0) {
    length += next_random(block.random) % (2 * block.jitter + 1) - block.jitter;
  }
  block.due += length;
  timer(STROBE_TIMER_COMPARE) = block.due;
}

/// The jump takes the branch's place, which is aligned, in one store.
void hook(strobe_stub_t* stub) {
  *reinterpret_cast<volatile uint32_t*>(reinterpret_cast<char*>(stub) + stub->branch) =
      stub->jump_word;
}

}  // namespace

void start_epochs(strobe_epoch_block_t& block) {
  if (block.list == 0) return;
  block.due = timer(STROBE_TIMER_NOW);
  set_timer(block);
}

strobe_firmware_status_t hook_again(strobe_epoch_block_t& block) {
  uint64_t at = __atomic_exchange_n(reinterpret_cast<uint64_t*>(block.list), 0, __ATOMIC_ACQ_REL);
  uint64_t hooked = 0;
  for (; at != 0; ++hooked) {
    if (hooked == block.stubs) return STROBE_STATUS_BAD_STUB_LIST;
    auto* const stub = reinterpret_cast<strobe_stub_t*>(at);
    at = stub->next;  // hooked, it may be unhooked at once by another hart
    hook(stub);
  }
  if (hooked != 0) asm volatile("fence.i" ::: "memory");
  block.hooked += hooked;
  ++block.epochs;
  const uint64_t ended = block.due;
  set_timer(block);
  const uint64_t now = timer(STROBE_TIMER_NOW);
  if (now - ended > block.longest_handler) block.longest_handler = now - ended;
  return now < block.due ? STROBE_STATUS_RUNNING : STROBE_STATUS_EPOCH_TOO_SHORT;
}

}  // namespace strobe::guest
