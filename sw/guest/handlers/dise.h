// How a dcall enters a handler and dret leaves it (docs/blocks/dise.md).
//
// A handler runs between two instructions of the program and must leave every register unchanged.
// Its C++ is compiled so that a function saves each register it uses (handler_cxx_flags in
// firmware.cmake). The entry code only sets up the stack, which comes from d7, and saves ra.
#pragma once

#include <stdint.h>

namespace strobe::guest {

/// Dise register N: CSR 0x7c0 + N.
template <unsigned N>
inline uint64_t dise_register() {
  uint64_t value;
  asm volatile("csrr %0, %1" : "=r"(value) : "i"(0x7c0 + N));
  return value;
}

}  // namespace strobe::guest

/// Defines the entry `name` of a handler, whose body follows in braces. The .word encodes dret.
#define STROBE_HANDLER(name)                      \
  extern "C" void name##_body();                  \
  extern "C" __attribute__((naked)) void name() { \
    asm("csrrw sp, 0x7c7, sp\n\t"                 \
        "addi sp, sp, -16\n\t"                    \
        "sd ra, 0(sp)\n\t"                        \
        "call " #name                             \
        "_body\n\t"                               \
        "ld ra, 0(sp)\n\t"                        \
        "addi sp, sp, 16\n\t"                     \
        "csrrw sp, 0x7c7, sp\n\t"                 \
        ".word 0x8c000073");                      \
  }                                               \
  extern "C" void name##_body()
