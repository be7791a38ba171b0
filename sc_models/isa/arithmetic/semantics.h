// The semantics of every instruction, in one place. The interpreters instantiate
// execute<kOp>(context, insn): the block interpreter (run_blocks.h) and the stepping one (step.cpp,
// step_run.cpp).
//
// A context supplies registers, memory and control:
//   x(r), write_x(r, v), f(r), write_f(r, v)          registers; r may be 0 in write_x(r, v) only
//                                                     where insn.rd may be
//   load<bytes>(address, value)                       memory accesses
//   store<bytes>(address, value)
//   atomic<bytes>(address, access)                    host pointer of a naturally aligned location
//   note_read(value), note_write(value)               what an atomic has read and written
//   fp_write_ready(), fp_read_ready()                 whether mstatus.FS allows it
//   rounding(insn, rounding), raise(flags)            floating-point rounding mode and flags
//   pc(insn), branch(insn, taken), jump(target)       control
//   reservation(), system(op, insn)                   the LR reservation, SYSTEM instructions
//
// Members that return bool return false when the instruction cannot go on. execute() then returns
// false without an architectural effect. The context knows the reason: a trap, or a case that it
// leaves to the other interpreter.
#pragma once

#include "sc_models/isa/arithmetic/semantics_fp.h"
#include "sc_models/isa/arithmetic/semantics_integer.h"

