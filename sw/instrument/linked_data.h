// Data of a linked program, changed in its file: the counters of bursty tracing are set without
// linking again.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace strobe::instrument {

/// Stores `value` in the 32 bits at a symbol of an ELF64 file.
/// Throws object::ObjectError when the file has no such symbol, or keeps no bytes there.
void set_word(std::vector<uint8_t>* elf, const std::string& symbol, uint32_t value);

/// nCheck0 and nInstr0 of an edited program (bursty tracing, Figure 3); its first check counts from
/// nCheck0. Throws std::invalid_argument when one of them is 0 or above 2^31 - 1, which stands for
/// infinity.
void set_bursts(std::vector<uint8_t>* elf, uint64_t checks, uint64_t instrumented);

}  // namespace strobe::instrument
