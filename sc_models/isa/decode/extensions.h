// RISC-V extensions that the core does not execute, by their instructions and by their names: for
// messages alone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace strobe::isa {

/// The extensions that the core executes, as -march takes them.
inline constexpr const char* kExecutedIsa = "rv64gc";

/// The extension of an instruction that the core does not execute, such as "Zbb"; empty for an
/// encoding of none that is ratified, and for those that the core executes. From the tables of the
/// RISC-V Unprivileged ISA, version 20250508, and those of its bit manipulation, vector and
/// cryptography chapters. Of an instruction of several extensions, the one most often asked for.
std::string foreign_extension(uint32_t insn);

/// "; the instruction is of Zbb, but the core executes rv64gc: ...", for the end of a sentence
/// about an illegal instruction; empty where foreign_extension() is.
std::string about_foreign_extension(uint32_t insn);

/// The extensions among those of an ISA string, "rv64i2p1_m2p0_zba1p0", with instructions or
/// registers that the core does not have: "zba". Empty for a text that is no such string.
std::vector<std::string> foreign_extensions(const std::string& isa);

}  // namespace strobe::isa
