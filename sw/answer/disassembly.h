// The instructions of a program as text, by objdump of the cross binutils.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace strobe::answer {

struct Instruction {
  uint64_t pc = 0;
  std::string text;  // "ld a5,506(a5)": registers have the names of the ABI
};

/// The instructions of an ELF file in [begin, end). Throws std::runtime_error when objdump is not
/// installed (with its package) or fails.
std::vector<Instruction> disassemble(const std::string& elf, uint64_t begin, uint64_t end);

}  // namespace strobe::answer
