#include "sw/optimize/schedule/effects.h"

#include "sw/object/analysis/liveness.h"

namespace strobe::optimize {
namespace {

object::Instruction as_instruction(const Operation& operation) {
  object::Instruction instruction;
  instruction.insn = operation.insn;
  return instruction;
}

}  // namespace

Registers reads(const Operation& operation) { return object::read_by(as_instruction(operation)); }

Registers writes(const Operation& operation) {
  return object::written_by(as_instruction(operation));
}

}  // namespace strobe::optimize
