// What the integer instructions compute, as functions of their operands: one definition for
// register and immediate forms, 32-bit and 64-bit widths and the read-modify-write of atomics.
#pragma once

#include <cstdint>

#include "sc_models/isa/decode/op.h"

namespace strobe::isa {

__extension__ using Int128 = __int128;
__extension__ using Uint128 = unsigned __int128;

#define STROBE_INLINE __attribute__((always_inline)) inline

/// Sign-extends a 32-bit result, as the W instructions do. A 64-bit result is returned unchanged.
template <unsigned kBytes>
STROBE_INLINE uint64_t narrow(uint64_t value) {
  if constexpr (kBytes == 8) return value;
  return static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(value)));
}

template <Operation kOperation, unsigned kBytes>
STROBE_INLINE uint64_t divide(uint64_t a, uint64_t b) {
  // The operands are already extended to 64 bits according to the operation's signedness. The
  // 32-bit forms need no cases of their own, because INT32_MIN / -1 does not overflow 64 bits.
  const int64_t sa = static_cast<int64_t>(a), sb = static_cast<int64_t>(b);
  constexpr bool kWantsQuotient =
      kOperation == Operation::kDiv || kOperation == Operation::kDivUnsigned;
  if (b == 0) return kWantsQuotient ? ~uint64_t{0} : a;
  if constexpr (kOperation == Operation::kDivUnsigned) return a / b;
  if constexpr (kOperation == Operation::kRemUnsigned) return a % b;
  if (sb == -1) return kWantsQuotient ? uint64_t{0} - a : 0;
  return static_cast<uint64_t>(kWantsQuotient ? sa / sb : sa % sb);
}

/// The value of an ALU, multiply, divide or AMO operation on two operands of kBytes.
template <Operation kOperation, unsigned kBytes>
STROBE_INLINE uint64_t integer_result(uint64_t a, uint64_t b) {
  constexpr unsigned kShiftMask = kBytes * 8 - 1;
  const int64_t sa = static_cast<int64_t>(a), sb = static_cast<int64_t>(b);
  if constexpr (kOperation == Operation::kAdd) return narrow<kBytes>(a + b);
  if constexpr (kOperation == Operation::kSub) return narrow<kBytes>(a - b);
  if constexpr (kOperation == Operation::kShiftLeft) return narrow<kBytes>(a << (b & kShiftMask));
  if constexpr (kOperation == Operation::kShiftRight) {
    if constexpr (kBytes == 4) a = static_cast<uint32_t>(a);
    return narrow<kBytes>(a >> (b & kShiftMask));
  }
  if constexpr (kOperation == Operation::kShiftRightArithmetic) {
    return static_cast<uint64_t>(static_cast<int64_t>(narrow<kBytes>(a)) >> (b & kShiftMask));
  }
  if constexpr (kOperation == Operation::kLess) return sa < sb;
  if constexpr (kOperation == Operation::kLessUnsigned) return a < b;
  if constexpr (kOperation == Operation::kXor) return a ^ b;
  if constexpr (kOperation == Operation::kOr) return a | b;
  if constexpr (kOperation == Operation::kAnd) return a & b;
  if constexpr (kOperation == Operation::kMul) return narrow<kBytes>(a * b);
  if constexpr (kOperation == Operation::kMulHigh) {
    return static_cast<uint64_t>((static_cast<Int128>(sa) * sb) >> 64);
  }
  if constexpr (kOperation == Operation::kMulHighSignedUnsigned) {
    return static_cast<uint64_t>((static_cast<Int128>(sa) * static_cast<Int128>(b)) >> 64);
  }
  if constexpr (kOperation == Operation::kMulHighUnsigned) {
    return static_cast<uint64_t>((static_cast<Uint128>(a) * b) >> 64);
  }
  if constexpr (kOperation == Operation::kDiv || kOperation == Operation::kRem) {
    return narrow<kBytes>(divide<kOperation, kBytes>(narrow<kBytes>(a), narrow<kBytes>(b)));
  }
  if constexpr (kOperation == Operation::kDivUnsigned || kOperation == Operation::kRemUnsigned) {
    if constexpr (kBytes == 4) {
      a = static_cast<uint32_t>(a);
      b = static_cast<uint32_t>(b);
    }
    return narrow<kBytes>(divide<kOperation, kBytes>(a, b));
  }
  if constexpr (kOperation == Operation::kSwap) return b;
  // The operands of atomics are sign-extended, which keeps the signed and the unsigned order.
  if constexpr (kOperation == Operation::kMin) return sa < sb ? a : b;
  if constexpr (kOperation == Operation::kMax) return sa < sb ? b : a;
  if constexpr (kOperation == Operation::kMinUnsigned) return a < b ? a : b;
  if constexpr (kOperation == Operation::kMaxUnsigned) return a < b ? b : a;
}

template <Operation kOperation>
STROBE_INLINE bool branch_taken(uint64_t a, uint64_t b) {
  const int64_t sa = static_cast<int64_t>(a), sb = static_cast<int64_t>(b);
  if constexpr (kOperation == Operation::kEqual) return a == b;
  if constexpr (kOperation == Operation::kNotEqual) return a != b;
  if constexpr (kOperation == Operation::kLess) return sa < sb;
  if constexpr (kOperation == Operation::kGreaterEqual) return sa >= sb;
  if constexpr (kOperation == Operation::kLessUnsigned) return a < b;
  if constexpr (kOperation == Operation::kGreaterEqualUnsigned) return a >= b;
}

/// The register value of a load whose memory value arrives zero-extended.
template <bool kIsSigned, unsigned kBytes>
STROBE_INLINE uint64_t extend_loaded(uint64_t value) {
  if constexpr (kBytes == 8 || !kIsSigned) return value;
  constexpr unsigned kShift = 64 - 8 * kBytes;
  return static_cast<uint64_t>(static_cast<int64_t>(value << kShift) >> kShift);
}

}  // namespace strobe::isa
