// What the F and D instructions compute. Round-to-nearest-even runs on the host's FPU, whose flags
// the caller collects (host_fpu.h). Every other rounding mode, and whatever the host does
// differently, runs in integers (fp_exact.h). Flags that are raised here in software are returned
// through `flags`.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "sc_models/isa/arithmetic/fp_exact.h"
#include "sc_models/isa/arithmetic/semantics_integer.h"

namespace strobe::isa {

template <unsigned kBytes>
struct FpType;
template <>
struct FpType<4> {
  using Value = float;
  using Bits = uint32_t;
  static constexpr FpFormat kFormat = kBinary32;
};
template <>
struct FpType<8> {
  using Value = double;
  using Bits = uint64_t;
  static constexpr FpFormat kFormat = kBinary64;
};

/// The kBytes-wide value of a register: a float that is not NaN-boxed reads as the canonical NaN.
template <unsigned kBytes>
STROBE_INLINE uint64_t unbox(uint64_t reg) {
  if constexpr (kBytes == 8) return reg;
  return (reg >> 32) == 0xffffffffu ? (reg & 0xffffffffu) : kBinary32.canonical_nan();
}

template <unsigned kBytes>
STROBE_INLINE uint64_t box(uint64_t bits) {
  if constexpr (kBytes == 8) return bits;
  return bits | 0xffffffff00000000u;
}

template <unsigned kBytes>
STROBE_INLINE typename FpType<kBytes>::Value to_host(uint64_t bits) {
  const auto raw = static_cast<typename FpType<kBytes>::Bits>(bits);
  typename FpType<kBytes>::Value value;
  std::memcpy(&value, &raw, sizeof value);
  return value;
}

template <unsigned kBytes>
STROBE_INLINE uint64_t from_host(typename FpType<kBytes>::Value value) {
  typename FpType<kBytes>::Bits raw;
  std::memcpy(&raw, &value, sizeof raw);
  return raw;
}

/// A host result with the host's NaN replaced by the canonical one.
template <unsigned kBytes>
STROBE_INLINE uint64_t canonical(typename FpType<kBytes>::Value value) {
  const uint64_t bits = from_host<kBytes>(value);
  return FpType<kBytes>::kFormat.is_nan(bits) ? FpType<kBytes>::kFormat.canonical_nan() : bits;
}

template <unsigned kBytes>
STROBE_INLINE uint64_t classify_fp(uint64_t bits) {
  constexpr FpFormat kFormat = FpType<kBytes>::kFormat;
  const bool negative = (bits & kFormat.sign_mask()) != 0;
  const uint64_t magnitude = bits & ~kFormat.sign_mask();
  if (kFormat.is_nan(bits)) return kFormat.is_signaling(bits) ? 1u << 8 : 1u << 9;
  if (magnitude == kFormat.infinity()) return negative ? 1u << 0 : 1u << 7;
  if (magnitude == 0) return negative ? 1u << 3 : 1u << 4;
  if (magnitude <= kFormat.fraction_mask()) return negative ? 1u << 2 : 1u << 5;
  return negative ? 1u << 1 : 1u << 6;
}

/// minimumNumber and maximumNumber of IEEE 754-2019, in which -0 is less than +0.
template <bool kMaximum, unsigned kBytes>
STROBE_INLINE uint64_t min_max(uint64_t a, uint64_t b, uint32_t& flags) {
  constexpr FpFormat kFormat = FpType<kBytes>::kFormat;
  if (kFormat.is_nan(a) || kFormat.is_nan(b)) {
    if (kFormat.is_signaling(a) || kFormat.is_signaling(b)) flags |= kInvalid;
    if (!kFormat.is_nan(a)) return a;
    return kFormat.is_nan(b) ? kFormat.canonical_nan() : b;
  }
  // Maps sign and magnitude to unsigned numbers in the same order.
  const auto order = [sign = kFormat.sign_mask()](uint64_t v) {
    return v & sign ? sign - (v & ~sign) - 1 : v | sign;
  };
  const bool a_first = order(a) < order(b);
  return a_first != kMaximum ? a : b;
}

template <Operation kOperation, unsigned kBytes>
STROBE_INLINE uint64_t compare_fp(uint64_t a, uint64_t b, uint32_t& flags) {
  constexpr FpFormat kFormat = FpType<kBytes>::kFormat;
  if (kFormat.is_nan(a) || kFormat.is_nan(b)) {
    // feq is quiet, flt and fle are signaling comparisons.
    if (kOperation != Operation::kFpEqual || kFormat.is_signaling(a) || kFormat.is_signaling(b)) {
      flags |= kInvalid;
    }
    return 0;
  }
  const auto x = to_host<kBytes>(a), y = to_host<kBytes>(b);
  if constexpr (kOperation == Operation::kFpEqual) return x == y;
  if constexpr (kOperation == Operation::kFpLess) return x < y;
  return x <= y;
}

template <unsigned kBytes>
STROBE_INLINE uint64_t to_integer(Operation operation, uint64_t bits, Rounding rounding,
                                  uint32_t& flags) {
  const bool is_signed = operation == Operation::kToInt32 || operation == Operation::kToInt64;
  const bool is_32 = operation == Operation::kToInt32 || operation == Operation::kToUint32;
  if (rounding == Rounding::kZero) {
    // Strictly inside the target's range the host truncates in the same way and raises inexact in
    // the same cases. A NaN compares false. The comparison may then raise invalid, which is right,
    // because the conversion raises it too.
    const double low = !is_signed ? -1.0 : is_32 ? -2147483649.0 : -9223372036854775808.0;
    const double high = is_32 ? (is_signed ? 2147483648.0 : 4294967296.0) : 9223372036854775808.0;
    const double value = static_cast<double>(to_host<kBytes>(bits));
    if (value > low && value < high) {
      const int64_t integer = static_cast<int64_t>(value);
      return is_32 ? narrow<4>(static_cast<uint64_t>(integer)) : static_cast<uint64_t>(integer);
    }
  }
  return fp_exact::to_integer(FpType<kBytes>::kFormat, bits, is_32 ? 32 : 64, is_signed, rounding,
                              flags);
}

template <unsigned kBytes>
STROBE_INLINE uint64_t from_integer(Operation operation, uint64_t x, Rounding rounding,
                                    uint32_t& flags) {
  if (operation == Operation::kFromInt32) x = narrow<4>(x);
  if (operation == Operation::kFromUint32) x = static_cast<uint32_t>(x);
  const bool negative = operation != Operation::kFromUint64 && (x >> 63) != 0;
  const bool huge = operation == Operation::kFromUint64 && (x >> 63) != 0;
  if (rounding == Rounding::kNearestEven && !huge) {
    return from_host<kBytes>(static_cast<typename FpType<kBytes>::Value>(static_cast<int64_t>(x)));
  }
  return fp_exact::from_integer(FpType<kBytes>::kFormat, negative, negative ? uint64_t{0} - x : x,
                                rounding, flags);
}

/// Sum, difference, product, quotient, square root and the four fused operations, on unboxed
/// operands.
template <Operation kOperation, unsigned kBytes>
STROBE_INLINE uint64_t arithmetic(uint64_t a, uint64_t b, uint64_t c, Rounding rounding,
                                  uint32_t& flags) {
  constexpr FpFormat kFormat = FpType<kBytes>::kFormat;
  const bool on_host = rounding == Rounding::kNearestEven;
  const auto x = to_host<kBytes>(a), y = to_host<kBytes>(b);
  if constexpr (kOperation == Operation::kFpAdd) {
    return on_host ? canonical<kBytes>(x + y) : fp_exact::add(kFormat, a, b, rounding, flags);
  }
  if constexpr (kOperation == Operation::kFpSub) {
    if (on_host) return canonical<kBytes>(x - y);
    // A NaN stays a NaN when its sign flips, so the subtrahend can be negated.
    return fp_exact::add(kFormat, a, b ^ kFormat.sign_mask(), rounding, flags);
  }
  if constexpr (kOperation == Operation::kFpMul) {
    return on_host ? canonical<kBytes>(x * y) : fp_exact::mul(kFormat, a, b, rounding, flags);
  }
  if constexpr (kOperation == Operation::kFpDiv) {
    return on_host ? canonical<kBytes>(x / y) : fp_exact::div(kFormat, a, b, rounding, flags);
  }
  if constexpr (kOperation == Operation::kSqrt) {
    return on_host ? canonical<kBytes>(std::sqrt(x)) : fp_exact::sqrt(kFormat, a, rounding, flags);
  }
  if constexpr (kOperation == Operation::kMultiplySub ||
                kOperation == Operation::kNegativeMultiplyAdd) {
    c ^= kFormat.sign_mask();
  }
  if constexpr (kOperation == Operation::kNegativeMultiplySub ||
                kOperation == Operation::kNegativeMultiplyAdd) {
    a ^= kFormat.sign_mask();
  }
  if (on_host) {
    const uint64_t bits = from_host<kBytes>(std::fma(to_host<kBytes>(a), y, to_host<kBytes>(c)));
    // inf * 0 + qNaN is invalid on RISC-V and need not be on the host, so NaN results are computed
    // below.
    if (!kFormat.is_nan(bits)) return bits;
  }
  return fp_exact::fma(kFormat, a, b, c, rounding, flags);
}

}  // namespace strobe::isa
