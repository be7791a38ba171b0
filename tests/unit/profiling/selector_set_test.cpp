#include "sc_models/profiling/observers/selector_set.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/unit/profiling/random_stream.h"

namespace strobe::profiling {
namespace {

TEST(SelectorSet, PicksWhatTheSelectorBlockPicksOnRandomInstructions) {
  RandomSource random(test_seed());
  uint64_t selected = 0;
  for (int round = 0; round < 300; ++round) {
    Selector::Inputs inputs;
    inputs.enable = true;
    inputs.lanes = 1;
    std::vector<SelectorSlot> slots(3);
    for (unsigned i = 0; i < 3; ++i) {
      SelectorSlot& slot = slots[i];
      slot.enable = !random.one_in(4);
      slot.kind = static_cast<uint8_t>(random.below(4));
      slot.user = random.one_in(2);
      slot.machine = random.one_in(2);
      slot.marked = random.one_in(3);
      slot.in_burst = random.one_in(3);
      slot.tag = static_cast<uint8_t>(random.below(2));
      slot.prediction = static_cast<uint8_t>(random.one_in(2) ? 0 : random.below(4));
      slot.opclass = static_cast<uint16_t>(random.word());
      if (random.one_in(2)) {
        slot.pc_lo = random.below(500);
        slot.pc_hi = 500 + random.below(500);
      }
      inputs.slots[i] = slot;
    }
    SelectorSet set(slots);
    Selector selector(3);
    for (int i = 0; i < 300; ++i) {
      RetireRecord record;
      record.insn = static_cast<uint32_t>(random.word()) | 3;
      if (random.one_in(3)) record.insn = 0x00003013 | static_cast<uint32_t>(random.below(2)) << 20;
      record.opclass = op_class(record.insn);
      record.mode = random.one_in(2) ? PrivilegeMode::kUser : PrivilegeMode::kMachine;
      record.trap = random.one_in(8) ? 1 : 0;
      record.mispredicted = random.one_in(3) ? 1 : 0;
      record.in_burst = random.one_in(2) ? 1 : 0;
      record.pc_rdata = random.below(1000);
      record.pc_wdata = random.word();
      record.rd_wdata = random.word();
      record.mem_addr = random.word();
      RetireLane& lane = inputs.lane[0];
      lane.valid = true;
      lane.trap = record.trap != 0;
      lane.mispredicted = record.mispredicted != 0;
      lane.in_burst = record.in_burst != 0;
      lane.mode = static_cast<uint8_t>(record.mode);
      lane.insn = record.insn;
      lane.pc_rdata = record.pc_rdata;
      lane.pc_wdata = record.pc_wdata;
      lane.rd_wdata = record.rd_wdata;
      lane.mem_addr = record.mem_addr;
      const Selector::Outputs out = selector.step(inputs);
      Tuple tuple;
      const bool picked = set.select(record, tuple);
      ASSERT_EQ(picked, out.valid[0]);
      ASSERT_EQ(tuple, out.tuple[0]);
      selected += picked ? 1 : 0;
    }
  }
  EXPECT_GT(selected, 10000u);
}

TEST(SelectorSet, WantsToBeShownTheClassesAndModesOfEnabledSlots) {
  SelectorSlot slot;
  slot.opclass = 0x8001;
  slot.user = true;
  EXPECT_EQ(SelectorSet({slot}).kinds(), RetireKinds());
  slot.enable = true;
  EXPECT_EQ(SelectorSet({slot}).kinds(), RetireKinds(0x8001, 0));
  slot.machine = true;
  EXPECT_EQ(SelectorSet({slot}).kinds(), RetireKinds(0x8001, 0x8001));
  slot.marked = true;
  EXPECT_EQ(SelectorSet({slot}).kinds(), RetireKinds(0xffff, 0xffff));
}

}  // namespace
}  // namespace strobe::profiling
