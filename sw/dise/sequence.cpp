#include "sw/dise/sequence.h"

#include <fmt/format.h>

#include <map>

#include "sc_models/port/branch_on_random.h"
#include "sw/dise/instruction_set.h"
#include "sw/dise/pattern.h"
#include "sw/dise/replacement.h"

namespace strobe::dise {
namespace {

constexpr uint32_t kAddiNothing = 0x00000013;  // addi x0, x0, 0, a value load's template

const std::map<std::string, TriggerValue> kValues = {{"T.PC", TriggerValue::kPc},
                                                     {"T.NPC", TriggerValue::kNextPc},
                                                     {"T.TARGET", TriggerValue::kTarget},
                                                     {"T.IMM", TriggerValue::kImmediate},
                                                     {"T.INSN", TriggerValue::kInsn}};

struct Register {
  RegisterFrom from = RegisterFrom::kTemplate;
  unsigned number = 0;
};

class Assembler {
 public:
  Assembler(const Sequence& sequence, const std::vector<NamedRegister>& registers, Faults& faults)
      : sequence_(sequence), registers_(registers), faults_(faults) {}

  AssembledSequence run() {
    result_.name = sequence_.name.text;
    result_.place = sequence_.name.place;
    if (sequence_.instructions.empty()) {
      faults_.add(result_.place, fmt::format("sequence {} is empty: expected at least T.INSN",
                                             text::in_quotes(result_.name)));
    }
    find_labels();
    for (const WrittenInstruction& line : sequence_.instructions) {
      try {
        check_reached(line);
        entry_ = {};
        one(line);
        if (result_.words.size() + 1 == sequence_.instructions.size()) entry_.last = true;
      } catch (const Reported&) {
      }
      result_.words.push_back(entry_.encode());
    }
    return std::move(result_);
  }

 private:
  [[noreturn]] void fail(const Token& at, const std::string& message) {
    faults_.add(at.place, message);
    throw Reported();
  }

  void find_labels() {
    for (size_t i = 0; i < sequence_.instructions.size(); ++i) {
      for (const Token& label : sequence_.instructions[i].labels) {
        if (!labels_.emplace(label.text, i).second) {
          faults_.add(label.place,
                      fmt::format("label {} is defined twice", text::in_quotes(label.text)));
        }
      }
    }
  }

  // Only a line with a label can be reached after a T.END.
  void check_reached(const WrittenInstruction& line) {
    const size_t at = result_.words.size();
    if (at == 0 || !line.labels.empty()) return;
    if (sequence_.instructions[at - 1].mnemonic.text != "T.END") return;
    fail(line.mnemonic,
         "this is never reached after T.END: expected a label to which a branch goes");
  }

  void one(const WrittenInstruction& line) {
    const std::string& name = line.mnemonic.text;
    if (name == "T.INSN") {
      operands(line, 0, "nothing");
      trigger(line);
    } else if (name == "T.END") {
      operands(line, 0, "nothing");
      entry_.kind = EntryKind::kTrigger;
      entry_.last = true;
    } else if (name == "T.OP") {
      operands(line, 2, "T.RD, T.IMM(base) or T.RS2, T.IMM(base)");
      changed_trigger(line);
    } else if (name == "li") {
      operands(line, 2, "a register and T.PC, T.NPC, T.TARGET, T.IMM or T.INSN");
      value_load(line);
    } else if (name == "brr") {
      operands(line, 2, "a frequency and a label");
      random_branch(line);
    } else if (name == "dcall") {
      operands(line, 1, "a handler's name");
      entry_.kind = EntryKind::kCall;
      result_.handlers.push_back(
          {single(line, 0).text, static_cast<uint16_t>(result_.words.size()), line.mnemonic.place});
    } else {
      instruction(line);
    }
  }

  void operands(const WrittenInstruction& line, size_t count, const char* what) {
    if (line.operands.size() == count) return;
    fail(line.mnemonic,
         fmt::format("{} has {} operand{}: expected {}", line.mnemonic.text, line.operands.size(),
                     line.operands.size() == 1 ? "" : "s", what));
  }

  const Token& single(const WrittenInstruction& line, size_t i) {
    const std::vector<Token>& operand = line.operands[i];
    if (operand.size() != 1) fail(operand[1], "expected a comma or the end of the line");
    return operand[0];
  }

  void use(TriggerUse::Field field, const Token& at, bool either_file = false) {
    result_.uses.push_back({field, either_file, at.place});
  }

  void trigger(const WrittenInstruction& line) {
    entry_.kind = EntryKind::kTrigger;
    const bool last = &line == &sequence_.instructions.back();
    if (!last) use(TriggerUse::kLastOnly, line.mnemonic);
  }

