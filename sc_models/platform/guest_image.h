// The guest's memory image: firmware, program, boot block before the run; profile and counters
// after.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "sc_models/isa/elf_file.h"
#include "sc_models/isa/linux/process.h"
#include "sc_models/platform/run.h"
#include "sw/guest/include/strobe/abi.h"

namespace strobe::platform {

class GuestImage {
 public:
  /// Reads guest memory without side effects; the timing platform passes transport_dbg.
  using Reader = std::function<bool(uint64_t address, void* to, size_t size)>;

  /// Loads firmware and program and fills the boot block; `active` is the profiler the firmware
  /// programs, nullptr for none. Throws isa::ElfError or std::runtime_error.
  /// A production set is loaded whenever there is one, and enabled when `edits`.
  GuestImage(isa::GuestMemory& memory, const config::RunConfig& configuration,
             const config::ProfilerConfig* active, bool edits);

  isa::LinuxProcess& process() { return process_; }
  const isa::ElfFile& program() const { return program_; }

  uint64_t reset_pc() const { return firmware_.entry(); }
  uint64_t exit_pc() const { return exit_pc_; }

  uint64_t service_pc() const { return service_pc_; }  // where a service core starts

  strobe_boot_block_t boot_block(const Reader& read) const;
  strobe_ring_block_t ring_block(const Reader& read) const;

  /// The handler's table as the guest left it. Throws std::runtime_error when it is not sane.
  TupleCounts profile(const Reader& read) const;

  /// "name+0x1c (file.c:12)" of a pc in the program or the firmware.
  std::string describe(uint64_t pc) const;

  /// One sentence about the exception the firmware gave up on.
  std::string describe_fatal(const Reader& read) const;
  std::string describe_exception(isa::Cause cause, uint64_t pc, uint64_t tval) const;

 private:
  void place_ring(const config::CommunicationConfig& communication);
  void load_productions(const config::DecodeConfig& decode, bool enable);
  uint64_t firmware_symbol(const char* name) const;

  isa::GuestMemory& memory_;
  isa::ElfFile firmware_;
  isa::ElfFile program_;
  isa::LinuxProcess process_;
  uint64_t boot_block_ = 0, ring_block_ = 0, table_ = 0, exit_pc_ = 0, service_pc_ = 0;
};

}  // namespace strobe::platform
