#include "sw/object/analysis/liveness.h"

#include "sc_models/isa/decode/jump_type.h"
#include "sc_models/isa/decode/op.h"

namespace strobe::object {
namespace {

Registers bit_of(uint8_t timing_register) {
  return timing_register < 64 ? Registers{1} << timing_register : 0;
}

bool is_ecall(const Instruction& instruction) {
  return static_cast<isa::Op>(instruction.insn.op) == isa::Op::kEcall;
}

/// A call that saves registers for its caller (-msave-restore) or follows no convention links in
/// t0.
bool follows_convention(const Instruction& call) { return call.insn.rd == 1; }

}  // namespace

Registers read_by(const Instruction& instruction) {
  Registers read = 0;
  for (const uint8_t source : instruction.insn.src) read |= bit_of(source);
  if (is_ecall(instruction)) read |= kArguments;
  return read & ~x(0);
}

Registers written_by(const Instruction& instruction) {
  Registers written = bit_of(instruction.insn.dst);
  if (is_ecall(instruction)) written |= x(10);
  return written & ~x(0);
}

Liveness::Liveness(const Code& code, const FlowGraph& graph, Registers changed,
                   const ChangedByCall& by_call)
    : first_(graph.blocks().front().first) {
  const std::vector<Instruction>& instructions = code.instructions();
  const std::vector<Block>& blocks = graph.blocks();
  before_.resize(blocks.back().last - first_ + 1);
  const Registers kept = kCalleeSaved | (kCallerSaved & ~changed);
  const auto at_exit = [&](const Block& block) -> Registers {
    if (block.splits) return kAll;
    switch (instructions[block.last].flow) {
      case Flow::kReturn:
        return kept | kResults;
      case Flow::kTailCall:
      case Flow::kIndirectJump:
        return kept | kArguments | kStaticChain | x(1);
      default:
        return kAll;  // into another part of the function, or to an end that is not known
    }
  };
  const auto step = [&](const Instruction& instruction, Registers live) -> Registers {
    if (instruction.flow == Flow::kCall || instruction.flow == Flow::kIndirectCall) {
      if (!follows_convention(instruction)) return kAll;
      live &= ~by_call(instruction);
      live |= kArguments | kStaticChain | kFixed;
    }
    live &= ~written_by(instruction);
    return live | read_by(instruction);
  };
  std::vector<Registers> at_begin(blocks.size());
  for (bool again = true; again;) {
    again = false;
    for (size_t i = blocks.size(); i-- > 0;) {
      const Block& block = blocks[i];
      Registers live = 0;
      if (block.leaves) live |= at_exit(block);
      for (const uint32_t successor : block.successors) live |= at_begin[successor];
      for (uint32_t j = block.last + 1; j-- > block.first;) {
        live = step(instructions[j], live);
        before_[j - first_] = live;
      }
      if (live != at_begin[i]) {
        at_begin[i] = live;
        again = true;
      }
    }
  }
}

Registers Liveness::before(uint32_t instruction) const { return before_.at(instruction - first_); }

}  // namespace strobe::object
