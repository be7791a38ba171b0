// What an instruction does beside writing its register, which decides where it may be moved.
#pragma once

#include "sc_models/isa/decode/op.h"
#include "sw/optimize/schedule/region.h"

namespace strobe::optimize {

inline isa::Kind kind_of(const Operation& operation) {
  return isa::info(static_cast<isa::Op>(operation.insn.op)).kind;
}

inline bool is_load(const Operation& operation) {
  const isa::Kind kind = kind_of(operation);
  return kind == isa::Kind::kLoad || kind == isa::Kind::kFpLoad;
}

inline bool is_store(const Operation& operation) {
  const isa::Kind kind = kind_of(operation);
  return kind == isa::Kind::kStore || kind == isa::Kind::kFpStore;
}

/// Nothing is moved across it: a call, an atomic, a fence, a CSR access, a system call, or bytes
/// that are no instruction.
inline bool is_barrier(const Operation& operation) {
  switch (kind_of(operation)) {
    case isa::Kind::kAtomic:
    case isa::Kind::kFence:
    case isa::Kind::kSystem:
    case isa::Kind::kIllegal:
      return true;
    default:
      return operation.flow != object::Flow::kNext && operation.flow != object::Flow::kBranch;
  }
}

/// It may set a bit of fflags, which another path could read.
inline bool sets_fflags(const Operation& operation) {
  if (kind_of(operation) != isa::Kind::kFp) return false;
  switch (isa::info(static_cast<isa::Op>(operation.insn.op)).operation) {
    case isa::Operation::kSign:
    case isa::Operation::kSignNegate:
    case isa::Operation::kSignXor:
    case isa::Operation::kClass:
    case isa::Operation::kMoveToX:
    case isa::Operation::kMoveFromX:
      return false;
    default:
      return true;
  }
}

/// Both as sets of bits: the timing model's numbers, without x0.
Registers reads(const Operation& operation);
Registers writes(const Operation& operation);

}  // namespace strobe::optimize
