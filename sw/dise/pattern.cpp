#include "sw/dise/pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <cstdlib>
#include <set>

#include "sw/dise/instruction_set.h"

namespace strobe::dise {
namespace {

constexpr size_t kMostAlternatives = 256;  // limit before equal ones are merged
constexpr uint32_t kMajorOpcode = 0x7f;

// A comparison with a field whose place in the word depends on the instruction: a register number
// or the immediate.
struct FieldTest {
  unsigned operand = 0;  // 0 rd, 1 rs1, 2 rs2; 3: the immediate
  char kind = 'x';       // x: integer register, f: floating-point register
  int64_t value = 0;
  Token at;
};

struct Alternative {
  Match match;
  std::vector<FieldTest> fields;
};

const char* const kOperandNames[] = {"T.RD", "T.RS1", "T.RS2", "T.IMM"};
constexpr unsigned kOperandShift[] = {7, 15, 20};

bool has_field(const isa::OpInfo& op, const FieldTest& test) {
  if (test.operand < 3) return op.operands[test.operand] == test.kind;
  uint32_t mask = 0, bits = 0;
  return encode_immediate(op.immediate, 0, mask, bits);
}

class Compiler {
 public:
  Compiler(const Limits& limits, Faults& faults) : limits_(limits), faults_(faults) {}

  std::vector<Match> run(const Expression& expression) {
    std::vector<Match> matches;
    for (const Alternative& alternative : alternatives(expression)) {
      for (const Match& match : place_fields(alternative)) merge(matches, match);
    }
    if (matches.empty()) fail(first_token(expression), "no instruction can ever match this");
    return matches;
  }

 private:
  [[noreturn]] void fail(const Token& at, const std::string& message) {
    faults_.add(at.place, message);
    throw Reported();
  }

  static const Token& first_token(const Expression& expression) {
    const Expression* first = &expression;
    while (!first->operands.empty()) first = &first->operands[0];
    return first->name;
  }

  static bool flags_only(const Expression& expression) {
    if (expression.kind == Expression::kComparison) return false;
    return std::all_of(expression.operands.begin(), expression.operands.end(), flags_only);
  }

  uint64_t truth_table(const Expression& expression) {
    const uint64_t all = always(limits_.counters);
    switch (expression.kind) {
      case Expression::kNot:
        return ~truth_table(expression.operands[0]) & all;
      case Expression::kAnd: {
        uint64_t table = all;
        for (const Expression& operand : expression.operands) table &= truth_table(operand);
        return table;
      }
      case Expression::kOr: {
        uint64_t table = 0;
        for (const Expression& operand : expression.operands) table |= truth_table(operand);
        return table;
      }
      case Expression::kFlag:
      case Expression::kComparison:
        break;
    }
    const Token& name = expression.name;
    for (const bool zero : {false, true}) {
      const unsigned counter = numbered(name.text, zero ? "zero_" : "overflow_");
      if (counter == 0) continue;
      if (counter <= limits_.counters) return flag_table(counter, zero, limits_.counters);
      fail(name, fmt::format("there is no counter {}: the engine has counters 1 to {}", counter,
                             limits_.counters));
    }
    fail(name, fmt::format("{} is not a flag: expected overflow_N or zero_N, N from 1 to {}",
                           text::in_quotes(name.text), limits_.counters));
  }

  std::vector<Alternative> alternatives(const Expression& expression) {
    if (flags_only(expression)) {
      Alternative one;
      one.match.condition = truth_table(expression);
      return {one};
    }
    switch (expression.kind) {
      case Expression::kOr: {
        std::vector<Alternative> all;
        for (const Expression& operand : expression.operands) {
          const std::vector<Alternative> more = alternatives(operand);
          all.insert(all.end(), more.begin(), more.end());
        }
        return limited(expression, all);
      }
      case Expression::kAnd: {
        std::vector<Alternative> all = alternatives(expression.operands[0]);
        for (size_t i = 1; i < expression.operands.size(); ++i) {
          all = limited(expression, both(all, alternatives(expression.operands[i])));
        }
        return all;
      }
      case Expression::kNot:
        fail(first_token(expression),
             "'!' is for flags: write the opposite comparison (!= for an opcode class)");
      case Expression::kFlag:
      case Expression::kComparison:
        break;
    }
    return {comparison(expression)};
  }

  const std::vector<Alternative>& limited(const Expression& expression,
                                          const std::vector<Alternative>& all) {
    if (all.size() > kMostAlternatives) {
      fail(first_token(expression), fmt::format("this pattern has more than {} alternatives, the "
                                                "pattern table {} entries: write it with fewer ||",
                                                kMostAlternatives, limits_.patterns));
    }
    return all;
  }

