// Runs a program on the hart alone and passes its retire stream to a sink.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "sc_models/isa/elf/elf_file.h"
#include "sc_models/isa/hart/hart_run.h"
#include "sc_models/isa/linux/process_environment.h"

namespace strobe::e2e {

/// Runs to the end, or for so many instructions. `sink.record(const RetireRecord&)` sees each.
/// @return what the program wrote to stdout
template <class Sink>
std::string run_observed(const std::string& elf, const std::vector<std::string>& args, Sink& sink,
                         uint64_t instructions = ~uint64_t{0}) {
  isa::ProcessOptions options;
  options.elf = elf;
  options.args = args;
  isa::GuestMemory memory;
  isa::LinuxProcess process(memory, options);
  isa::ProcessEnvironment world(process);
  isa::Hart hart(memory, world);
  hart.set_user_entry(process.entry(), process.stack_pointer());
  const isa::StopReason reason = hart.run_observed(instructions, sink);
  if (reason == isa::StopReason::kUnhandledTrap || process.exit().failed) {
    throw std::runtime_error(elf + " did not run to its end: " + process.exit().error);
  }
  return process.captured_stdout();
}

}  // namespace strobe::e2e
