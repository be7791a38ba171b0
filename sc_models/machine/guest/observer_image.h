// The observer thread's image and the memory it shares with the host (docs/shim.md).
#pragma once

#include <cstdint>
#include <memory>

#include "sc_models/isa/elf/elf_file.h"
#include "sc_models/isa/memory/guest_memory.h"
#include "sc_models/machine/config/run_config.h"
#include "sw/guest/include/strobe/observer_abi.h"

namespace strobe::platform {

class ObserverImage {
 public:
  /// Loads the thread and tells it what to sample of `program`. Throws isa::ElfError and, for a
  /// signal that the program does not have, std::runtime_error.
  ObserverImage(isa::GuestMemory& memory, const config::RunConfig& configuration,
                const isa::ElfFile& program);

  uint64_t start_pc() const { return elf_.entry(); }
  /// Address and bytes of the first signal; no bytes without one.
  uint64_t tag_address() const { return tag_address_; }
  unsigned tag_bytes() const { return tag_bytes_; }
  /// Whether each configured counter is two of the observer's hart: what the core counts, and what
  /// the hart itself does.
  bool has_own_counters() const { return own_counters_; }

  /// What the thread has reported.
  std::unique_ptr<strobe_observer_block_t> block() const;
  /// The sample with this number, of the last STROBE_OBSERVER_BUFFERED.
  strobe_observer_sample_t sample(uint64_t number) const;

 private:
  void fill(const config::RunConfig& configuration, const isa::ElfFile& program);
  uint64_t symbol(const char* name) const;

  isa::GuestMemory& memory_;
  isa::ElfFile elf_;
  uint64_t block_ = 0, buffer_ = 0, tag_address_ = 0;
  unsigned tag_bytes_ = 0;
  bool own_counters_ = false;
};

/// The signals that the program does not have as words of 32 or 64 bits: unknown symbols,
/// functions, other sizes. Empty: all is well.
text::Diagnostics check_signals(const config::ShimConfig& shim, const isa::ElfFile& program);

}  // namespace strobe::platform
