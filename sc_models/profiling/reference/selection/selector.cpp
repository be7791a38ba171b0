#include "sc_models/profiling/reference/selection/selector.h"

#include "sc_models/profiling/reference/common/check.h"

namespace strobe::profiling {
namespace {

/// The link registers of the RISC-V jump-type table.
bool is_link(uint32_t reg) { return reg == 1 || reg == 5; }

OpClass indirect_jump_class(uint32_t rd, uint32_t rs1) {
  if (is_link(rd)) return OpClass::kCallIndirect;
  return is_link(rs1) ? OpClass::kReturn : OpClass::kJumpIndirect;
}

OpClass integer_class(uint32_t insn) {
  if ((insn >> 25) != 1) return OpClass::kAlu;
  return ((insn >> 14) & 1) != 0 ? OpClass::kDiv : OpClass::kMul;
}

OpClass float_class(uint32_t insn) {
  const uint32_t function = insn >> 27;
  return function == 0b00011 || function == 0b01011 ? OpClass::kFpDivSqrt : OpClass::kFp;
}

}  // namespace

OpClass op_class(uint32_t insn) {
  const uint32_t rd = (insn >> 7) & 31;
  const uint32_t rs1 = (insn >> 15) & 31;
  switch (insn & 0x7f) {
    case 0b0110011:
    case 0b0111011:
      return integer_class(insn);
    case 0b0000011:
    case 0b0000111:
      return OpClass::kLoad;
    case 0b0100011:
    case 0b0100111:
      return OpClass::kStore;
    case 0b0101111:
      return OpClass::kAmo;
    case 0b1100011:
      return OpClass::kBranch;
    case 0b1101111:
      return is_link(rd) ? OpClass::kCall : OpClass::kJump;
    case 0b1100111:
      return indirect_jump_class(rd, rs1);
    case 0b1010011:
      return float_class(insn);
    case 0b1000011:
    case 0b1000111:
    case 0b1001011:
    case 0b1001111:
      return OpClass::kFp;
    case 0b1110011:
      return OpClass::kSystem;
    case 0b0001111:
      return OpClass::kFence;
    default:
      return OpClass::kAlu;
  }
}

TupleMask::TupleMask(unsigned pc_width, unsigned value_width)
    : pc_(~uint64_t{0} >> (64 - pc_width) % 64), value_(~uint64_t{0} >> (64 - value_width) % 64) {
  check_range("Selector: pc_width", pc_width, 1, 64);
  check_range("Selector: value_width", value_width, 1, 64);
}

Selector::Selector(unsigned selectors, unsigned pc_width, unsigned value_width)
    : selectors_(selectors), mask_(pc_width, value_width) {
  check_range("Selector: selectors", selectors, 1, kMaxSelectors);
}

Selector::Outputs Selector::step(const Inputs& inputs) {
  const Outputs now = select(inputs.enable, inputs.slots, inputs.lane, inputs.lanes);
  if (inputs.clear) clear();
  return now;
}

const Selector::Outputs& Selector::select(bool enable, const SelectorSlot* slots,
                                          const RetireLane* lane, unsigned lanes) {
  clear_outputs();
  bool follow = false;
  for (unsigned s = 0; s < selectors_; ++s) follow |= enable && slots[s].enable && slots[s].marked;
  if (!follow) markers_ = MarkerTrack();
  if (!enable) return outputs_;
  for (unsigned k = 0; k < lanes; ++k) {
    if (!lane[k].valid || lane[k].trap) continue;
    const int marker = markers_.before(lane[k].mode);
    if (follow) markers_.retire(lane[k].mode, lane[k].insn);
    const SelectorSlot* slot =
        matching_slot(slots, selectors_, op_class(lane[k].insn), marker, lane[k]);
    if (slot == nullptr) continue;
    outputs_.valid[k] = true;
    outputs_.tuple[k] = tuple_of(*slot, lane[k]);
    ++valid_count_;
  }
  return outputs_;
}

void Selector::clear_outputs() {
  if (valid_count_ == 0) return;  // the outputs are zero already
  for (unsigned k = 0; k < kMaxRetireWidth; ++k) {
    if (!outputs_.valid[k]) continue;
    outputs_.valid[k] = false;
    outputs_.tuple[k] = Tuple{};
  }
  valid_count_ = 0;
}

}  // namespace strobe::profiling
