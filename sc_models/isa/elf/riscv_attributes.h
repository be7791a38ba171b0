// What a RISC-V file says of the machine it is built for (RISC-V psABI, "Attributes").
#pragma once

#include <libelf.h>

#include <string>

namespace strobe::isa {

/// The value of Tag_RISCV_arch in .riscv.attributes; empty where it is not, or is damaged.
std::string isa_attribute(Elf* elf);

}  // namespace strobe::isa
