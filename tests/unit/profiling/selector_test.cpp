#include "sc_models/profiling/reference/selection/selector.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <stdexcept>

namespace strobe::profiling {
namespace {

constexpr uint32_t kLoad = 0x00013503;  // ld a0, 0(sp)
constexpr uint32_t kAdd = 0x00b50533;   // add a0, a0, a1

uint32_t jalr(uint32_t rd, uint32_t rs1) { return 0x67 | rd << 7 | rs1 << 15; }
uint32_t jal(uint32_t rd) { return 0x6f | rd << 7; }

SelectorSlot load_slot() {
  SelectorSlot slot;
  slot.enable = true;
  slot.user = true;
  slot.opclass = 1u << static_cast<unsigned>(OpClass::kLoad);
  return slot;
}

RetireLane lane(uint32_t insn, uint64_t pc = 0x1000) {
  RetireLane result;
  result.valid = true;
  result.insn = insn;
  result.pc_rdata = pc;
  result.pc_wdata = pc + 4;
  result.rd_wdata = 0xabc;
  result.mem_addr = 0x7000;
  return result;
}

Selector::Outputs matches_of(const Selector::Inputs& inputs) {
  return Selector(kMaxSelectors).step(inputs);
}

unsigned count(const Selector::Outputs& out) {
  return static_cast<unsigned>(std::count(std::begin(out.valid), std::end(out.valid), true));
}

Selector::Inputs one(const SelectorSlot& slot, const RetireLane& retired) {
  Selector::Inputs inputs;
  inputs.enable = true;
  inputs.slots[0] = slot;
  inputs.lanes = 4;
  inputs.lane[0] = retired;
  return inputs;
}

bool selected(const SelectorSlot& slot, const RetireLane& retired) {
  return matches_of(one(slot, retired)).valid[0];
}

constexpr uint32_t marker(uint32_t number) { return 0x00003013 | number << 20; }

TEST(Selector, AMarkedSlotPicksOnlyWhatDirectlyFollowsItsMarker) {
  Selector selector(1);
  Selector::Inputs inputs = one(load_slot(), lane(kLoad));
  inputs.slots[0].marked = true;
  inputs.slots[0].tag = 5;
  const auto picks = [&](std::initializer_list<RetireLane> retired) {
    unsigned k = 0;
    for (RetireLane& free : inputs.lane) free.valid = false;
    for (const RetireLane& one : retired) inputs.lane[k++] = one;
    return count(selector.step(inputs));
  };
  RetireLane machine = lane(kAdd), trapped = lane(kAdd);
  machine.mode = 3;
  trapped.trap = true;
  EXPECT_EQ(picks({lane(kLoad)}), 0u) << "no marker";
  EXPECT_EQ(picks({lane(marker(5)), lane(kLoad), lane(kLoad)}), 1u) << "the first load alone";
  EXPECT_EQ(picks({lane(marker(4)), lane(kLoad)}), 0u) << "another number";
  EXPECT_EQ(picks({lane(marker(5)), lane(kAdd), lane(kLoad)}), 0u) << "not directly";
  EXPECT_EQ(picks({lane(marker(5))}), 0u);
  EXPECT_EQ(picks({}), 0u);
  EXPECT_EQ(picks({lane(kLoad)}), 1u) << "in an earlier cycle";
  EXPECT_EQ(picks({lane(marker(5)), machine, trapped, lane(kLoad)}), 1u)
      << "neither another mode nor a trap comes between";
  EXPECT_EQ(picks({lane(marker(16)), lane(kLoad)}), 0u) << "no marker has a number above 15";
}

TEST(Selector, MarkersAreFollowedInEachModeByItself) {
  for (const uint8_t mode : {uint8_t{0}, uint8_t{1}, uint8_t{3}}) {
    Selector selector(1);
    RetireLane mark = lane(marker(5)), load = lane(kLoad), between = lane(kAdd);
    mark.mode = load.mode = mode;
    Selector::Inputs inputs = one(load_slot(), mark);
    SelectorSlot& slot = inputs.slots[0];
    slot.user = slot.supervisor = slot.machine = slot.marked = true;
    slot.tag = 5;
    for (uint8_t other = 0; other < 4; ++other) {
      if (other == mode) continue;
      between.mode = other;
      inputs.lane[1] = between;
      inputs.lane[2] = load;
      EXPECT_TRUE(selector.step(inputs).valid[2]) << +mode << " with " << +other << " between";
    }
    between.mode = mode;
    inputs.lane[1] = between;
    EXPECT_FALSE(selector.step(inputs).valid[2]) << +mode;
  }
}

TEST(Selector, MarkersAreForgottenByAClearAndWhileNobodyLooksForThem) {
  Selector selector(1);
  Selector::Inputs marked = one(load_slot(), lane(marker(0)));
  marked.slots[0].marked = true;
  Selector::Inputs load = one(load_slot(), lane(kLoad));
  load.slots[0].marked = true;
  const auto picked_after = [&](const Selector::Inputs& between) {
    selector.step(marked);
    selector.step(between);
    return count(selector.step(load)) != 0;
  };
  Selector::Inputs nothing;
  nothing.enable = true;
  nothing.slots[0] = marked.slots[0];
  EXPECT_TRUE(picked_after(nothing));
  Selector::Inputs disabled = nothing, unmarked = nothing, clear = nothing;
  disabled.enable = false;
  unmarked.slots[0].marked = false;
  clear.clear = true;
  EXPECT_FALSE(picked_after(disabled));
  EXPECT_FALSE(picked_after(unmarked));
  EXPECT_FALSE(picked_after(clear));
}

TEST(Selector, ASlotPicksWhatIsInABurst) {
  SelectorSlot slot = load_slot();
  RetireLane outside = lane(kLoad), inside = outside;
  inside.in_burst = true;
  EXPECT_TRUE(selected(slot, outside));
  EXPECT_TRUE(selected(slot, inside));
  slot.in_burst = true;
  EXPECT_FALSE(selected(slot, outside));
  EXPECT_TRUE(selected(slot, inside));
}

TEST(Selector, ASlotPicksByTheOutcomeOfPrediction) {
  for (unsigned prediction = 0; prediction < 4; ++prediction) {
    SelectorSlot slot = load_slot();
    slot.prediction = static_cast<uint8_t>(prediction);
    RetireLane retired = lane(kLoad);
    EXPECT_EQ(selected(slot, retired), prediction != 1) << prediction;
    retired.mispredicted = true;
    EXPECT_EQ(selected(slot, retired), prediction != 2) << prediction;
  }
}

TEST(OpClassOf, EveryRowOfTheTableHasItsClass) {
  const struct {
    uint32_t insn;
    OpClass expected;
  } rows[] = {
      {kAdd, OpClass::kAlu},
      {0x00000013, OpClass::kAlu},           // nop
      {0x02b50533, OpClass::kMul},           // mul
      {0x02b5353b | 0x3000, OpClass::kMul},  // 0111011, funct3[2] = 0
      {0x02b54533, OpClass::kDiv},           // div
      {0x02b5753b, OpClass::kDiv},           // remuw
      {0x42b54533, OpClass::kAlu},           // funct7 is not 0000001
      {kLoad, OpClass::kLoad},
      {0x00013507, OpClass::kLoad},   // fld
      {0x00a13023, OpClass::kStore},  // sd
      {0x00a13027, OpClass::kStore},  // fsd
      {0x1005352f, OpClass::kAmo},    // lr.d
      {0x00b50463, OpClass::kBranch},
      {jal(0), OpClass::kJump},
      {jal(2), OpClass::kJump},
      {jal(1), OpClass::kCall},
      {jal(5), OpClass::kCall},
      {jalr(0, 10), OpClass::kJumpIndirect},
      {jalr(10, 6), OpClass::kJumpIndirect},
      {jalr(1, 10), OpClass::kCallIndirect},
      {jalr(1, 1), OpClass::kCallIndirect},
      {jalr(1, 5), OpClass::kCallIndirect},  // co-routine swap
      {jalr(0, 1), OpClass::kReturn},
      {jalr(0, 5), OpClass::kReturn},
      {0x02b57553, OpClass::kFp},         // fadd.d
      {0x02b57543, OpClass::kFp},         // fmadd.d
      {0x02b57547, OpClass::kFp},         // fmsub.d
      {0x02b5754b, OpClass::kFp},         // fnmsub.d
      {0x02b5754f, OpClass::kFp},         // fnmadd.d
      {0x1ab57553, OpClass::kFpDivSqrt},  // fdiv.d
      {0x5a057553, OpClass::kFpDivSqrt},  // fsqrt.d
      {0x00000073, OpClass::kSystem},     // ecall
      {0x0ff0000f, OpClass::kFence},
      {0x00000000, OpClass::kAlu},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(op_class(row.insn), row.expected) << std::hex << row.insn;
  }
}

TEST(Selector, TheOutputIsTheMatchOfThisCycleAndIsNotKept) {
  Selector selector(1);
  EXPECT_TRUE(selector.step(one(load_slot(), lane(kLoad))).valid[0]);
  EXPECT_FALSE(selector.step(Selector::Inputs{}).valid[0]);
}

TEST(Selector, NothingIsSelectedWhileThePathIsDisabled) {
  Selector::Inputs inputs = one(load_slot(), lane(kLoad));
  inputs.enable = false;
  EXPECT_FALSE(matches_of(inputs).valid[0]);
}

TEST(Selector, EachConditionOfASlotIsNeeded) {
  EXPECT_TRUE(selected(load_slot(), lane(kLoad)));
  EXPECT_FALSE(selected(load_slot(), lane(kAdd)));
  SelectorSlot slot = load_slot();
  slot.enable = false;
  EXPECT_FALSE(selected(slot, lane(kLoad)));
  RetireLane trapped = lane(kLoad);
  trapped.trap = true;
  EXPECT_FALSE(selected(load_slot(), trapped));
  RetireLane invalid = lane(kLoad);
  invalid.valid = false;
  EXPECT_FALSE(selected(load_slot(), invalid));
}

TEST(Selector, EachPrivilegeModeHasABitAndTheReservedModeNeverMatches) {
  for (unsigned bits = 0; bits < 8; ++bits) {
    SelectorSlot slot = load_slot();
    slot.user = (bits & 1) != 0;
    slot.machine = (bits & 2) != 0;
    slot.supervisor = (bits & 4) != 0;
    for (uint8_t mode = 0; mode < 4; ++mode) {
      RetireLane retired = lane(kLoad);
      retired.mode = mode;
      EXPECT_EQ(selected(slot, retired), (mode == 0 && slot.user) ||
                                             (mode == 1 && slot.supervisor) ||
                                             (mode == 3 && slot.machine));
    }
  }
}

TEST(Selector, ThePcRangeIsInclusiveAndUnsigned) {
  SelectorSlot slot = load_slot();
  slot.pc_lo = 0x1000;
  slot.pc_hi = 0x8000000000000000;
  EXPECT_FALSE(selected(slot, lane(kLoad, 0xffe)));
  EXPECT_TRUE(selected(slot, lane(kLoad, 0x1000)));
  EXPECT_TRUE(selected(slot, lane(kLoad, 0x8000000000000000)));
  EXPECT_FALSE(selected(slot, lane(kLoad, 0x8000000000000002)));
}

TEST(Selector, TheKindChoosesTheValue) {
  const uint64_t expected[] = {0xabc, 0x1004, 0x7000, 0xabc};
  for (uint8_t kind = 0; kind < 4; ++kind) {
    SelectorSlot slot = load_slot();
    slot.kind = kind;
    slot.tag = 9;
    const Tuple tuple = matches_of(one(slot, lane(kLoad))).tuple[0];
    EXPECT_EQ(tuple, (Tuple{0x1000, expected[kind], 9}));
  }
}

TEST(Selector, TheLowestNumberedMatchingSlotWins) {
  Selector::Inputs inputs = one(load_slot(), lane(kLoad));
  inputs.slots[0].pc_lo = 0x2000;  // does not match
  inputs.slots[1] = load_slot();
  inputs.slots[1].tag = 1;
  inputs.slots[2] = load_slot();
  inputs.slots[2].tag = 2;
  EXPECT_EQ(matches_of(inputs).tuple[0].tag, 1);
}

TEST(Selector, SlotsBeyondTheParameterAndLanesBeyondTheCountAreNotLookedAt) {
  Selector::Inputs inputs = one(SelectorSlot{}, lane(kLoad));
  inputs.slots[1] = load_slot();
  Selector selector(1);
  EXPECT_FALSE(selector.step(inputs).valid[0]);
  inputs.slots[0] = load_slot();
  inputs.lane[3] = lane(kLoad);
  inputs.lanes = 3;
  const Selector::Outputs out = selector.step(inputs);
  EXPECT_TRUE(out.valid[0]);
  EXPECT_FALSE(out.valid[3]);
}

TEST(Selector, GapsStayAndFieldsOfALaneThatIsNotValidAreZero) {
  Selector selector(1);
  Selector::Inputs inputs = one(load_slot(), lane(kLoad));
  inputs.lane[2] = lane(kLoad, 0x3000);
  selector.step(inputs);
  inputs.lane[0] = lane(kAdd);
  inputs.lane[1] = lane(kAdd);
  const Selector::Outputs out = selector.step(inputs);
  EXPECT_FALSE(out.valid[0]);
  EXPECT_EQ(out.tuple[0], Tuple{});
  EXPECT_TRUE(out.valid[2]);
  EXPECT_EQ(count(out), 1u);
}

TEST(Selector, TheMatchOfACycleWithAClearIsSaidAndItsMarkersAreForgotten) {
  Selector selector(1);
  Selector::Inputs inputs = one(load_slot(), lane(marker(0)));
  inputs.slots[0].marked = true;
  inputs.lane[1] = lane(kLoad);
  inputs.lane[2] = lane(marker(0));
  inputs.clear = true;
  EXPECT_TRUE(selector.step(inputs).valid[1]);
  Selector::Inputs load = one(inputs.slots[0], lane(kLoad));
  EXPECT_FALSE(selector.step(load).valid[0]);
}

TEST(Selector, ANarrowTupleHasTheLowBitsAndTheRangeSeesTheWholePc) {
  Selector selector(1, 40, 8);
  Selector::Inputs inputs = one(load_slot(), lane(kLoad, 0xffff'ff12'3456'789a));
  inputs.slots[0].pc_lo = inputs.slots[0].pc_hi = 0xffff'ff12'3456'789a;
  const Selector::Outputs out = selector.step(inputs);
  ASSERT_TRUE(out.valid[0]);
  EXPECT_EQ(out.tuple[0].pc, 0x12'3456'789au);
  EXPECT_EQ(out.tuple[0].value, 0xbcu) << "of 0xabc";
}

std::string refusal(unsigned selectors, unsigned pc_width, unsigned value_width) {
  try {
    Selector selector(selectors, pc_width, value_width);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Selector, ParametersOutOfRangeAreRefused) {
  EXPECT_EQ(refusal(9, 64, 64), "Selector: selectors: expected 1 to 8, got 9");
  EXPECT_EQ(refusal(1, 0, 64), "Selector: pc_width: expected 1 to 64, got 0");
  EXPECT_EQ(refusal(1, 64, 65), "Selector: value_width: expected 1 to 64, got 65");
  EXPECT_EQ(refusal(8, 1, 1), "");
}

}  // namespace
}  // namespace strobe::profiling