  // Assembles the trigger with another base register or another destination.
  void changed_trigger(const WrittenInstruction& line) {
    trigger(line);
    const Token& first = single(line, 0);
    if (first.text == "T.RD" || first.text == "T.RS2") {
      use(first.text == "T.RD" ? TriggerUse::kRd : TriggerUse::kRs2, first, true);
    } else {
      override_with(entry_.rd, reg(first), first);
      use(TriggerUse::kRd, first);
    }
    const Memory memory = memory_operand(line, 1);
    if (memory.immediate.text != "T.IMM") fail(memory.immediate, "T.OP keeps the trigger's T.IMM");
    use(TriggerUse::kImmediate, memory.immediate);
    use(TriggerUse::kRs1, memory.base);
    if (memory.base.text != "T.RS1") override_with(entry_.rs1, reg(memory.base), memory.base);
  }

  // A trigger has no template. Its fields can be overridden by others of its fields or by dise
  // registers, whose number then stands in the word's field.
  void override_with(RegisterFrom& field, const Register& with, const Token& at) {
    if (with.from == RegisterFrom::kTemplate) {
      fail(at, fmt::format("T.OP takes dise registers and the trigger's own, not {}", at.text));
    }
    field = with.from;
    entry_.word |= with.number << (&field == &entry_.rd ? 7 : 15);
  }

  void value_load(const WrittenInstruction& line) {
    const Token& value = single(line, 1);
    const auto found = kValues.find(value.text);
    if (found == kValues.end()) {
      fail(value, fmt::format("li loads T.PC, T.NPC, T.TARGET, T.IMM or T.INSN, not {}; for a "
                              "constant use addi REGISTER, zero, NUMBER",
                              text::in_quotes(value.text)));
    }
    entry_.kind = EntryKind::kValueLoad;
    entry_.what = found->second;
    entry_.word = kAddiNothing;
    put(entry_.rd, reg(single(line, 0)), 7);
  }

  void instruction(const WrittenInstruction& line) {
    const Token& name = line.mnemonic;
    const isa::OpInfo* op = find_mnemonic(name.text);
    if (op == nullptr) {
      std::vector<std::string> names = {"T.INSN", "T.END", "T.OP", "li", "brr", "dcall"};
      for (const isa::OpInfo& known : isa::kOps) names.emplace_back(known.mnemonic);
      fail(name, fmt::format("{} is not an instruction{}", text::in_quotes(name.text),
                             text::did_you_mean(name.text, names)));
    }
    entry_.word = op->match;
    switch (op->kind) {
      case isa::Kind::kBranch:
        operands(line, 3, "two registers and a label");
        put(entry_.rs1, reg(single(line, 0)), 15);
        put(entry_.rs2, reg(single(line, 1)), 20);
        return branch(single(line, 2));
      case isa::Kind::kLoad:
        operands(line, 2, "a register and OFFSET(BASE)");
        put(entry_.rd, reg(single(line, 0)), 7);
        return memory(line, *op);
      case isa::Kind::kStore:
        operands(line, 2, "a register and OFFSET(BASE)");
        put(entry_.rs2, reg(single(line, 0)), 20);
        return memory(line, *op);
      case isa::Kind::kUpper:
        operands(line, 2, "a register and a number");
        put(entry_.rd, reg(single(line, 0)), 7);
        return immediate(*op, single(line, 1));
      case isa::Kind::kAlu:
        operands(line, 3, op->has_rs2() ? "three registers" : "two registers and a number");
        put(entry_.rd, reg(single(line, 0)), 7);
        put(entry_.rs1, reg(single(line, 1)), 15);
        if (!op->has_rs2()) return immediate(*op, single(line, 2));
        return put(entry_.rs2, reg(single(line, 2)), 20);
      default:
        fail(name,
             fmt::format("{} is not allowed in a sequence: expected integer arithmetic, a load, "
                         "a store, a branch to a label of the sequence, brr, li, dcall, T.OP, "
                         "T.INSN or T.END",
                         name.text));
    }
  }

  void random_branch(const WrittenInstruction& line) {
    const Token& frequency = single(line, 0);
    if (frequency.kind != Token::kNumber || frequency.value - 1 >= kRandomFrequencies) {
      fail(frequency, fmt::format("{} is not a frequency of brr: expected a number K from 1 to {}, "
                                  "for a branch that is taken with probability 1/2^K",
                                  text::in_quotes(frequency.text), kRandomFrequencies));
    }
    entry_.word = branch_on_random(static_cast<unsigned>(frequency.value - 1));
    branch(single(line, 1));
  }

