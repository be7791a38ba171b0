// Disassembly for the pipeline view, read off the instruction table.
#include "sc_models/core/trace/pipeline_trace.h"
#include "sc_models/isa/decode/decoded.h"
#include "sc_models/isa/decode/op.h"

namespace strobe::core {
namespace {

std::string register_name(char kind, unsigned number) { return fmt::format("{}{}", kind, number); }

}  // namespace

std::string instruction_text(uint32_t insn, uint64_t pc) {
  const isa::DecodedInsn decoded = isa::decode(insn);
  if (decoded.op == 0) return fmt::format("illegal {:#010x}", insn);
  const isa::OpInfo& op = isa::kOps[decoded.op];
  const unsigned numbers[] = {decoded.rd, decoded.rs1, decoded.rs2, decoded.rs3};
  const auto name = [&](unsigned i) { return register_name(op.operands[i], numbers[i]); };
  const auto address = [&] { return fmt::format("{}({})", decoded.imm, name(1)); };

  std::string operands;
  const auto add = [&operands](const std::string& text) {
    operands += (operands.empty() ? " " : ",") + text;
  };
  switch (op.kind) {
    case isa::Kind::kLoad:
    case isa::Kind::kFpLoad:
      add(name(0));
      add(address());
      break;
    case isa::Kind::kStore:
    case isa::Kind::kFpStore:
      add(name(2));
      add(address());
      break;
    case isa::Kind::kAtomic:
      add(name(0));
      if (op.has_rs2()) add(name(2));
      add("(" + name(1) + ")");
      break;
    default:
      for (unsigned i = 0; i < 4; ++i) {
        if (op.operands[i] != '-') add(name(i));
      }
      break;
  }
  switch (op.immediate) {
    case isa::Immediate::kB:
    case isa::Immediate::kJ:
      add(fmt::format("{:x}", pc + static_cast<uint64_t>(static_cast<int64_t>(decoded.imm))));
      break;
    case isa::Immediate::kU:
      add(fmt::format("{:#x}", static_cast<uint32_t>(decoded.imm) >> 12));
      break;
    case isa::Immediate::kCsr:
      add(fmt::format("{:#x}", decoded.imm));
      if (op.operands[1] == '-') add(fmt::format("{}", decoded.rs1));
      break;
    case isa::Immediate::kI:
      if (op.kind != isa::Kind::kLoad && op.kind != isa::Kind::kFpLoad) {
        add(fmt::format("{}", decoded.imm));
      }
      break;
    case isa::Immediate::kShift:
      add(fmt::format("{}", decoded.imm));
      break;
    case isa::Immediate::kS:
    case isa::Immediate::kNone:
      break;
  }
  return op.mnemonic + operands;
}

}  // namespace strobe::core
