#include "sc_models/profiling/reference/dise/dise_replacements.h"

#include "sc_models/profiling/reference/dise/dise_patterns.h"

namespace strobe::profiling {
namespace {

constexpr unsigned kRd = 7, kRs1 = 15, kRs2 = 20;  // low bits of the register fields

uint64_t field(uint64_t entry, unsigned low, unsigned width) {
  return entry >> low & ((uint64_t{1} << width) - 1);
}

// Puts a register into the field of `insn` at bit `low`. Returns whether it is a dise register.
bool select_register(uint32_t& insn, unsigned low, uint64_t selector, uint32_t trigger,
                     uint32_t template_word) {
  uint32_t number;
  switch (selector) {
    case 1:
      number = trigger >> kRd;
      break;
    case 2:
      number = trigger >> kRs1;
      break;
    case 3:
      number = trigger >> kRs2;
      break;
    case 4:
      number = template_word >> low & 7;
      break;
    default:
      return false;
  }
  insn = (insn & ~(31u << low)) | (number & 31) << low;
  return selector == 4;
}

uint32_t with_immediate(uint32_t insn, uint32_t immediate) {
  const uint32_t opcode = insn & 0x7f;
  const bool is_store = opcode == 0x23 || opcode == 0x27;
  if (!is_store) return (insn & 0xfffff) | immediate << 20;
  return (insn & 0x01fff07f) | (immediate & 31) << 7 | (immediate >> 5 & 127) << 25;
}

uint64_t value_of(const DecodeLane& trigger, uint64_t what) {
  switch (what) {
    case 0:
      return trigger.pc;
    case 1:
      return trigger.pc + trigger.length;
    case 2:
      return trigger.target;
    case 3:
      return static_cast<uint64_t>(immediate_of(trigger.insn));
    case 4:
      return static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(trigger.insn)));
    default:
      return 0;
  }
}

}  // namespace

InstantiatedInstruction DiseReplacementTable::instantiate(const DecodeLane& trigger,
                                                          unsigned index) const {
  const uint64_t entry = entries_[index];
  const uint32_t word = static_cast<uint32_t>(entry);
  const uint64_t kind = field(entry, 42, 3);
  InstantiatedInstruction made;
  made.kind = kind > 4 ? ReplacementKind::kInstruction : static_cast<ReplacementKind>(kind);
  made.insn = made.kind == ReplacementKind::kTrigger ? trigger.insn : word;
  made.dise_rd = select_register(made.insn, kRd, field(entry, 32, 3), trigger.insn, word);
  made.dise_rs1 = select_register(made.insn, kRs1, field(entry, 35, 3), trigger.insn, word);
  made.dise_rs2 = select_register(made.insn, kRs2, field(entry, 38, 3), trigger.insn, word);
  if (field(entry, 41, 1) != 0 && made.kind != ReplacementKind::kTrigger) {
    made.insn = with_immediate(made.insn, static_cast<uint32_t>(immediate_of(trigger.insn)));
  }
  made.go_to = static_cast<uint16_t>(field(entry, 48, 11));
  made.last = field(entry, 63, 1) != 0 || index + 1 == entries_.size();
  if (made.kind == ReplacementKind::kValueLoad) made.value = value_of(trigger, field(entry, 45, 3));
  if (made.kind == ReplacementKind::kDiseBranch) made.value = made.go_to;
  if (made.kind == ReplacementKind::kCall) made.value = word;
  return made;
}

}  // namespace strobe::profiling
