#include "sc_models/profiling/reference/dise/dise_patterns.h"

#include <algorithm>
#include <iterator>

#include "sc_models/profiling/reference/selection/selector.h"

namespace strobe::profiling {
namespace {

enum class Format : uint8_t { kNone, kI, kS, kB, kU, kJ };

Format format_of(uint32_t insn) {
  switch (insn & 0x7f) {
    case 0x03:  // load
    case 0x07:  // load-fp
    case 0x13:  // op-imm
    case 0x1b:  // op-imm-32
    case 0x67:  // jalr
      return Format::kI;
    case 0x23:  // store
    case 0x27:  // store-fp
      return Format::kS;
    case 0x63:  // branch
      return Format::kB;
    case 0x17:  // auipc
    case 0x37:  // lui
      return Format::kU;
    case 0x6f:  // jal
      return Format::kJ;
    default:
      return Format::kNone;
  }
}

bool direction_fits(const DisePattern& pattern, const DecodeLane& lane, OpClass opclass) {
  if (pattern.direction != DiseDirection::kBackward &&
      pattern.direction != DiseDirection::kForward) {
    return true;
  }
  const bool direct =
      opclass == OpClass::kBranch || opclass == OpClass::kJump || opclass == OpClass::kCall;
  return direct && (lane.target <= lane.pc) == (pattern.direction == DiseDirection::kBackward);
}

bool sign_fits(const DisePattern& pattern, uint32_t insn) {
  if (pattern.sign != DiseSign::kNegative && pattern.sign != DiseSign::kNotNegative) return true;
  return has_negative_immediate(insn) == (pattern.sign == DiseSign::kNegative);
}

}  // namespace

int64_t immediate_of(uint32_t insn) {
  const int32_t word = static_cast<int32_t>(insn);
  const int32_t sign = word >> 31;
  switch (format_of(insn)) {
    case Format::kI:
      return word >> 20;
    case Format::kS:
      return (word >> 25) * 32 + static_cast<int32_t>(insn >> 7 & 31);
    case Format::kB:
      return sign * 4096 + static_cast<int32_t>((insn >> 7 & 1) << 11 | (insn >> 25 & 63) << 5 |
                                                (insn >> 8 & 15) << 1);
    case Format::kU:
      return static_cast<int32_t>(insn & 0xfffff000);
    case Format::kJ:
      return sign * (1 << 20) + static_cast<int32_t>((insn & 0xff000) | (insn >> 20 & 1) << 11 |
                                                     (insn >> 21 & 1023) << 1);
    case Format::kNone:
      break;
  }
  return 0;
}

bool has_negative_immediate(uint32_t insn) {
  return (insn >> 31) != 0 && format_of(insn) != Format::kNone;
}

bool DisePattern::accepts(const DecodeLane& lane) const {
  if (!valid || ((lane.insn ^ value) & mask) != 0) return false;
  const OpClass opclass = op_class(lane.insn);
  return (classes >> static_cast<unsigned>(opclass) & 1) != 0 && sign_fits(*this, lane.insn) &&
         direction_fits(*this, lane, opclass);
}

void DisePatternTable::write(unsigned index, const DisePattern& entry) {
  entries_[index] = entry;
  effective_.clear();
  std::copy_if(entries_.begin(), entries_.end(), std::back_inserter(effective_),
               [](const DisePattern& p) {
                 return p.valid && p.condition != 0 && (p.replaces || p.ops != 0);
               });
}

}  // namespace strobe::profiling
