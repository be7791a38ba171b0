// The stack with which a program starts: argc, argv, envp, the auxiliary vector and what they point
// to.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sc_models/isa/elf/elf_file.h"
#include "sc_models/isa/linux/user_memory.h"

namespace strobe::isa {

struct StartStack {
  std::vector<std::string> args;  // argv, the program's name first
  std::vector<std::string> env;
  uint8_t random[16] = {};  // AT_RANDOM
};

/// Writes the stack below `top`. Returns the stack pointer, which is 16-byte aligned and points to
/// argc. Throws std::runtime_error when the strings take more than 128 KiB.
uint64_t write_start_stack(UserMemory& memory, uint64_t top, const ElfFile& elf,
                           const StartStack& start);

}  // namespace strobe::isa
