// The jump types of E-Trace (RISC-V Efficient Trace), by the link registers that a jump uses.
#pragma once

#include "sc_models/isa/decode/decoded.h"
#include "sc_models/isa/decode/op.h"
#include "sc_models/port/retire.h"

namespace strobe::isa {

constexpr bool is_link_register(unsigned reg) { return reg == 1 || reg == 5; }

inline IType direct_jump_type(const DecodedInsn& i) {
  if (is_link_register(i.rd)) return IType::kDirectCall;
  return i.rd == 0 ? IType::kDirectTailCall : IType::kOtherDirectJump;
}

inline IType indirect_jump_type(const DecodedInsn& i) {
  if (is_link_register(i.rd)) {
    return is_link_register(i.rs1) && i.rs1 != i.rd ? IType::kCoroutineSwap : IType::kIndirectCall;
  }
  if (is_link_register(i.rs1)) return IType::kReturn;
  return i.rd == 0 ? IType::kIndirectTailCall : IType::kOtherIndirectJump;
}

/// The type of the jump `i`, whose operation is `kOp`.
template <Op kOp>
IType jump_type(const DecodedInsn& i) {
  return kOp == Op::kJal ? direct_jump_type(i) : indirect_jump_type(i);
}

}  // namespace strobe::isa