namespace strobe::isa {

enum class AtomicAccess : uint8_t { kLoadReserved, kStoreConditional, kReadModifyWrite };

template <Op kOp, class Context, class Insn>
STROBE_INLINE bool execute_atomic(Context& c, const Insn& i) {
  constexpr OpInfo kInfo = info(kOp);
  constexpr AtomicAccess kAccess =
      kInfo.operation == Operation::kLoadReserved       ? AtomicAccess::kLoadReserved
      : kInfo.operation == Operation::kStoreConditional ? AtomicAccess::kStoreConditional
                                                        : AtomicAccess::kReadModifyWrite;
  const uint64_t address = c.x(i.rs1);
  uint8_t* host = c.template atomic<kInfo.bytes>(address, kAccess);
  if (host == nullptr) return false;
  typename FpType<kInfo.bytes>::Bits raw;
  const uint64_t source = c.x(i.rs2);
  if constexpr (kAccess == AtomicAccess::kStoreConditional) {
    const bool success = c.reservation() == address;
    c.reservation() = ~uint64_t{0};
    if (success) {
      raw = static_cast<decltype(raw)>(source);
      std::memcpy(host, &raw, sizeof raw);
      c.note_write(raw);
    }
    c.write_x(i.rd, success ? 0 : 1);
  } else {
    std::memcpy(&raw, host, sizeof raw);
    c.note_read(raw);
    const uint64_t old = extend_loaded<true, kInfo.bytes>(raw);
    if constexpr (kAccess == AtomicAccess::kLoadReserved) {
      c.reservation() = address;
    } else {
      raw = static_cast<decltype(raw)>(
          integer_result<kInfo.operation, kInfo.bytes>(old, narrow<kInfo.bytes>(source)));
      std::memcpy(host, &raw, sizeof raw);
      c.note_write(raw);
    }
    c.write_x(i.rd, old);
  }
  return true;
}

template <Op kOp, class Context, class Insn>
STROBE_INLINE bool execute_fp(Context& c, const Insn& i) {
  constexpr OpInfo kInfo = info(kOp);
  constexpr Operation kOperation = kInfo.operation;
  constexpr unsigned kBytes = kInfo.bytes;
  constexpr FpFormat kFormat = FpType<kBytes>::kFormat;
  Rounding rounding = Rounding::kNearestEven;
  if (!c.fp_write_ready()) return false;
  if constexpr (kInfo.has_rounding_mode()) {
    if (!c.rounding(i, rounding)) return false;
  }
  uint32_t flags = 0;
  const uint64_t a = unbox<kBytes>(c.f(i.rs1));
  const uint64_t b = unbox<kBytes>(c.f(i.rs2));
  uint64_t result = 0;
  if constexpr (kOperation == Operation::kMoveToX) {
    result =
        extend_loaded<true, kBytes>(kBytes == 4 ? static_cast<uint32_t>(c.f(i.rs1)) : c.f(i.rs1));
  } else if constexpr (kOperation == Operation::kMoveFromX) {
    result = kBytes == 4 ? static_cast<uint32_t>(c.x(i.rs1)) : c.x(i.rs1);
  } else if constexpr (kOperation == Operation::kSign) {
    result = (a & ~kFormat.sign_mask()) | (b & kFormat.sign_mask());
  } else if constexpr (kOperation == Operation::kSignNegate) {
    result = (a & ~kFormat.sign_mask()) | (~b & kFormat.sign_mask());
  } else if constexpr (kOperation == Operation::kSignXor) {
    result = a ^ (b & kFormat.sign_mask());
  } else if constexpr (kOperation == Operation::kFpMin) {
    result = min_max<false, kBytes>(a, b, flags);
  } else if constexpr (kOperation == Operation::kFpMax) {
    result = min_max<true, kBytes>(a, b, flags);
  } else if constexpr (kOperation == Operation::kFpEqual || kOperation == Operation::kFpLess ||
                       kOperation == Operation::kFpLessEqual) {
    result = compare_fp<kOperation, kBytes>(a, b, flags);
  } else if constexpr (kOperation == Operation::kClass) {
    result = classify_fp<kBytes>(a);
  } else if constexpr (kOperation == Operation::kFromFloat) {
    result = canonical<8>(static_cast<double>(to_host<4>(unbox<4>(c.f(i.rs1)))));  // always exact
  } else if constexpr (kOperation == Operation::kFromDouble) {
    const uint64_t wide = c.f(i.rs1);
    result = rounding == Rounding::kNearestEven
                 ? canonical<4>(static_cast<float>(to_host<8>(wide)))
                 : fp_exact::convert(kBinary64, kBinary32, wide, rounding, flags);
  } else if constexpr (kOperation >= Operation::kToInt32 && kOperation <= Operation::kToUint64) {
    result = to_integer<kBytes>(kOperation, a, rounding, flags);
  } else if constexpr (kOperation >= Operation::kFromInt32 &&
                       kOperation <= Operation::kFromUint64) {
    result = from_integer<kBytes>(kOperation, c.x(i.rs1), rounding, flags);
  } else {
    const uint64_t third = kInfo.operands[3] == 'f' ? unbox<kBytes>(c.f(i.rs3)) : 0;
    result = arithmetic<kOperation, kBytes>(a, b, third, rounding, flags);
  }
  if (flags != 0) c.raise(flags);
  if constexpr (kInfo.operands[0] == 'f') {
    c.write_f(i.rd, box<kBytes>(result));
  } else {
    c.write_x(i.rd, result);
  }
  return true;
}

template <Op kOp, class Context, class Insn>
STROBE_INLINE bool execute_memory(Context& c, const Insn& i) {
  constexpr OpInfo kInfo = info(kOp);
  constexpr unsigned kBytes = kInfo.bytes;
  const uint64_t address = c.x(i.rs1) + static_cast<uint64_t>(static_cast<int64_t>(i.imm));
  uint64_t value = 0;
  if constexpr (kInfo.kind == Kind::kLoad) {
    if (!c.template load<kBytes>(address, value)) return false;
    c.write_x(i.rd, extend_loaded<kInfo.operation == Operation::kSigned, kBytes>(value));
  } else if constexpr (kInfo.kind == Kind::kStore) {
    return c.template store<kBytes>(address, c.x(i.rs2));
  } else if constexpr (kInfo.kind == Kind::kFpLoad) {
    if (!c.fp_write_ready() || !c.template load<kBytes>(address, value)) return false;
    c.write_f(i.rd, box<kBytes>(value));
  } else {
    return c.fp_read_ready() && c.template store<kBytes>(address, c.f(i.rs2));
  }
  return true;
}

template <Op kOp, class Context, class Insn>
STROBE_INLINE bool execute(Context& c, const Insn& i) {
  constexpr OpInfo kInfo = info(kOp);
  const uint64_t immediate = static_cast<uint64_t>(static_cast<int64_t>(i.imm));
  if constexpr (kInfo.kind == Kind::kAlu) {
    const uint64_t b = kInfo.has_rs2() ? c.x(i.rs2) : immediate;
    c.write_x(i.rd, integer_result<kInfo.operation, kInfo.bytes>(c.x(i.rs1), b));
    return true;
  } else if constexpr (kInfo.kind == Kind::kUpper) {
    c.write_x(i.rd, kInfo.operation == Operation::kLui ? immediate : c.pc(i) + immediate);
    return true;
  } else if constexpr (kInfo.kind == Kind::kBranch) {
    c.branch(i, branch_taken<kInfo.operation>(c.x(i.rs1), c.x(i.rs2)));
    return true;
  } else if constexpr (kInfo.kind == Kind::kJump) {
    const uint64_t base = kInfo.operation == Operation::kJal ? c.pc(i) : c.x(i.rs1);
    c.write_x(i.rd, c.pc(i) + i.length);
    c.jump((base + immediate) & ~uint64_t{1});
    return true;
  } else if constexpr (kInfo.kind == Kind::kLoad || kInfo.kind == Kind::kStore ||
                       kInfo.kind == Kind::kFpLoad || kInfo.kind == Kind::kFpStore) {
    return execute_memory<kOp>(c, i);
  } else if constexpr (kInfo.kind == Kind::kAtomic) {
    return execute_atomic<kOp>(c, i);
  } else if constexpr (kInfo.kind == Kind::kFp) {
    return execute_fp<kOp>(c, i);
  } else if constexpr (kInfo.kind == Kind::kFence) {
    return true;  // execution is in program order; step() has waited for the stores
  } else {
    return c.system(kOp, i);
  }
}

}  // namespace strobe::isa
