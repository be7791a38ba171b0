// Sets of registers, and what the calling convention says of them (RISC-V psABI, "Integer Register
// Convention").
#pragma once

#include <cstdint>

namespace strobe::object {

/// Bit n: integer register n; bit 32 + n: floating-point register n.
using Registers = uint64_t;

constexpr Registers x(unsigned n) { return Registers{1} << n; }
constexpr Registers f(unsigned n) { return Registers{1} << (32 + n); }
constexpr Registers range(Registers first, Registers last) {
  return (last | (last - 1)) & ~(first - 1);
}

inline constexpr Registers kAll = ~x(0);
inline constexpr Registers kFixed = x(2) | x(3) | x(4);  // sp, gp, tp
inline constexpr Registers kArguments = range(x(10), x(17)) | range(f(10), f(17));
inline constexpr Registers kResults = x(10) | x(11) | f(10) | f(11);
/// t2 of a nested function, which gcc passes beside the arguments.
inline constexpr Registers kStaticChain = x(7);
inline constexpr Registers kCallerSaved = x(1) | range(x(5), x(7)) | kArguments |
                                          range(x(28), x(31)) | range(f(0), f(7)) |
                                          range(f(28), f(31));
inline constexpr Registers kCalleeSaved = kAll & ~kCallerSaved;

}  // namespace strobe::object