  void branch(const Token& label) {
    entry_.kind = EntryKind::kBranch;
    const auto found = labels_.find(label.text);
    if (found == labels_.end()) {
      fail(label, fmt::format("there is no label {} in sequence {}: a DISE branch stays inside its "
                              "sequence",
                              text::in_quotes(label.text), text::in_quotes(result_.name)));
    }
    if (found->second <= result_.words.size()) {
      fail(label, fmt::format("a DISE branch only goes forward, but {} is before it",
                              text::in_quotes(label.text)));
    }
    entry_.go_to = static_cast<uint16_t>(found->second);
  }

  struct Memory {
    Token immediate, base;
  };
  Memory memory_operand(const WrittenInstruction& line, size_t i) {
    const std::vector<Token>& operand = line.operands[i];
    if (operand.size() != 4 || !operand[1].is("(") || !operand[3].is(")")) {
      fail(operand[0], "expected OFFSET(BASE), such as 8(d1) or T.IMM(T.RS1)");
    }
    return {operand[0], operand[2]};
  }
  void memory(const WrittenInstruction& line, const isa::OpInfo& op) {
    const Memory operand = memory_operand(line, 1);
    put(entry_.rs1, reg(operand.base), 15);
    immediate(op, operand.immediate);
  }

  void immediate(const isa::OpInfo& op, const Token& value) {
    if (value.text == "T.IMM") {
      if (op.immediate != isa::Immediate::kI && op.immediate != isa::Immediate::kS) {
        fail(value, fmt::format("{} has no 12-bit immediate that T.IMM could be", op.mnemonic));
      }
      entry_.immediate = true;
      return use(TriggerUse::kImmediate, value);
    }
    uint32_t mask = 0, bits = 0;
    if (value.kind != Token::kNumber ||
        !encode_immediate(op.immediate, static_cast<int64_t>(value.value), mask, bits) ||
        (bits & op.mask) != 0) {
      fail(value, fmt::format("{} is not an immediate of {}: expected {}",
                              text::in_quotes(value.text), op.mnemonic, range(op)));
    }
    entry_.word |= bits;
  }
  static const char* range(const isa::OpInfo& op) {
    if (op.immediate == isa::Immediate::kU) return "0 to 0xfffff";
    if (op.immediate == isa::Immediate::kShift) return op.bytes == 4 ? "0 to 31" : "0 to 63";
    return "-2048 to 2047, or T.IMM";
  }

  Register reg(const Token& name) {
    if (name.text == "T.RD" || name.text == "T.RS1" || name.text == "T.RS2") {
      const bool rd = name.text == "T.RD", rs1 = name.text == "T.RS1";
      use(rd ? TriggerUse::kRd : rs1 ? TriggerUse::kRs1 : TriggerUse::kRs2, name);
      return {rd ? RegisterFrom::kRd : rs1 ? RegisterFrom::kRs1 : RegisterFrom::kRs2, 0};
    }
    for (const NamedRegister& known : registers_) {
      if (known.name == name.text) return {RegisterFrom::kDise, known.number};
    }
    const int number = integer_register(name.text);
    if (number >= 0) return {RegisterFrom::kTemplate, static_cast<unsigned>(number)};
    std::vector<std::string> names = {"T.RD", "T.RS1", "T.RS2"};
    for (const NamedRegister& known : registers_) names.push_back(known.name);
    fail(name, fmt::format("{} is not a register{}: expected x0 to x31, an ABI name, d0 to d7, a "
                           "declared name, T.RD, T.RS1 or T.RS2",
                           text::in_quotes(name.text), text::did_you_mean(name.text, names)));
  }
  void put(RegisterFrom& field, const Register& with, unsigned shift) {
    field = with.from;
    entry_.word |= with.number << shift;
  }

  const Sequence& sequence_;
  const std::vector<NamedRegister>& registers_;
  Faults& faults_;
  std::map<std::string, size_t> labels_;
  AssembledSequence result_;
  ReplacementEntry entry_;
};

}  // namespace

void move_branches(std::vector<uint64_t>& words, uint16_t entries) {
  for (uint64_t& word : words) {
    ReplacementEntry entry = ReplacementEntry::decode(word);
    if (entry.kind != EntryKind::kBranch) continue;
    entry.go_to = static_cast<uint16_t>(entry.go_to + entries);
    word = entry.encode();
  }
}

bool ends_in_trigger(const std::vector<uint64_t>& words) {
  ReplacementEntry trigger;
  trigger.kind = EntryKind::kTrigger;
  trigger.last = true;
  for (size_t i = 0; i + 1 < words.size(); ++i) {
    if (ReplacementEntry::decode(words[i]).kind == EntryKind::kTrigger) return false;
  }
  return !words.empty() && words.back() == trigger.encode();
}

AssembledSequence assemble_sequence(const Sequence& sequence,
                                    const std::vector<NamedRegister>& registers, Faults& faults) {
  return Assembler(sequence, registers, faults).run();
}

}  // namespace strobe::dise
