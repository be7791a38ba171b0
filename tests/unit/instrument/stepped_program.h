// A program executed one instruction at a time, with its system calls, for tests that look at every
// instruction or at its memory afterwards.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sc_models/isa/elf/elf_file.h"
#include "sc_models/isa/hart/hart.h"
#include "sc_models/isa/linux/process_environment.h"
#include "sc_models/port/address_map.h"

namespace strobe::instrument {

class SteppedProgram {
 public:
  SteppedProgram(const std::vector<uint8_t>& elf, std::vector<std::string> arguments)
      : process_(memory_, options(elf, std::move(arguments))),
        environment_(process_),
        hart_(memory_, environment_) {
    hart_.set_user_entry(process_.entry(), process_.stack_pointer());
  }

  /// Calls `see(record)` for each instruction, until the program exits.
  template <class See>
  void run(See see) {
    RetireRecord record;
    for (;;) {
      const isa::StepStatus status = hart_.step(record, /*drained=*/true);
      if (status == isa::StepStatus::kStopped && process_.exit().exited) return;
      if (status != isa::StepStatus::kRetired) {
        throw std::runtime_error("the program stopped at " + std::to_string(hart_.state().pc) +
                                 ": " + process_.exit().error);
      }
      see(record);
    }
  }

  template <class T>
  T read(uint64_t address) const {
    T value{};
    if (!memory_.read(address, &value, sizeof value)) throw std::runtime_error("no such address");
    return value;
  }
  const std::string& output() const { return process_.captured_stdout(); }

 private:
  static isa::ProcessOptions options(const std::vector<uint8_t>& elf,
                                     std::vector<std::string> arguments) {
    isa::ProcessOptions options;
    options.elf = "program.elf";
    options.program = std::make_shared<const isa::ElfFile>(
        isa::ElfFile::parse(elf, "program.elf", STROBE_USER_TOP));
    options.args = std::move(arguments);
    return options;
  }

  isa::GuestMemory memory_;
  isa::LinuxProcess process_;
  isa::ProcessEnvironment environment_;
  isa::Hart hart_;
};

}  // namespace strobe::instrument