  static std::vector<Alternative> both(const std::vector<Alternative>& left,
                                       const std::vector<Alternative>& right) {
    std::vector<Alternative> all;
    for (const Alternative& a : left) {
      for (const Alternative& b : right) {
        Alternative one;
        if (!intersect(a.match.pattern, b.match.pattern, one.match.pattern)) continue;
        one.match.condition = a.match.condition & b.match.condition;
        if (one.match.condition == 0) continue;
        one.fields = a.fields;
        one.fields.insert(one.fields.end(), b.fields.begin(), b.fields.end());
        all.push_back(one);
      }
    }
    return all;
  }

  Alternative comparison(const Expression& e) {
    static const std::vector<std::string> kNames = {
        "T.OPCLASS", "T.OPCODE", "T.RD", "T.RS1", "T.RS2", "T.IMM", "T.TARGET", "T.PC", "T.MODE"};
    Alternative one;
    one.match.condition = always(limits_.counters);
    InstructionPattern& pattern = one.match.pattern;
    const std::string& name = e.name.text;
    const std::string& relation = e.relation.text;
    if (name == "T.OPCLASS") {
      pattern.classes = opclass(e);
    } else if (name == "T.OPCODE") {
      only(e, {"=="});
      const isa::OpInfo* op = find_mnemonic(e.right.text);
      if (op == nullptr) {
        fail(e.right,
             fmt::format("{} is not an instruction of RV64GC: expected a mnemonic such as ld",
                         text::in_quotes(e.right.text)));
      }
      pattern = {op->match, op->mask, classes_of(*op)};
    } else if (name == "T.TARGET" && e.right.text == "T.PC") {
      only(e, {"<=", ">"});
      pattern.direction = relation == "<=" ? Direction::kBackward : Direction::kForward;
    } else if (name == "T.PC" && e.right.text == "T.TARGET") {
      only(e, {">=", "<"});
      pattern.direction = relation == ">=" ? Direction::kBackward : Direction::kForward;
    } else if (name == "T.IMM" && relation != "==") {
      only(e, {"==", "<", ">="});
      if (e.right.kind != Token::kNumber || e.right.value != 0) {
        fail(e.right, "an immediate's sign is compared with 0: expected T.IMM < 0 or T.IMM >= 0");
      }
      pattern.sign = relation == "<" ? Sign::kNegative : Sign::kNotNegative;
    } else if (name == "T.IMM") {
      if (e.right.kind != Token::kNumber) fail(e.right, "expected a number after T.IMM ==");
      one.fields.push_back({3, ' ', static_cast<int64_t>(e.right.value), e.name});
    } else if (name == "T.RD" || name == "T.RS1" || name == "T.RS2") {
      only(e, {"=="});
      one.fields.push_back(register_test(e));
    } else if (name == "T.MODE") {
      fail(e.name, "productions apply to U-mode only, M-mode is never rewritten: leave T.MODE out");
    } else if (name == "T.TARGET" || name == "T.PC") {
      fail(e.right,
           "the target is compared with the pc: expected T.TARGET <= T.PC (backward) or "
           "T.TARGET > T.PC (forward)");
    } else {
      fail(e.name, fmt::format("{} cannot be compared{}", text::in_quotes(name),
                               text::did_you_mean(name, kNames)));
    }
    return one;
  }

  void only(const Expression& e, const std::vector<std::string>& relations) {
    if (std::find(relations.begin(), relations.end(), e.relation.text) != relations.end()) return;
    fail(e.relation, fmt::format("{} cannot be compared by '{}': expected {}", e.name.text,
                                 e.relation.text, fmt::join(relations, ", ")));
  }

  uint16_t opclass(const Expression& e) {
    only(e, {"==", "!="});
    const uint16_t classes = classes_named(e.right.text);
    if (classes == 0) {
      fail(e.right, fmt::format("there is no opcode class {}{}", text::in_quotes(e.right.text),
                                text::did_you_mean(e.right.text, class_names())));
    }
    return e.relation.text == "==" ? classes : static_cast<uint16_t>(~classes);
  }

  FieldTest register_test(const Expression& e) {
    const std::string& name = e.right.text;
    FieldTest test;
    while (e.name.text != kOperandNames[test.operand]) ++test.operand;
    test.at = e.name;
    test.value = integer_register(name);
    if (test.value >= 0) return test;
    test.kind = 'f';
    test.value = numbered(name, "f");
    if ((test.value == 0 && name != "f0") || test.value > 31) {
      fail(e.right,
           fmt::format("{} is not a register: expected x0 to x31, an ABI name, or f0 to f31",
                       text::in_quotes(name)));
    }
    return test;
  }

  // Places field tests by major opcode. An instruction without the field does not match.
  std::vector<Match> place_fields(const Alternative& alternative) {
    std::vector<Match> matches = {alternative.match};
    for (const FieldTest& test : alternative.fields) {
      std::vector<Match> placed;
      for (const Match& match : matches) {
        for (const Match& more : place_field(match, test)) placed.push_back(more);
      }
      matches = placed;
    }
    return matches;
  }

