// Marks in a program: HINTs that real hardware executes as nothing.
//
// `slti x0, x0, N` is marker N of a region of interest. The RISC-V unprivileged specification lists
// SLTI, SLTIU, SLLI, SRLI, SRAI and SLT with rd = x0 among the HINTs "designated for custom use",
// which no future standard takes; SLLI and SRAI serve semihosting, and `sltiu x0, x0, N` is kept
// free for marks of another kind. sw/guest/include/strobe/marker.h is the program's side.
#pragma once

#include <cstdint>

namespace strobe {

inline constexpr uint32_t kMostMarker = 2047;

inline constexpr uint32_t marker_insn(uint32_t number) { return number << 20 | 0x2013; }

inline constexpr bool is_marker(uint32_t insn) { return (insn & 0xfffff) == 0x2013; }

/// `sltiu x0, x0, N`, which marks the next instruction for the selectors.
inline constexpr bool is_selector_marker(uint32_t insn) { return (insn & 0xff0fffff) == 0x3013; }

}  // namespace strobe
