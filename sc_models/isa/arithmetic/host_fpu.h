// The host's SSE floating-point status as the accumulator of RISC-V's fflags.
//
// Round-to-nearest-even arithmetic runs on the host's FPU: IEEE 754 fixes its results, and SSE
// detects tininess after rounding, as RISC-V does. Its sticky exception bits are cleared before a
// stretch of instructions and read after it. Files that use this are compiled with -frounding-math
// and -ftrapping-math; the empty asm statements keep the compiler from moving guest arithmetic,
// which goes through hart state in memory, across the reads and writes of MXCSR.
#pragma once

#include <xmmintrin.h>

#include <cstdint>

#include "sc_models/isa/arithmetic/fp_exact.h"

namespace strobe::isa::host_fpu {

/// All exceptions masked, nearest-even, no flush to zero, no flags.
inline constexpr uint32_t kDefaultMxcsr = 0x1f80;

/// Begins a stretch of instructions: puts the host thread into the default floating-point
/// environment.
inline void begin() {
  if (_mm_getcsr() != kDefaultMxcsr) _mm_setcsr(kDefaultMxcsr);
  asm volatile("" ::: "memory");
}

/// The FpFlag bits raised since begin().
inline uint32_t raised() {
  asm volatile("" ::: "memory");
  const uint32_t mxcsr = _mm_getcsr();
  // MXCSR: invalid 0, denormal 1, divide by zero 2, overflow 3, underflow 4, precision 5.
  return (mxcsr & 1 ? kInvalid : 0u) | (mxcsr & 4 ? kDivideByZero : 0u) |
         (mxcsr & 8 ? kOverflow : 0u) | (mxcsr & 16 ? kUnderflow : 0u) |
         (mxcsr & 32 ? kInexact : 0u);
}

}  // namespace strobe::isa::host_fpu
