// The first checks of an ELF file, before libelf sees it, and the sentence that every bad file
// gets.
#pragma once

#include <elf.h>

#include <cstdint>
#include <string>
#include <vector>

namespace strobe::isa {

/// "0x1234".
std::string hex(uint64_t value);
std::string number(uint64_t value);

/// Throws ElfError with one sentence.
[[noreturn]] void refuse(const std::string& file, const std::string& what,
                         const std::string& expected, const std::string& got,
                         const std::string& advice = "build it with riscv64-linux-gnu-gcc -static");

/// Reads the ELF header and checks it and the place of the program headers. Throws ElfError.
/// @param name  of the file, for messages
Elf64_Ehdr check_header(const std::vector<uint8_t>& bytes, const std::string& name);

/// Refuses a file that a dynamic linker would have to load or relocate, and says which kind it is.
/// Throws ElfError.
/// @param header  that check_header() has read
void expect_static(const Elf64_Ehdr& header, const std::vector<uint8_t>& bytes,
                   const std::string& name);

}  // namespace strobe::isa
