#include "sw/dise/unit.h"

#include <fmt/format.h>

#include <filesystem>

#include "sw/dise/instruction_set.h"
#include "sw/dise/pattern.h"

namespace strobe::dise {

Unit::Unit(const SourceFile& file, size_t number, const Limits& limits, Faults& faults)
    : number_(number), limits_(limits), faults_(faults) {
  stem_ = std::filesystem::path(file.name).stem().string();
  tree_ = parse(file.text, file.name, faults);
  for (unsigned i = 0; i < kRegisters; ++i) {
    registers_.push_back({fmt::format("d{}", i), static_cast<uint8_t>(i), 0});
  }
  for (const RegisterName& declared : tree_.registers) declare(declared);
  check_names();
  sequences_.reserve(tree_.sequences.size());
  for (const Sequence& sequence : tree_.sequences) {
    sequences_.push_back(assemble_sequence(sequence, registers_, faults_));
  }
}

void Unit::compile(std::vector<Candidate>& candidates) {
  for (const Production& production : tree_.productions) compile(production, candidates);
  for (const Sequence& sequence : tree_.sequences) require_use(sequence.name, "sequence");
  for (const ControlBlock& block : tree_.controls) require_use(block.name, "control block");
}

std::vector<NamedRegister> Unit::declared() const {
  return {registers_.begin() + kRegisters, registers_.end()};
}

void Unit::declare(const RegisterName& declared) {
  const unsigned number = numbered(declared.reg.text, "d");
  const bool good = declared.reg.text == "d0" || (number > 0 && number < kRegisters);
  if (!good) {
    faults_.add(declared.reg.place, fmt::format("{} is not a dise register: expected d0 to d7",
                                                text::in_quotes(declared.reg.text)));
  }
  if (integer_register(declared.name.text) >= 0 || find(declared.name.text) != nullptr) {
    faults_.add(declared.name.place,
                fmt::format("{} already names a register", text::in_quotes(declared.name.text)));
  }
  registers_.push_back(
      {declared.name.text, static_cast<uint8_t>(good ? number : 0), declared.value.value});
}
const NamedRegister* Unit::find(const std::string& name) const {
  for (const NamedRegister& known : registers_) {
    if (known.name == name) return &known;
  }
  return nullptr;
}

void Unit::check_names() {
  std::set<std::string> names = {"null"};
  const auto check = [&](const Token& name) {
    if (names.insert(name.text).second) return;
    faults_.add(name.place, name.text == "null"
                                ? "'null' is not a name"
                                : fmt::format("{} is defined twice", text::in_quotes(name.text)));
  };
  for (const Production& production : tree_.productions) check(production.name);
  for (const ControlBlock& block : tree_.controls) check(block.name);
  for (const Sequence& sequence : tree_.sequences) check(sequence.name);
}

void Unit::require_use(const Token& name, const char* what) {
  if (used_.count(name.text) != 0) return;
  faults_.add(name.place,
              fmt::format("no production uses {} {}", what, text::in_quotes(name.text)));
}

template <typename Item>
const Item* Unit::look_up(const std::vector<Item>& items, const Token& name, const char* what) {
  std::vector<std::string> names;
  for (const Item& item : items) {
    names.push_back(item.name.text);
    if (item.name.text != name.text) continue;
    used_.insert(name.text);
    return &item;
  }
  faults_.add(name.place, fmt::format("there is no {} {}{}", what, text::in_quotes(name.text),
                                      text::did_you_mean(name.text, names)));
  return nullptr;
}

void Unit::compile(const Production& production, std::vector<Candidate>& candidates) {
  Candidate base;
  base.files = {number_};
  base.productions = {&production};
  base.entry.production = stem_ + ':' + production.name.text;
  base.entry.place = production.name.place;
  for (const Token& name : production.controls) {
    if (name.text == "null") continue;
    const ControlBlock* block = look_up(tree_.controls, name, "control block");
    if (block != nullptr) add_ops(block->ops, base.entry.ops);
  }
  add_ops(production.ops, base.entry.ops);
  if (production.replacement.text != "null") {
    const Sequence* sequence = look_up(tree_.sequences, production.replacement, "sequence");
    if (sequence == nullptr) return;
    base.entry.replaces = true;
    base.sequences = {&sequences_[static_cast<size_t>(sequence - tree_.sequences.data())]};
  }
  for (const Match& match : compile_pattern(production.pattern, limits_, faults_)) {
    Candidate candidate = base;
    candidate.entry.pattern = match.pattern;
    candidate.entry.condition = match.condition;
    if (candidate.entry.replaces) check_uses(candidate);
    candidates.push_back(candidate);
  }
}

void Unit::add_ops(const std::vector<WrittenOp>& written, MicroOps& ops) {
  for (const WrittenOp& op : written) {
    const std::string kind = op.name.text.substr(0, 4);
    const unsigned counter = numbered(op.name.text, kind);
    if (counter == 0 || counter > limits_.counters) {
      faults_.add(op.name.place,
                  fmt::format("there is no counter for {}: the engine has counters 1 to {}",
                              text::in_quotes(op.name.text), limits_.counters));
      continue;
    }
    MicroOp& to = ops[counter - 1];
    if (to.kind != MicroOp::kNone) {
      faults_.add(op.name.place,
                  fmt::format("counter {} has two operations in one production", counter));
    }
    to.kind = kind == "inc_" ? MicroOp::kInc : kind == "dec_" ? MicroOp::kDec : MicroOp::kSet;
    to.reg = set_register(op, to.kind);
  }
}

uint8_t Unit::set_register(const WrittenOp& op, MicroOp::Kind kind) {
  const bool given = op.argument.kind != Token::kEnd;
  if (given != (kind == MicroOp::kSet)) {
    faults_.add(op.name.place, given ? fmt::format("{} takes no register", op.name.text)
                                     : fmt::format("expected {}(REGISTER)", op.name.text));
    return 0;
  }
  if (!given) return 0;
  const NamedRegister* known = find(op.argument.text);
  if (known != nullptr) return known->number;
  std::vector<std::string> names;
  for (const NamedRegister& reg : registers_) names.push_back(reg.name);
  faults_.add(op.argument.place,
              fmt::format("there is no dise register {}{}", text::in_quotes(op.argument.text),
                          text::did_you_mean(op.argument.text, names)));
  return 0;
}

// Checks that every instruction that the pattern matches has the fields that the sequence takes
// from its trigger.
void Unit::check_uses(const Candidate& candidate) {
  static const char* const kNames[] = {"T.RD", "T.RS1", "T.RS2", "T.IMM"};
  for (const TriggerUse& use : candidate.sequences[0]->uses) {
    const isa::OpInfo* bad = one_without(candidate.entry.pattern, [&use](const isa::OpInfo& op) {
      switch (use.field) {
        case TriggerUse::kImmediate:
          return op.immediate == isa::Immediate::kI || op.immediate == isa::Immediate::kS ||
                 op.kind == isa::Kind::kAtomic;
        case TriggerUse::kLastOnly:
          return op.kind != isa::Kind::kJump && op.kind != isa::Kind::kBranch &&
                 op.kind != isa::Kind::kSystem;
        default:
          return op.operands[use.field] == 'x' ||
                 (use.either_file && op.operands[use.field] == 'f');
      }
    });
    if (bad == nullptr) continue;
    const std::string& name = candidate.entry.production;
    faults_.add(use.place,
                use.field == TriggerUse::kLastOnly
                    ? fmt::format("production {} matches {}, after which the rest of the sequence "
                                  "is never reached: expected T.INSN at the end",
                                  text::in_quotes(name), bad->mnemonic)
                    : fmt::format("production {} matches {}, which has no {} that fits here: "
                                  "make its pattern narrower (T.OPCODE == ...)",
                                  text::in_quotes(name), bad->mnemonic, kNames[use.field]));
  }
}

}  // namespace strobe::dise