  std::vector<Match> place_field(const Match& match, const FieldTest& test) {
    if (match.pattern.classes == 0xffff && (match.pattern.mask & kMajorOpcode) == 0) {
      fail(test.at,
           fmt::format(
               "{} lies in different bits of different instructions: add T.OPCLASS or T.OPCODE",
               kOperandNames[test.operand]));
    }
    std::set<uint32_t> majors;
    for (const isa::OpInfo& op : isa::kOps) {
      if (can_match(match.pattern, op) && has_field(op, test))
        majors.insert(op.match & kMajorOpcode);
    }
    std::vector<Match> placed;
    for (const uint32_t major : majors) {
      Match one = match;
      InstructionPattern opcode;
      opcode.value = major;
      opcode.mask = kMajorOpcode;
      intersect(match.pattern, opcode, one.pattern);
      InstructionPattern field;
      if (!field_pattern(one.pattern, test, field)) continue;
      if (intersect(one.pattern, field, one.pattern)) placed.push_back(one);
    }
    return placed;
  }

  // The pattern of the field's bits. It is a fault when instructions of one major opcode have the
  // field in different places.
  bool field_pattern(const InstructionPattern& pattern, const FieldTest& test,
                     InstructionPattern& field) {
    const isa::OpInfo* without =
        one_without(pattern, [&test](const isa::OpInfo& op) { return has_field(op, test); });
    const isa::OpInfo* with =
        one_without(pattern, [&test](const isa::OpInfo& op) { return !has_field(op, test); });
    const isa::OpInfo* other = one_without(
        pattern, [with](const isa::OpInfo& op) { return op.immediate == with->immediate; });
    if (without != nullptr || (test.operand == 3 && other != nullptr)) {
      fail(test.at, fmt::format("{} is not the same field in {} and {}: add T.OPCODE",
                                kOperandNames[test.operand], with->mnemonic,
                                (without != nullptr ? without : other)->mnemonic));
    }
    if (test.operand < 3) {
      field.mask = 0x1fu << kOperandShift[test.operand];
      field.value = static_cast<uint32_t>(test.value) << kOperandShift[test.operand];
      return true;
    }
    return encode_immediate(with->immediate, test.value, field.mask, field.value);
  }

  static void merge(std::vector<Match>& matches, const Match& match) {
    for (Match& have : matches) {
      const InstructionPattern& a = have.pattern;
      const InstructionPattern& b = match.pattern;
      if (a.value == b.value && a.mask == b.mask && a.classes == b.classes && a.sign == b.sign &&
          a.direction == b.direction) {
        have.condition |= match.condition;
        return;
      }
    }
    matches.push_back(match);
  }

  const Limits& limits_;
  Faults& faults_;
};

template <typename Comparison>
bool intersect_one(Comparison a, Comparison b, Comparison any, Comparison& both) {
  both = a == any ? b : a;
  return a == any || b == any || a == b;
}

}  // namespace

std::vector<Match> compile_pattern(const Expression& expression, const Limits& limits,
                                   Faults& faults) {
  try {
    return Compiler(limits, faults).run(expression);
  } catch (const Reported&) {
    return {};
  }
}

bool intersect(const InstructionPattern& a, const InstructionPattern& b, InstructionPattern& both) {
  if (((a.value ^ b.value) & a.mask & b.mask) != 0) return false;
  InstructionPattern result;
  result.mask = a.mask | b.mask;
  result.value = (a.value & a.mask) | (b.value & b.mask);
  result.classes = a.classes & b.classes;
  if (!intersect_one(a.sign, b.sign, Sign::kAny, result.sign)) return false;
  if (!intersect_one(a.direction, b.direction, Direction::kAny, result.direction)) return false;
  both = result;
  return one_without(result, [](const isa::OpInfo&) { return false; }) != nullptr;
}

unsigned specificity(const InstructionPattern& pattern) {
  return static_cast<unsigned>(std::bitset<32>(pattern.mask).count() +
                               std::bitset<16>(static_cast<uint16_t>(~pattern.classes)).count() +
                               (pattern.sign != Sign::kAny ? 1 : 0) +
                               (pattern.direction != Direction::kAny ? 1 : 0));
}

uint64_t always(unsigned counters) { return ~uint64_t{0} >> (64 - (1u << (2 * counters))); }

uint64_t flag_table(unsigned counter, bool zero, unsigned counters) {
  const unsigned flag = 2 * (counter - 1) + (zero ? 1 : 0);
  uint64_t table = 0;
  for (unsigned flags = 0; flags < 1u << (2 * counters); ++flags) {
    table |= uint64_t{flags >> flag & 1} << flags;
  }
  return table;
}

unsigned numbered(const std::string& name, const std::string& prefix) {
  if (name.size() <= prefix.size() || name.size() > prefix.size() + 4 ||
      name.compare(0, prefix.size(), prefix) != 0) {
    return 0;
  }
  const char* digits = name.c_str() + prefix.size();
  char* rest = nullptr;
  const unsigned long value = *digits == '-' ? 0 : std::strtoul(digits, &rest, 10);
  return rest != nullptr && *rest == '\0' ? static_cast<unsigned>(value) : 0;
}

}  // namespace strobe::dise
