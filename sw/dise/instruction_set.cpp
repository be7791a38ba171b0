#include "sw/dise/instruction_set.h"

#include <fmt/format.h>

#include <array>

#include "sc_models/isa/decode/decoded.h"
#include "sc_models/port/opclass_names.h"

namespace strobe::dise {
namespace {

using isa::Immediate;

struct Group {
  const char* name;
  uint16_t classes;
};
constexpr Group kGroups[] = {
    {"proc_call", class_bit(OpClass::kCall) | class_bit(OpClass::kCallIndirect)},
    {"mem_op", class_bit(OpClass::kLoad) | class_bit(OpClass::kStore) | class_bit(OpClass::kAmo)},
};

uint16_t compute_classes(const isa::OpInfo& op) {
  // The class of a jump depends on its register fields. Try no link register, then rd, then rs1.
  uint16_t classes = 0;
  for (const uint32_t registers : {uint32_t{0}, uint32_t{1} << 7, uint32_t{1} << 15}) {
    classes |= class_bit(isa::decode(op.match | (registers & ~op.mask)).opclass);
  }
  return classes;
}

}  // namespace

const isa::OpInfo* find_mnemonic(const std::string& name) {
  for (const isa::OpInfo& op : isa::kOps) {
    if (op.kind != isa::Kind::kIllegal && name == op.mnemonic) return &op;
  }
  return nullptr;
}

uint16_t classes_of(const isa::OpInfo& op) {
  static const auto table = [] {
    std::array<uint16_t, isa::kOpCount> classes{};
    for (unsigned i = 1; i < isa::kOpCount; ++i) classes[i] = compute_classes(isa::kOps[i]);
    return classes;
  }();
  return table[static_cast<size_t>(&op - isa::kOps.data())];
}

bool can_match(const InstructionPattern& pattern, const isa::OpInfo& op) {
  return op.kind != isa::Kind::kIllegal && (pattern.classes & classes_of(op)) != 0 &&
         ((pattern.value ^ op.match) & pattern.mask & op.mask) == 0;
}

const isa::OpInfo* one_without(const InstructionPattern& pattern,
                               const std::function<bool(const isa::OpInfo&)>& property) {
  for (const isa::OpInfo& op : isa::kOps) {
    if (can_match(pattern, op) && !property(op)) return &op;
  }
  return nullptr;
}

bool encode_immediate(Immediate format, int64_t value, uint32_t& mask, uint32_t& bits) {
  const auto word = static_cast<uint32_t>(value);
  const auto fits = [value](unsigned width) {
    return value >= -(int64_t{1} << (width - 1)) && value < int64_t{1} << (width - 1);
  };
  const auto field = [word](unsigned low, unsigned width, unsigned to) {
    return (word >> low & ((1u << width) - 1)) << to;
  };
  switch (format) {
    case Immediate::kI:
      mask = 0xfff00000;
      bits = field(0, 12, 20);
      return fits(12);
    case Immediate::kS:
      mask = 0xfe000f80;
      bits = field(5, 7, 25) | field(0, 5, 7);
      return fits(12);
    case Immediate::kB:
      mask = 0xfe000f80;
      bits = field(12, 1, 31) | field(5, 6, 25) | field(1, 4, 8) | field(11, 1, 7);
      return fits(13) && value % 2 == 0;
    case Immediate::kU:
      mask = 0xfffff000;
      bits = word << 12;
      return value >= 0 && value < 1 << 20;
    case Immediate::kJ:
      mask = 0xfffff000;
      bits = field(20, 1, 31) | field(1, 10, 21) | field(11, 1, 20) | field(12, 8, 12);
      return fits(21) && value % 2 == 0;
    case Immediate::kShift:
      mask = 0x03f00000;
      bits = field(0, 6, 20);
      return value >= 0 && value < 64;
    case Immediate::kCsr:
    case Immediate::kNone:
      break;
  }
  return false;
}

int integer_register(const std::string& name) {
  static const char* const kAbi[32] = {"zero", "ra", "sp",  "gp",  "tp", "t0", "t1", "t2",
                                       "s0",   "s1", "a0",  "a1",  "a2", "a3", "a4", "a5",
                                       "a6",   "a7", "s2",  "s3",  "s4", "s5", "s6", "s7",
                                       "s8",   "s9", "s10", "s11", "t3", "t4", "t5", "t6"};
  for (int number = 0; number < 32; ++number) {
    if (name == kAbi[number] || name == fmt::format("x{}", number)) return number;
  }
  return -1;
}

uint16_t classes_named(const std::string& name) {
  for (const Group& group : kGroups) {
    if (name == group.name) return group.classes;
  }
  for (unsigned i = 0; i < kOpClassCount; ++i) {
    if (name == kOpClassNames[i]) return static_cast<uint16_t>(1u << i);
  }
  return 0;
}

std::vector<std::string> class_names() {
  std::vector<std::string> names(std::begin(kOpClassNames), std::end(kOpClassNames));
  for (const Group& group : kGroups) names.emplace_back(group.name);
  return names;
}

std::string class_text(uint16_t classes) {
  std::string text;
  for (unsigned i = 0; i < kOpClassCount; ++i) {
    if ((classes >> i & 1) == 0) continue;
    text += (text.empty() ? "" : "|") + std::string(kOpClassNames[i]);
  }
  return text;
}

}  // namespace strobe::dise
