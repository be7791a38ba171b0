// IEEE 754 binary32 and binary64 arithmetic in integers, for every RISC-V rounding mode.
//
// This is the reference of the floating-point unit. Each operation forms the exact result (or one
// with a sticky bit below the guard bits, which rounds to the same value) and rounds it once in
// round_pack(). The interpreters use it wherever the host's FPU cannot do the same: for modes other
// than RNE, and for NaNs of the fused operations. Values are bit patterns.
#pragma once

#include <cstdint>

namespace strobe::isa {

/// frm and rm encodings.
enum class Rounding : uint8_t { kNearestEven = 0, kZero = 1, kDown = 2, kUp = 3, kNearestMax = 4 };
inline constexpr unsigned kDynamicRounding = 7;

/// fflags bits.
enum FpFlag : uint32_t {
  kInexact = 1,
  kUnderflow = 2,
  kOverflow = 4,
  kDivideByZero = 8,
  kInvalid = 16
};

struct FpFormat {
  unsigned exponent_bits, fraction_bits;
  constexpr uint64_t sign_mask() const { return uint64_t{1} << (exponent_bits + fraction_bits); }
  constexpr uint64_t fraction_mask() const { return (uint64_t{1} << fraction_bits) - 1; }
  constexpr uint64_t exponent_max() const { return (uint64_t{1} << exponent_bits) - 1; }
  constexpr int bias() const { return static_cast<int>(exponent_max() >> 1); }
  constexpr uint64_t infinity() const { return exponent_max() << fraction_bits; }
  constexpr uint64_t canonical_nan() const {
    return infinity() | uint64_t{1} << (fraction_bits - 1);
  }
  constexpr bool is_nan(uint64_t a) const { return (a & ~sign_mask()) > infinity(); }
  constexpr bool is_signaling(uint64_t a) const {
    return is_nan(a) && (a >> (fraction_bits - 1) & 1) == 0;
  }
};
inline constexpr FpFormat kBinary32{8, 23};
inline constexpr FpFormat kBinary64{11, 52};

namespace fp_exact {

uint64_t add(const FpFormat& format, uint64_t a, uint64_t b, Rounding rounding, uint32_t& flags);
uint64_t mul(const FpFormat& format, uint64_t a, uint64_t b, Rounding rounding, uint32_t& flags);
uint64_t div(const FpFormat& format, uint64_t a, uint64_t b, Rounding rounding, uint32_t& flags);
uint64_t sqrt(const FpFormat& format, uint64_t a, Rounding rounding, uint32_t& flags);
/// a * b + c, rounded once. NaN results are canonical; inf * 0 is invalid whatever c is.
uint64_t fma(const FpFormat& format, uint64_t a, uint64_t b, uint64_t c, Rounding rounding,
             uint32_t& flags);
uint64_t convert(const FpFormat& from, const FpFormat& to, uint64_t a, Rounding rounding,
                 uint32_t& flags);
/// The integer (-1)^negative * magnitude in a floating-point format.
uint64_t from_integer(const FpFormat& format, bool negative, uint64_t magnitude, Rounding rounding,
                      uint32_t& flags);
/// Converts to an integer of `width` bits (32 or 64), saturated and sign-extended from `width` as
/// RISC-V requires. A value out of range and a NaN raise only kInvalid.
uint64_t to_integer(const FpFormat& format, uint64_t a, unsigned width, bool is_signed,
                    Rounding rounding, uint32_t& flags);

}  // namespace fp_exact
}  // namespace strobe::isa
