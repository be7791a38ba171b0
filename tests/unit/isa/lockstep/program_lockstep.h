// A real program on the hart, with the system-call proxy, and on Unicorn. Every register is
// compared after every instruction.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sc_models/isa/linux/threads/scheduler_options.h"

namespace strobe::isa::lockstep {

struct ProgramResult {
  uint64_t instructions = 0;
  uint64_t system_calls = 0;
  uint64_t thread_switches = 0;
  int exit_code = -1;
  std::string output;      // what the program wrote to stdout
  std::string difference;  // empty: none
};

/// Runs `elf` to its end, or for at most `limit` instructions (0: no limit).
/// @param quantum  instructions after which another thread of the program runs
ProgramResult run_program(const std::string& elf, const std::vector<std::string>& args,
                          const std::vector<std::string>& readable_directories, uint64_t limit,
                          uint64_t quantum = SchedulerOptions().quantum);

}  // namespace strobe::isa::lockstep
