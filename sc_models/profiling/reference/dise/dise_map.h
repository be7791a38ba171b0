// Offsets of the decode engine's registers, in bytes. docs/blocks/dise.md gives their meaning.
#pragma once

#include <cstdint>

#include "sc_models/port/decode_engine.h"

namespace strobe::profiling {

inline constexpr uint32_t kDiseId = 0x00;
inline constexpr uint32_t kDiseCap = 0x08;
inline constexpr uint32_t kDiseCtrl = 0x10;
inline constexpr uint32_t kDiseStatus = 0x18;
inline constexpr uint32_t kDiseJitter = 0x28;
using strobe::kDiseReg;                         // + 8 k
inline constexpr uint32_t kDiseCounter = 0x80;  // + 8 n for counter n + 1
inline constexpr uint32_t kDisePatternIndex = 0xc0;
inline constexpr uint32_t kDisePatternWord = 0xc8;
inline constexpr uint32_t kDisePatternKind = 0xd0;
inline constexpr uint32_t kDisePatternCondition = 0xd8;
inline constexpr uint32_t kDisePatternOps = 0xe0;
inline constexpr uint32_t kDiseReplacementIndex = 0xf0;
inline constexpr uint32_t kDiseReplacementData = 0xf8;

/// "DISE", minor 0, major 1.
inline constexpr uint64_t kDiseIdValue = 0x0001'0000'4553'4944;
inline constexpr uint64_t kDiseCtrlEnable = 1, kDiseCtrlClear = 2;

/// DISE_JITTER: the register, the bits and the state.
constexpr uint64_t dise_jitter_word(unsigned reg, unsigned bits, unsigned state) {
  return reg | bits << 4 | state << 16;
}

}  // namespace strobe::profiling
