#include "sw/dise/image/disassemble.h"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>

#include "sc_models/isa/decode/decoded.h"
#include "sw/dise/instruction_set.h"
#include "sw/dise/pattern.h"
#include "sw/dise/replacement.h"

namespace strobe::dise {
namespace {

const char* const kValueNames[] = {"T.PC", "T.NPC", "T.TARGET", "T.IMM", "T.INSN"};

std::string joined(const std::vector<std::string>& parts, const char* with, const char* none) {
  return parts.empty() ? none : fmt::format("{}", fmt::join(parts, with));
}

// The instruction whose whole encoding the pattern tests.
const isa::OpInfo* named_opcode(const InstructionPattern& pattern) {
  const isa::OpInfo* best = nullptr;
  for (const isa::OpInfo& op : isa::kOps) {
    if (op.kind == isa::Kind::kIllegal || (pattern.mask & op.mask) != op.mask ||
        ((pattern.value ^ op.match) & op.mask) != 0) {
      continue;
    }
    if (best == nullptr || (op.mask & best->mask) == best->mask) best = &op;
  }
  return best;
}

std::string register_text(RegisterFrom from, uint32_t word, unsigned shift) {
  const unsigned number = word >> shift & 31;
  switch (from) {
    case RegisterFrom::kRd:
      return "T.RD";
    case RegisterFrom::kRs1:
      return "T.RS1";
    case RegisterFrom::kRs2:
      return "T.RS2";
    case RegisterFrom::kDise:
      return fmt::format("d{}", number & 7);
    case RegisterFrom::kTemplate:
      break;
  }
  return fmt::format("x{}", number);
}

std::string instruction_text(const ReplacementEntry& entry) {
  if (draws_at_random(entry)) {
    return fmt::format("brr {}, @{}", random_frequency(entry.word) + 1, entry.go_to);
  }
  const isa::DecodedInsn insn = isa::decode(entry.word);
  if (insn.op == 0) return fmt::format("illegal {:#010x}", entry.word);
  const isa::OpInfo& op = isa::kOps[insn.op];
  const std::string rd = register_text(entry.rd, entry.word, 7);
  const std::string rs1 = register_text(entry.rs1, entry.word, 15);
  const std::string rs2 = register_text(entry.rs2, entry.word, 20);
  const std::string immediate = entry.immediate ? "T.IMM" : fmt::format("{}", insn.imm);
  switch (op.kind) {
    case isa::Kind::kLoad:
      return fmt::format("{} {}, {}({})", op.mnemonic, rd, immediate, rs1);
    case isa::Kind::kStore:
      return fmt::format("{} {}, {}({})", op.mnemonic, rs2, immediate, rs1);
    case isa::Kind::kBranch:
      return fmt::format("{} {}, {}, @{}", op.mnemonic, rs1, rs2, entry.go_to);
    case isa::Kind::kUpper:
      return fmt::format("{} {}, {:#x}", op.mnemonic, rd, static_cast<uint32_t>(insn.imm) >> 12);
    default:
      return fmt::format("{} {}, {}, {}", op.mnemonic, rd, rs1, op.has_rs2() ? rs2 : immediate);
  }
}

std::string trigger_text(const ReplacementEntry& entry) {
  std::vector<std::string> changed;
  const auto add = [&](const char* field, RegisterFrom from, unsigned shift) {
    if (from == RegisterFrom::kTemplate) return;
    changed.push_back(fmt::format("{} = {}", field, register_text(from, entry.word, shift)));
  };
  add("rd", entry.rd, 7);
  add("rs1", entry.rs1, 15);
  add("rs2", entry.rs2, 20);
  return changed.empty() ? "T.INSN" : fmt::format("T.INSN with {}", fmt::join(changed, ", "));
}

}  // namespace

std::string pattern_text(const InstructionPattern& pattern) {
  std::vector<std::string> parts;
  uint32_t mask = pattern.mask;
  const isa::OpInfo* op = named_opcode(pattern);
  if (op != nullptr) {
    parts.push_back(fmt::format("T.OPCODE == {}", op->mnemonic));
    mask &= ~op->mask;
  }
  if (mask != 0) {
    parts.push_back(fmt::format("insn & {:#010x} == {:#010x}", mask, pattern.value & mask));
  }
  if (pattern.classes != 0xffff && (op == nullptr || pattern.classes != classes_of(*op))) {
    parts.push_back("T.OPCLASS == " + class_text(pattern.classes));
  }
  if (pattern.sign != Sign::kAny) {
    parts.emplace_back(pattern.sign == Sign::kNegative ? "T.IMM < 0" : "T.IMM >= 0");
  }
  if (pattern.direction != Direction::kAny) {
    parts.emplace_back(pattern.direction == Direction::kBackward ? "T.TARGET <= T.PC"
                                                                 : "T.TARGET > T.PC");
  }
  return joined(parts, " && ", "any instruction");
}

std::string condition_text(uint64_t condition, unsigned counters) {
  const uint64_t all = always(counters);
  if ((condition & all) == all) return "always";
  if ((condition & all) == 0) return "never";
  // Adds products of flags, the shortest first, until they cover the table.
  const unsigned flags = 2 * counters;
  std::vector<unsigned> products;  // one ternary digit per flag: 0 absent, 1 plain, 2 negated
  unsigned count = 1;
  for (unsigned i = 0; i < flags; ++i) count *= 3;
  const auto digit = [](unsigned product, unsigned flag) {
    for (; flag > 0; --flag) product /= 3;
    return product % 3;
  };
  const auto literals = [&](unsigned product) {
    unsigned used = 0;
    for (unsigned flag = 0; flag < flags; ++flag) used += digit(product, flag) != 0 ? 1 : 0;
    return used;
  };
  for (unsigned product = 1; product < count; ++product) products.push_back(product);
  std::stable_sort(products.begin(), products.end(),
                   [&](unsigned a, unsigned b) { return literals(a) < literals(b); });
  std::vector<std::string> sum;
  uint64_t covered = 0;
  for (const unsigned product : products) {
    uint64_t table = all;
    std::vector<std::string> names;
    for (unsigned flag = 0; flag < flags; ++flag) {
      if (digit(product, flag) == 0) continue;
      const bool negated = digit(product, flag) == 2, zero = flag % 2 != 0;
      const uint64_t one = flag_table(flag / 2 + 1, zero, counters);
      table &= negated ? ~one : one;
      names.push_back(
          fmt::format("{}{}_{}", negated ? "!" : "", zero ? "zero" : "overflow", flag / 2 + 1));
    }
    if ((table & ~condition) != 0 || (table & ~covered) == 0) continue;
    covered |= table;
    sum.push_back(fmt::format("{}", fmt::join(names, " && ")));
    if (covered == (condition & all)) break;
  }
  return joined(sum, " || ", "never");
}

std::string ops_text(const MicroOps& ops) {
  std::vector<std::string> parts;
  for (unsigned n = 0; n < kMaxCounters; ++n) {
    if (ops[n].kind == MicroOp::kInc) parts.push_back(fmt::format("inc_{}", n + 1));
    if (ops[n].kind == MicroOp::kDec) parts.push_back(fmt::format("dec_{}", n + 1));
    if (ops[n].kind == MicroOp::kSet)
      parts.push_back(fmt::format("set_{}(d{})", n + 1, ops[n].reg));
  }
  return joined(parts, ", ", "null");
}

std::string replacement_text(uint64_t word) {
  const ReplacementEntry entry = ReplacementEntry::decode(word);
  switch (entry.kind) {
    case EntryKind::kTrigger:
      return trigger_text(entry);
    case EntryKind::kValueLoad:
      return fmt::format("li {}, {}", register_text(entry.rd, entry.word, 7),
                         static_cast<unsigned>(entry.what) < std::size(kValueNames)
                             ? kValueNames[static_cast<unsigned>(entry.what)]
                             : "?");
    case EntryKind::kCall:
      return fmt::format("dcall {:#x}", entry.word);
    case EntryKind::kInstruction:
    case EntryKind::kBranch:
      return instruction_text(entry);
  }
  return fmt::format("illegal {:#018x}", word);
}

std::string explain(const Image& image) {
  std::string text = fmt::format("pattern entries     {} of {}\nreplacement entries {} of {}\n",
                                 image.patterns.size(), image.limits.patterns,
                                 image.replacements.size(), image.limits.replacements);
  for (const NamedRegister& reg : image.registers) {
    text += fmt::format("register d{}{} starts with {:#x}\n", reg.number,
                        reg.name.empty() ? "" : " = " + reg.name, reg.value);
  }
  for (size_t i = 0; i < image.patterns.size(); ++i) {
    const PatternEntry& entry = image.patterns[i];
    text += fmt::format(
        "\n{:2}  {} (specificity {})\n    pattern    {}\n    condition  {}\n"
        "    control    {}\n",
        i, entry.production, specificity(entry.pattern), pattern_text(entry.pattern),
        condition_text(entry.condition, image.limits.counters), ops_text(entry.ops));
    if (!entry.replaces) text += "    replaces   null\n";
    size_t reached = entry.start;  // the last entry to which a branch goes
    for (size_t at = entry.start; entry.replaces && at < image.replacements.size(); ++at) {
      const uint64_t word = image.replacements[at];
      std::string line = replacement_text(word);
      for (const HandlerUse& use : image.handlers) {
        if (use.entry == at) line = "dcall " + use.symbol;
      }
      text += fmt::format("    {} @{:<4} {}\n", at == entry.start ? "replaces " : "         ", at,
                          line);
      const ReplacementEntry decoded = ReplacementEntry::decode(word);
      if (decoded.kind == EntryKind::kBranch) reached = std::max<size_t>(reached, decoded.go_to);
      if (decoded.last && at >= reached) break;
    }
  }
  return text;
}

}  // namespace strobe::dise
