#include "sc_models/isa/arithmetic/fp_exact.h"

namespace strobe::isa::fp_exact {
namespace {

__extension__ using Wide = unsigned __int128;

// A finite number as (-1)^negative * significand * 2^exponent. The lowest bit may be sticky: it is
// set when bits below it were lost. All callers keep at least two bits between it and the last bit
// of the result.
struct Exact {
  bool negative = false;
  int exponent = 0;
  Wide significand = 0;
};

enum class Class : uint8_t { kZero, kFinite, kInfinite, kNan };

struct Number {
  Class kind = Class::kZero;
  Exact value;
};

int top_bit(Wide v) {
  const uint64_t high = static_cast<uint64_t>(v >> 64);
  if (high != 0) return 127 - __builtin_clzll(high);
  return 63 - __builtin_clzll(static_cast<uint64_t>(v));
}

Number unpack(const FpFormat& f, uint64_t bits) {
  Number n;
  n.value.negative = (bits & f.sign_mask()) != 0;
  const uint64_t exponent = bits >> f.fraction_bits & f.exponent_max();
  const uint64_t fraction = bits & f.fraction_mask();
  if (exponent == f.exponent_max()) {
    n.kind = fraction == 0 ? Class::kInfinite : Class::kNan;
    return n;
  }
  if (exponent == 0 && fraction == 0) return n;
  n.kind = Class::kFinite;
  n.value.significand = exponent == 0 ? fraction : fraction | uint64_t{1} << f.fraction_bits;
  n.value.exponent = (exponent == 0 ? 1 : static_cast<int>(exponent)) - f.bias() -
                     static_cast<int>(f.fraction_bits);
  return n;
}

uint64_t signed_bits(const FpFormat& f, bool negative, uint64_t magnitude) {
  return negative ? magnitude | f.sign_mask() : magnitude;
}

// v * 2^-shift as an integer, rounded as `rounding` says. `inexact` tells whether bits were lost.
Wide round_shift(Wide v, int shift, bool negative, Rounding rounding, bool& inexact) {
  inexact = false;
  if (shift <= 0) return v << -shift;
  Wide kept = 0, rest = 0, half = 0;
  if (shift <= 127) {
    kept = v >> shift;
    rest = v & ((Wide{1} << shift) - 1);
    half = Wide{1} << (shift - 1);
  } else {  // v is less than half a unit of the result: v < 2^126
    rest = v;
    half = ~Wide{0};
  }
  inexact = rest != 0;
  bool up = false;
  switch (rounding) {
    case Rounding::kNearestEven:
      up = rest > half || (rest == half && (kept & 1) != 0);
      break;
    case Rounding::kNearestMax:
      up = rest >= half;
      break;
    case Rounding::kZero:
      break;
    case Rounding::kDown:
      up = negative && inexact;
      break;
    case Rounding::kUp:
      up = !negative && inexact;
      break;
  }
  return kept + (up ? 1 : 0);
}

uint64_t overflow(const FpFormat& f, bool negative, Rounding rounding, uint32_t& flags) {
  flags |= kOverflow | kInexact;
  const bool to_infinity = rounding == Rounding::kNearestEven ||
                           rounding == Rounding::kNearestMax ||
                           rounding == (negative ? Rounding::kDown : Rounding::kUp);
  return signed_bits(f, negative, to_infinity ? f.infinity() : f.infinity() - 1);
}

// Rounds a nonzero exact value to the format. Tininess is detected after rounding, as RISC-V
// requires: the value is tiny when the result of rounding to full precision with an unbounded
// exponent is below the smallest normal number.
uint64_t round_pack(const FpFormat& f, const Exact& v, Rounding rounding, uint32_t& flags) {
  const int fraction_bits = static_cast<int>(f.fraction_bits);
  const int min_exponent = 1 - f.bias();
  const int exponent = v.exponent + top_bit(v.significand);
  const bool subnormal = exponent < min_exponent;
  const int unit = (subnormal ? min_exponent : exponent) - fraction_bits;
  bool inexact = false;
  const Wide rounded = round_shift(v.significand, unit - v.exponent, v.negative, rounding, inexact);
  if (subnormal && inexact) {
    bool ignored = false;
    const Wide full = round_shift(v.significand, exponent - fraction_bits - v.exponent, v.negative,
                                  rounding, ignored);
    const bool reaches_normal = exponent == min_exponent - 1 && (full >> (fraction_bits + 1)) != 0;
    if (!reaches_normal) flags |= kUnderflow;
  }
  if (inexact) flags |= kInexact;
  // The hidden bit adds into the exponent field, and so does a carry out of the significand.
  const uint64_t field =
      subnormal ? 0 : static_cast<uint64_t>(exponent - min_exponent) << f.fraction_bits;
  if (exponent > f.bias()) return overflow(f, v.negative, rounding, flags);
  const uint64_t magnitude = field + static_cast<uint64_t>(rounded);
  if (magnitude >= f.infinity()) return overflow(f, v.negative, rounding, flags);
  return signed_bits(f, v.negative, magnitude);
}

uint64_t nan_result(const FpFormat& f, bool invalid, uint32_t& flags) {
  if (invalid) flags |= kInvalid;
  return f.canonical_nan();
}

Wide shift_right_sticky(Wide v, int shift) {
  if (shift == 0) return v;
  if (shift > 127) return v != 0 ? 1 : 0;
  const bool lost = (v & ((Wide{1} << shift) - 1)) != 0;
  return v >> shift | (lost ? 1 : 0);
}

Exact normalize(Exact v) {
  const int shift = 125 - top_bit(v.significand);
  v.significand <<= shift;
  v.exponent -= shift;
  return v;
}

// The sum of two finite nonzero values. Both are shifted so that their top bit is bit 125; the
// smaller is then shifted right with a sticky bit. A significand has at most 106 bits, so 20 bits
// below it are zero. Bits are lost only when the exponents differ by more than 20. The sum then
// cancels by at most one bit, which leaves the sticky bit far below the last place of any format. A
// significand of 0 is an exact zero.
Exact sum(Exact a, Exact b) {
  a = normalize(a);
  b = normalize(b);
  if (a.exponent < b.exponent || (a.exponent == b.exponent && a.significand < b.significand)) {
    const Exact t = a;
    a = b;
    b = t;
  }
  const Wide small = shift_right_sticky(b.significand, a.exponent - b.exponent);
  if (a.negative == b.negative) {
    a.significand += small;
  } else {
    a.significand -= small;
  }
  return a;
}

uint64_t zero_sum(const FpFormat& f, Rounding rounding) {
  return signed_bits(f, rounding == Rounding::kDown, 0);
}

// a + b, where a is a product or an operand. Zeros and infinities have the signs of IEEE 754
// section 6.3.
uint64_t add_numbers(const FpFormat& f, const Number& a, const Number& b, Rounding rounding,
                     uint32_t& flags) {
  if (a.kind == Class::kInfinite || b.kind == Class::kInfinite) {
    const bool both = a.kind == b.kind;
    if (both && a.value.negative != b.value.negative) return nan_result(f, true, flags);
    const Number& inf = a.kind == Class::kInfinite ? a : b;
    return signed_bits(f, inf.value.negative, f.infinity());
  }
  if (a.kind == Class::kZero && b.kind == Class::kZero) {
    if (a.value.negative == b.value.negative) return signed_bits(f, a.value.negative, 0);
    return zero_sum(f, rounding);
  }
  if (a.kind == Class::kZero) return round_pack(f, b.value, rounding, flags);
  if (b.kind == Class::kZero) return round_pack(f, a.value, rounding, flags);
  const Exact s = sum(a.value, b.value);
  if (s.significand == 0) return zero_sum(f, rounding);
  return round_pack(f, s, rounding, flags);
}

// The exact product; kNan for infinity times zero.
Number product(const Number& a, const Number& b) {
  Number p;
  p.value.negative = a.value.negative != b.value.negative;
  if (a.kind == Class::kInfinite || b.kind == Class::kInfinite) {
    p.kind = a.kind == Class::kZero || b.kind == Class::kZero ? Class::kNan : Class::kInfinite;
  } else if (a.kind == Class::kFinite && b.kind == Class::kFinite) {
    p.kind = Class::kFinite;
    p.value.exponent = a.value.exponent + b.value.exponent;
    p.value.significand = a.value.significand * b.value.significand;
  }
  return p;
}

}  // namespace

uint64_t add(const FpFormat& f, uint64_t a, uint64_t b, Rounding rounding, uint32_t& flags) {
  if (f.is_nan(a) || f.is_nan(b)) {
    return nan_result(f, f.is_signaling(a) || f.is_signaling(b), flags);
  }
  return add_numbers(f, unpack(f, a), unpack(f, b), rounding, flags);
}

uint64_t mul(const FpFormat& f, uint64_t a, uint64_t b, Rounding rounding, uint32_t& flags) {
  if (f.is_nan(a) || f.is_nan(b)) {
    return nan_result(f, f.is_signaling(a) || f.is_signaling(b), flags);
  }
  const Number p = product(unpack(f, a), unpack(f, b));
  switch (p.kind) {
    case Class::kNan:
      return nan_result(f, true, flags);
    case Class::kInfinite:
      return signed_bits(f, p.value.negative, f.infinity());
    case Class::kZero:
      return signed_bits(f, p.value.negative, 0);
    case Class::kFinite:
      break;
  }
  return round_pack(f, p.value, rounding, flags);
}

uint64_t fma(const FpFormat& f, uint64_t a, uint64_t b, uint64_t c, Rounding rounding,
             uint32_t& flags) {
  const bool signaling = f.is_signaling(a) || f.is_signaling(b) || f.is_signaling(c);
  if (f.is_nan(a) || f.is_nan(b)) return nan_result(f, signaling, flags);
  const Number p = product(unpack(f, a), unpack(f, b));
  if (p.kind == Class::kNan) return nan_result(f, true, flags);
  if (f.is_nan(c)) return nan_result(f, signaling, flags);
  return add_numbers(f, p, unpack(f, c), rounding, flags);
}

uint64_t div(const FpFormat& f, uint64_t a, uint64_t b, Rounding rounding, uint32_t& flags) {
  if (f.is_nan(a) || f.is_nan(b)) {
    return nan_result(f, f.is_signaling(a) || f.is_signaling(b), flags);
  }
  const Number x = unpack(f, a), y = unpack(f, b);
  const bool negative = x.value.negative != y.value.negative;
  if (x.kind == y.kind && x.kind != Class::kFinite) return nan_result(f, true, flags);
  if (x.kind == Class::kInfinite) return signed_bits(f, negative, f.infinity());
  if (x.kind == Class::kZero || y.kind == Class::kInfinite) return signed_bits(f, negative, 0);
  if (y.value.significand == 0) {  // zero: infinity and NaN are handled above
    flags |= kDivideByZero;
    return signed_bits(f, negative, f.infinity());
  }
  // The dividend's top bit is bit 125 and the divisor has at most 53 bits, so the quotient has 72
  // bits or more.
  const Exact dividend = normalize(x.value);
  Exact q;
  q.negative = negative;
  q.exponent = dividend.exponent - y.value.exponent;
  q.significand = dividend.significand / y.value.significand;
  if (q.significand * y.value.significand != dividend.significand) q.significand |= 1;
  return round_pack(f, q, rounding, flags);
}

uint64_t sqrt(const FpFormat& f, uint64_t a, Rounding rounding, uint32_t& flags) {
  if (f.is_nan(a)) return nan_result(f, f.is_signaling(a), flags);
  const Number x = unpack(f, a);
  if (x.kind == Class::kZero) return a;
  if (x.value.negative) return nan_result(f, true, flags);
  if (x.kind == Class::kInfinite) return a;
  // An even exponent and a radicand of 125 or 126 bits give a root of 63 bits, one bit per step.
  Exact v = normalize(x.value);
  if (v.exponent % 2 != 0) {
    v.significand >>= 1;  // exact: at least 70 low bits are zero
    v.exponent += 1;
  }
  Wide rest = v.significand, root = 0;
  for (Wide bit = Wide{1} << 124; bit != 0; bit >>= 2) {
    if (rest >= root + bit) {
      rest -= root + bit;
      root = (root >> 1) + bit;
    } else {
      root >>= 1;
    }
  }
  // A guard bit and the sticky bit follow the 63 bits of the root.
  v.significand = root << 2 | (rest != 0 ? 1 : 0);
  v.exponent = v.exponent / 2 - 2;
  return round_pack(f, v, rounding, flags);
}

uint64_t convert(const FpFormat& from, const FpFormat& to, uint64_t a, Rounding rounding,
                 uint32_t& flags) {
  if (from.is_nan(a)) return nan_result(to, from.is_signaling(a), flags);
  const Number x = unpack(from, a);
  if (x.kind == Class::kInfinite) return signed_bits(to, x.value.negative, to.infinity());
  if (x.kind == Class::kZero) return signed_bits(to, x.value.negative, 0);
  return round_pack(to, x.value, rounding, flags);
}

uint64_t from_integer(const FpFormat& f, bool negative, uint64_t magnitude, Rounding rounding,
                      uint32_t& flags) {
  if (magnitude == 0) return 0;
  Exact v;
  v.negative = negative;
  v.significand = magnitude;
  return round_pack(f, v, rounding, flags);
}

uint64_t to_integer(const FpFormat& f, uint64_t a, unsigned width, bool is_signed,
                    Rounding rounding, uint32_t& flags) {
  const uint64_t all = width == 64 ? ~uint64_t{0} : 0xffffffffu;
  const uint64_t highest = is_signed ? all >> 1 : all;
  const uint64_t lowest = is_signed ? (all >> 1) + 1 : 0;  // magnitude of the least value
  const auto result = [&](uint64_t value) {
    return width == 32 ? static_cast<uint64_t>(static_cast<int64_t>(
                             static_cast<int32_t>(static_cast<uint32_t>(value))))
                       : value;
  };
  const Number x = unpack(f, a);
  const bool negative = x.kind != Class::kNan && x.value.negative;
  Wide magnitude = 0;
  bool inexact = false;
  if (x.kind == Class::kFinite) {
    const int shift = -x.value.exponent;
    const bool huge = x.value.exponent + top_bit(x.value.significand) > 64;
    magnitude =
        huge ? Wide{1} << 65 : round_shift(x.value.significand, shift, negative, rounding, inexact);
  } else if (x.kind != Class::kZero) {
    magnitude = Wide{1} << 65;
  }
  if (magnitude > (negative ? lowest : highest)) {
    flags |= kInvalid;
    return result(negative ? uint64_t{0} - lowest : highest);
  }
  if (inexact) flags |= kInexact;
  const uint64_t value = static_cast<uint64_t>(magnitude);
  return result(negative ? uint64_t{0} - value : value);
}

}  // namespace strobe::isa::fp_exact
