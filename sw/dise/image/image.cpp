#include "sw/dise/image/image.h"

#include <algorithm>

namespace strobe::dise {
namespace {

// Offsets in the register block (docs/blocks/dise.md).
constexpr uint32_t kDiseJitter = 0x28, kDiseReg = 0x40, kDiseCounter = 0x80, kPatternIndex = 0xc0,
                   kPatternWord = 0xc8, kPatternKind = 0xd0, kPatternCondition = 0xd8,
                   kPatternOps = 0xe0, kReplacementIndex = 0xf0, kReplacementData = 0xf8;
constexpr uint64_t kReplaces = uint64_t{1} << 20, kValid = uint64_t{1} << 21;
constexpr unsigned kBitsPerOp = 5;

uint64_t kind_of(const PatternEntry& entry) {
  return entry.pattern.classes | static_cast<uint64_t>(entry.pattern.sign) << 16 |
         static_cast<uint64_t>(entry.pattern.direction) << 18 | (entry.replaces ? kReplaces : 0) |
         kValid | static_cast<uint64_t>(entry.start) << 32;
}

uint64_t ops_of(const PatternEntry& entry) {
  uint64_t bits = 0;
  for (unsigned n = 0; n < kMaxCounters; ++n) {
    const MicroOp& op = entry.ops[n];
    bits |= uint64_t{op.kind | static_cast<unsigned>(op.reg) << 2} << (kBitsPerOp * n);
  }
  return bits;
}

// A counter starts with the value to which the first production that sets it would set it (HPS,
// section 4.2).
void start_counters(const Image& image, std::vector<RegisterWrite>& writes) {
  for (unsigned n = 0; n < image.limits.counters; ++n) {
    for (const PatternEntry& entry : image.patterns) {
      if (entry.ops[n].kind != MicroOp::kSet) continue;
      uint64_t value = 0;
      for (const NamedRegister& reg : image.registers) {
        if (reg.number == entry.ops[n].reg) value = reg.value;
      }
      writes.emplace_back(kDiseCounter + 8 * n, image.counter_starts[n].value_or(value));
      break;
    }
  }
}

// Registers whose values a later write stores in a table.
struct Latched {
  uint64_t pattern = 0, word = 0, condition = 0, ops = 0, replacement = 0;
};

PatternEntry entry_of(const Latched& latched, uint64_t kind) {
  PatternEntry entry;
  entry.pattern.value = static_cast<uint32_t>(latched.word);
  entry.pattern.mask = static_cast<uint32_t>(latched.word >> 32);
  entry.pattern.classes = static_cast<uint16_t>(kind);
  entry.pattern.sign = static_cast<Sign>(kind >> 16 & 3);
  entry.pattern.direction = static_cast<Direction>(kind >> 18 & 3);
  entry.condition = latched.condition;
  for (unsigned n = 0; n < kMaxCounters; ++n) {
    const uint64_t op = latched.ops >> (kBitsPerOp * n);
    entry.ops[n] = {static_cast<MicroOp::Kind>(op & 3), static_cast<uint8_t>(op >> 2 & 7)};
  }
  entry.replaces = (kind & kReplaces) != 0;
  entry.start = static_cast<uint16_t>(kind >> 32 & 0x7ff);
  return entry;
}

}  // namespace

Image image_of_writes(const std::vector<RegisterWrite>& writes, const Limits& limits) {
  Image image;
  image.limits = limits;
  Latched latched;
  for (const auto& [offset, value] : writes) {
    switch (offset) {
      case kPatternIndex:
        latched.pattern = value;
        break;
      case kPatternWord:
        latched.word = value;
        break;
      case kPatternCondition:
        latched.condition = value;
        break;
      case kPatternOps:
        latched.ops = value;
        break;
      case kPatternKind:
        if ((value & kValid) == 0 || latched.pattern >= limits.patterns) break;
        image.patterns.resize(std::max<size_t>(image.patterns.size(), latched.pattern + 1));
        image.patterns[latched.pattern] = entry_of(latched, value);
        break;
      case kReplacementIndex:
        latched.replacement = value;
        break;
      case kReplacementData:
        if (latched.replacement >= limits.replacements) break;
        image.replacements.resize(
            std::max<size_t>(image.replacements.size(), latched.replacement + 1));
        image.replacements[latched.replacement++] = value;
        break;
      default:
        if (offset < kDiseReg || offset >= kDiseReg + 8 * kRegisters || offset % 8 != 0) break;
        const auto number = static_cast<uint8_t>((offset - kDiseReg) / 8);
        image.registers.push_back({"", number, value});
    }
  }
  return image;
}

std::vector<RegisterWrite> register_writes(const Image& image) {
  std::vector<RegisterWrite> writes;
  for (const NamedRegister& reg : image.registers) {
    writes.emplace_back(kDiseReg + 8 * reg.number, reg.value);
  }
  if (image.jitter != 0) writes.emplace_back(kDiseJitter, image.jitter);
  start_counters(image, writes);
  for (unsigned i = 0; i < image.limits.patterns; ++i) {
    writes.emplace_back(kPatternIndex, i);
    if (i >= image.patterns.size()) {
      writes.emplace_back(kPatternKind, 0);
      continue;
    }
    const PatternEntry& entry = image.patterns[i];
    writes.emplace_back(kPatternWord, entry.pattern.value | uint64_t{entry.pattern.mask} << 32);
    writes.emplace_back(kPatternCondition, entry.condition);
    writes.emplace_back(kPatternOps, ops_of(entry));
    writes.emplace_back(kPatternKind, kind_of(entry));
  }
  writes.emplace_back(kReplacementIndex, 0);
  for (const uint64_t word : image.replacements) writes.emplace_back(kReplacementData, word);
  return writes;
}

}  // namespace strobe::dise
