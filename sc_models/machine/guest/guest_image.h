// The guest's memory image: firmware, program, boot block before the run; profile and counters
// after.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sc_models/isa/elf/elf_file.h"
#include "sc_models/isa/linux/process.h"
#include "sc_models/machine/outcome/outcome.h"
#include "sc_models/machine/outcome/run_hooks.h"
#include "sc_models/machine/profiler/production_set.h"
#include "sw/guest/include/strobe/abi.h"
#include "sw/guest/include/strobe/ephemeral_abi.h"
#include "sw/guest/include/strobe/trace_reader.h"
#include "sw/profile/counts/profile.h"

namespace strobe::platform {

class GuestImage {
 public:
  using Reader = MemoryReader;

  /// Loads firmware and program and fills the boot block; `active` is the profiler the firmware
  /// programs, nullptr for none. Throws isa::ElfError or std::runtime_error.
  /// A production set is loaded whenever there is one, and enabled when `edits`. The
  /// program is the hooks', and their `loaded` is called.
  GuestImage(isa::GuestMemory& memory, const config::RunConfig& configuration,
             const config::ProfilerConfig* active, bool edits, const RunHooks& hooks);

  isa::LinuxProcess& process() { return process_; }
  const isa::ElfFile& program() const { return process_.program(); }

  uint64_t reset_pc() const { return firmware_.entry(); }
  uint64_t exit_pc() const { return exit_pc_; }

  uint64_t service_pc() const { return service_pc_; }  // where a service core starts

  strobe_boot_block_t boot_block(const Reader& read) const;
  strobe_ring_block_t ring_block(const Reader& read) const;
  strobe_epoch_block_t epoch_block(const Reader& read) const;

  /// What was loaded into the decode engine.
  const ProductionSet& productions() const { return productions_; }

  struct Table {
    TupleCounts counts;
    uint64_t lost = 0;  // counts that found no room
  };
  /// The handlers' table as the guest left it. Throws std::runtime_error when it is not sane.
  Table table(const Reader& read) const;
  /// The instructions that the timer has sampled since the program's start, from the same table.
  profile::Profile timer_samples(const Reader& read) const;
  /// The same for their trace of references, shown to `visit`.
  void references(const Reader& read,
                  const std::function<void(const guest::TraceReader&)>& visit) const;

  /// "name+0x1c (file.c:12)" of a pc in the program or the firmware.
  std::string describe(uint64_t pc) const;

  /// One sentence about the exception the firmware gave up on, with the hart as it stands then.
  std::string describe_fatal(const Reader& read, const isa::HartState& state) const;
  std::string describe_exception(isa::Cause cause, uint64_t pc, uint64_t tval) const;

 private:
  void place_ring(const config::CommunicationConfig& communication);
  void set_timer(const config::RunConfig& configuration);
  void set_epochs(strobe_epoch_block_t* block) const;
  void load_productions(const config::RunConfig& configuration, bool enable);
  uint64_t firmware_symbol(const char* name) const;
  std::vector<uint8_t> bytes_of(const char* symbol, uint64_t size, const Reader& read) const;

  isa::GuestMemory& memory_;
  isa::ElfFile firmware_;
  isa::LinuxProcess process_;
  ProductionSet productions_;
  uint64_t boot_block_ = 0, ring_block_ = 0, epoch_block_ = 0, exit_pc_ = 0, service_pc_ = 0;
};

}  // namespace strobe::platform
