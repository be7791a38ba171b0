#include "sc_models/profiling/reference/message/register_block.h"

#include <gtest/gtest.h>

#include "sc_models/profiling/reference/common/saturate.h"
#include "sc_models/profiling/reference/profiler_path.h"
#include "tests/unit/profiling/path_driver.h"

namespace strobe::profiling {
namespace {

using Inputs = RegisterBlock::Inputs;

Inputs write_inputs(uint16_t addr, uint64_t value) {
  Inputs inputs;
  inputs.we = true;
  inputs.addr = addr;
  inputs.wdata = value;
  return inputs;
}

uint64_t value_of(const RegisterBlock& block, uint16_t addr,
                  const RegisterBlock::Hardware& hardware = {}) {
  return block.read(addr, false, hardware).rdata;
}

TEST(RegisterBlock, IdAndCapabilitiesDescribeTheInstance) {
  PathParams params;
  params.lanes = 3;
  params.selectors = 5;
  const RegisterBlock block(params);
  EXPECT_EQ(value_of(block, kRegId), 0x0002000042525453u);
  EXPECT_EQ(value_of(block, kRegCap0),
            3u | 5u << 8 | 4u << 16 | 32u << 24 | 128ull << 32 | 256ull << 48);
  EXPECT_EQ(value_of(block, kRegCap1), 2048u | 8u << 16 | 1u << 24);
}

TEST(RegisterBlock, CapabilitiesDescribeTheCompressor) {
  PathParams params;
  params.compressor = 1;
  params.sampler = 2;
  params.hash = 3;
  params.banks = 4;
  params.ways = 5;
  params.tag_bits = 6;
  params.miss_width = 7;
  params.second_entries = 8;
  params.second_width = 9;
  params.ring = 1;
  const RegisterBlock block(params);
  EXPECT_EQ(value_of(block, kRegCap1), 2048u | 8u << 16 | 2u << 24 | 1ull << 32);
  EXPECT_EQ(value_of(block, kRegCap2), 0x0908070605000300u) << "a tagged one has no banks";
}

TEST(RegisterBlock, AnEntryThatIsReadOutIsShownWithItsTuple) {
  const RegisterBlock block{PathParams{}};
  RegisterBlock::Hardware hardware;
  hardware.table.held.count = 0x12345;
  EXPECT_EQ(value_of(block, kRegTableData, hardware), 0x12345u);
  hardware.table = {true, Message{Tuple{0x1000, 0x2000, 5}, 0xffffff}};
  EXPECT_EQ(value_of(block, kRegTableData, hardware),
            uint64_t{1} << 63 | uint64_t{5} << 32 | 0xffffff);
  EXPECT_EQ(value_of(block, kRegTablePc, hardware), 0x1000u);
  EXPECT_EQ(value_of(block, kRegTableValue, hardware), 0x2000u);
}

TEST(RegisterBlock, ResetValuesAreThoseOfTheRegisterFile) {
  const RegisterBlock block{PathParams{}};
  EXPECT_EQ(value_of(block, kRegCtrl), 0u);
  EXPECT_EQ(value_of(block, kRegRegwen), 1u);
  EXPECT_EQ(value_of(block, kRegPeriod), 256u);
  EXPECT_EQ(value_of(block, kRegThreshold), sampling_threshold(256));
  EXPECT_EQ(value_of(block, kRegSeed), 0u);
  EXPECT_EQ(value_of(block, kRegEviction), 128u | 8u << 16);
  EXPECT_EQ(value_of(block, kRegWatermark), 0u);
  EXPECT_EQ(value_of(block, kRegSelCtrl), 0u);
  EXPECT_EQ(value_of(block, kRegSelPcLo), 0u);
  EXPECT_EQ(value_of(block, kRegSelPcHi), ~uint64_t{0});
}

TEST(RegisterBlock, ReadsWhereNoRegisterIsGiveZeroAndAnError) {
  const RegisterBlock block{PathParams{}};
  for (const unsigned offset : {0xd0u, 0xf8u, 0x118u, 0x1f8u, 0x200u, 0xff8u}) {
    const auto addr = static_cast<uint16_t>(offset);
    const RegisterBlock::Outputs out = block.read(addr, true, {});
    EXPECT_TRUE(out.error) << addr;
    EXPECT_EQ(out.rdata, 0u);
  }
}

TEST(RegisterBlock, SlotsBeyondTheParameterReadZeroIgnoreWritesAndAreNoError) {
  PathParams params;
  params.selectors = 2;
  RegisterBlock block(params);
  for (const unsigned offset : {0x120u, 0x128u, 0x130u}) {
    const auto addr = static_cast<uint16_t>(offset);
    block.step(write_inputs(addr, 0xfff0ff7));
    EXPECT_NE(value_of(block, addr), 0u);
  }
  for (const unsigned offset : {0x140u, 0x148u, 0x150u, 0x1e0u, 0x1f0u}) {
    const auto addr = static_cast<uint16_t>(offset);
    block.step(write_inputs(addr, ~uint64_t{0}));
    const RegisterBlock::Outputs out = block.read(addr, false, {});
    EXPECT_FALSE(out.error) << addr;
    EXPECT_EQ(out.rdata, 0u) << addr;
  }
}

TEST(RegisterBlock, FieldsNotListedReadZero) {
  RegisterBlock block{PathParams{}};
  for (const uint16_t addr : std::initializer_list<uint16_t>{
           kRegCtrl, kRegIntrEnable, kRegIntrTest, kRegWatermark, kRegTableIndex, kRegSelCtrl,
           kRegThreshold, kRegEviction, kRegSeed}) {
    block.step(write_inputs(addr, ~uint64_t{0}));
  }
  EXPECT_EQ(value_of(block, kRegCtrl), 1u);
  EXPECT_EQ(value_of(block, kRegIntrEnable), 3u);
  EXPECT_EQ(value_of(block, kRegIntrTest), 3u);
  EXPECT_EQ(value_of(block, kRegWatermark), 256u) << "the buffer's depth";
  EXPECT_EQ(value_of(block, kRegTableIndex), 0xffffu);
  EXPECT_EQ(value_of(block, kRegSelCtrl), 0xffff3fffu);
  EXPECT_EQ(value_of(block, kRegThreshold), 0xffffffffu);
  EXPECT_EQ(value_of(block, kRegEviction), 0x1fff1fffu);
  EXPECT_EQ(value_of(block, kRegSeed), ~uint64_t{0});
}

TEST(RegisterBlock, AWriteChangesTheRegisterAtTheEndOfItsCycle) {
  RegisterBlock block{PathParams{}};
  EXPECT_EQ(block.step(write_inputs(kRegPeriod, 17)).rdata, 256u);
  EXPECT_EQ(value_of(block, kRegPeriod), 17u);
}

TEST(RegisterBlock, ThePeriodIsLimitedByTheCounterWidth) {
  PathParams params;
  params.counter_width = 4;
  RegisterBlock block(params);
  EXPECT_EQ(value_of(block, kRegPeriod), 16u);  // the reset value too
  block.step(write_inputs(kRegPeriod, 17));
  EXPECT_EQ(value_of(block, kRegPeriod), 16u);
  block.step(write_inputs(kRegPeriod, 0));
  EXPECT_EQ(value_of(block, kRegPeriod), 0u);
}

// What was 1, or no interrupt ever, when only the field was looked at.
TEST(RegisterBlock, ANumberThatIsTooLargeIsTheLargestWhicheverBitMakesItSo) {
  PathParams params;
  params.buffer_depth = 64;
  RegisterBlock block(params);
  for (unsigned bit = 13; bit < 64; ++bit) {
    const uint64_t large = uint64_t{1} << bit;
    block.step(write_inputs(kRegPeriod, large));
    EXPECT_EQ(value_of(block, kRegPeriod), 256u) << bit;
    block.step(write_inputs(kRegWatermark, large));
    EXPECT_EQ(value_of(block, kRegWatermark), 64u) << bit;
    block.step(write_inputs(kRegThreshold, large));
    EXPECT_EQ(value_of(block, kRegThreshold), std::min<uint64_t>(large, 0xffffffff)) << bit;
    block.step(write_inputs(kRegEviction, large));
    EXPECT_EQ(value_of(block, kRegEviction), bit < 16   ? 0x1fffu
                                             : bit < 29 ? large
                                                        : 0x1fff0000u)
        << bit;
  }
  block.step(write_inputs(kRegWatermark, 64));
  EXPECT_EQ(value_of(block, kRegWatermark), 64u);
  block.step(write_inputs(kRegWatermark, 65));
  EXPECT_EQ(value_of(block, kRegWatermark), 64u);
}

TEST(RegisterBlock, ThePeriodOfACountdownIsHalfAsLarge) {
  PathParams params;
  params.counter_width = 4;
  params.sampler = 2;
  RegisterBlock block(params);
  EXPECT_EQ(value_of(block, kRegPeriod), 8u);
  block.step(write_inputs(kRegPeriod, 9));
  EXPECT_EQ(value_of(block, kRegPeriod), 8u);
  params.compressor = 1;  // a tagged sampler has no countdown
  EXPECT_EQ(value_of(RegisterBlock(params), kRegPeriod), 16u);
}

TEST(RegisterBlock, RegwenLocksTheConfigurationUntilReset) {
  RegisterBlock block{PathParams{}};
  block.step(write_inputs(kRegRegwen, 0));
  block.step(write_inputs(kRegRegwen, 1));
  EXPECT_EQ(value_of(block, kRegRegwen), 0u);
  for (const uint16_t addr :
       std::initializer_list<uint16_t>{kRegPeriod, kRegThreshold, kRegSeed, kRegEviction,
                                       kRegWatermark, kRegSelCtrl, kRegSelPcLo, kRegSelPcHi}) {
    const uint64_t before = value_of(block, addr);
    block.step(write_inputs(addr, before ^ 0x21));
    EXPECT_EQ(value_of(block, addr), before) << addr;
  }
  block.step(write_inputs(kRegCtrl, 1));
  block.step(write_inputs(kRegTableIndex, 5));
  EXPECT_EQ(value_of(block, kRegCtrl), 1u);
  EXPECT_EQ(value_of(block, kRegTableIndex), 5u);
}

TEST(RegisterBlock, ClearIsOneForOneCycleAndReadsAsZero) {
  RegisterBlock block{PathParams{}};
  block.step(write_inputs(kRegCtrl, 3));
  EXPECT_TRUE(block.config().clear);
  EXPECT_EQ(value_of(block, kRegCtrl), 1u);
  block.step(Inputs{});
  EXPECT_FALSE(block.config().clear);
}

TEST(RegisterBlock, ClearZeroesTheCountersAndKeepsTheConfiguration) {
  RegisterBlock block{PathParams{}};
  block.step(write_inputs(kRegPeriod, 7));
  Inputs inputs;
  inputs.hardware.selected = 3;
  inputs.hardware.stall = true;
  inputs.hardware.drop = true;
  block.step(inputs);
  EXPECT_EQ(value_of(block, kRegEvents), 3u);
  EXPECT_EQ(value_of(block, kRegStalls), 1u);
  EXPECT_EQ(value_of(block, kRegIntrState), 2u);
  block.step(write_inputs(kRegCtrl, kCtrlClear));
  EXPECT_EQ(value_of(block, kRegEvents), 3u);
  block.step(inputs);  // the cycle of the clear: it wins over all that happens in it
  EXPECT_EQ(value_of(block, kRegEvents), 0u);
  EXPECT_EQ(value_of(block, kRegStalls), 0u);
  EXPECT_EQ(value_of(block, kRegIntrState), 0u);
  EXPECT_EQ(value_of(block, kRegPeriod), 7u);
}

TEST(RegisterBlock, ADropInTheCycleOfAWriteOfOneWins) {
  RegisterBlock block{PathParams{}};
  Inputs drop;
  drop.hardware.drop = true;
  block.step(drop);
  block.step(write_inputs(kRegIntrState, 1));
  EXPECT_EQ(value_of(block, kRegIntrState), 2u);
  Inputs both = write_inputs(kRegIntrState, 2);
  both.hardware.drop = true;
  block.step(both);
  EXPECT_EQ(value_of(block, kRegIntrState), 2u);
  block.step(write_inputs(kRegIntrState, 2));
  EXPECT_EQ(value_of(block, kRegIntrState), 0u);
}

TEST(RegisterBlock, WatermarkZeroNeverInterruptsAndOthersAreALevel) {
  RegisterBlock block{PathParams{}};
  block.step(write_inputs(kRegIntrEnable, 1));
  RegisterBlock::Hardware hardware;
  hardware.level = 256;
  EXPECT_FALSE(block.cause(256));
  block.step(write_inputs(kRegWatermark, 4));
  for (uint32_t level = 0; level < 8; ++level) {
    hardware.level = level;
    EXPECT_EQ(block.cause(level), level >= 4);
    EXPECT_EQ(value_of(block, kRegIntrState, hardware), level >= 4 ? 1u : 0u);
  }
}

TEST(RegisterBlock, IntrTestRaisesEachCauseAndIntrEnableGatesTheLine) {
  for (unsigned test = 0; test < 4; ++test) {
    for (unsigned enable = 0; enable < 4; ++enable) {
      RegisterBlock block{PathParams{}};
      block.step(write_inputs(kRegIntrTest, test));
      block.step(write_inputs(kRegIntrEnable, enable));
      EXPECT_EQ(value_of(block, kRegIntrState), test);
      EXPECT_EQ(block.cause(0), (test & enable) != 0);
    }
  }
}

TEST(RegisterBlock, TheInterruptFollowsItsCauseOneCycleLater) {
  RegisterBlock block{PathParams{}};
  block.step(write_inputs(kRegWatermark, 4));
  block.step(write_inputs(kRegIntrEnable, 1));
  Inputs inputs;
  std::vector<bool> seen;
  for (const unsigned level : {3u, 4u, 4u, 3u, 3u}) {
    inputs.hardware.level = level;
    seen.push_back(block.step(inputs).irq);
  }
  EXPECT_EQ(seen, (std::vector<bool>{false, false, true, true, false}));
}

RegisterBlock::Hardware with_message() {
  RegisterBlock::Hardware hardware;
  hardware.msg_valid = true;
  hardware.head = Message{Tuple{0x1000, 0x2000, 5}, 77};
  return hardware;
}

Inputs read_inputs(uint16_t addr, const RegisterBlock::Hardware& hardware) {
  Inputs inputs;
  inputs.re = true;
  inputs.addr = addr;
  inputs.hardware = hardware;
  return inputs;
}

TEST(RegisterBlock, AMessageThatArrivesAfterMsgPcWasReadIsNotTaken) {
  RegisterBlock block{PathParams{}};
  EXPECT_EQ(block.step(read_inputs(kRegMsgPc, {})).rdata, 0u);
  const RegisterBlock::Outputs meta = block.step(read_inputs(kRegMsgMeta, with_message()));
  EXPECT_EQ(meta.rdata, 0u);
  EXPECT_FALSE(meta.pop);
}

TEST(RegisterBlock, MsgMetaTakesAMessageOnceAfterEachMsgPc) {
  RegisterBlock block{PathParams{}};
  block.step(read_inputs(kRegMsgPc, with_message()));
  block.step(read_inputs(kRegMsgPc, with_message()));
  EXPECT_EQ(block.step(read_inputs(kRegMsgValue, with_message())).rdata, 0x2000u);
  EXPECT_TRUE(block.step(read_inputs(kRegMsgMeta, with_message())).pop);
  EXPECT_EQ(block.step(read_inputs(kRegMsgValue, with_message())).rdata, 0u);
  EXPECT_FALSE(block.step(read_inputs(kRegMsgMeta, with_message())).pop);
}

TEST(RegisterBlock, AClearOrACycleWithoutAMessageEndsWhatMsgPcShowed) {
  RegisterBlock block{PathParams{}};
  block.step(read_inputs(kRegMsgPc, with_message()));
  block.step(write_inputs(kRegCtrl, kCtrlClear));  // also a cycle without a message
  EXPECT_FALSE(block.read(kRegMsgMeta, true, with_message()).pop);
  block.step(read_inputs(kRegMsgPc, with_message()));  // the cycle of the clear, which wins
  EXPECT_FALSE(block.read(kRegMsgMeta, true, with_message()).pop);
  block.step(read_inputs(kRegMsgPc, with_message()));
  EXPECT_TRUE(block.read(kRegMsgMeta, true, with_message()).pop);
  Inputs others = write_inputs(kRegPeriod, 3);
  others.hardware = with_message();
  block.step(others);
  EXPECT_TRUE(block.read(kRegMsgMeta, true, with_message()).pop);
  block.step(Inputs{});
  EXPECT_FALSE(block.read(kRegMsgMeta, true, with_message()).pop);
}

TEST(RegisterBlock, OnlyAReadWithReadEnablePopsAMessage) {
  RegisterBlock block{PathParams{}};
  const RegisterBlock::Hardware hardware = with_message();
  block.step(read_inputs(kRegMsgPc, hardware));
  EXPECT_TRUE(block.read(kRegMsgMeta, true, hardware).pop);
  EXPECT_FALSE(block.read(kRegMsgMeta, false, hardware).pop);
  EXPECT_FALSE(block.read(kRegMsgPc, true, hardware).pop);
  EXPECT_EQ(value_of(block, kRegMsgPc, hardware), 0x1000u);
  EXPECT_EQ(value_of(block, kRegMsgValue, hardware), 0x2000u);
  EXPECT_EQ(value_of(block, kRegMsgMeta, hardware), uint64_t{1} << 63 | uint64_t{5} << 32 | 77);
  EXPECT_EQ(value_of(block, kRegMsgMeta), 0u);
}

TEST(SaturatingAdd, StopsAtTheLargestCountAndIsExactBelow) {
  EXPECT_EQ(saturating_add(UINT32_MAX - 3, 2), UINT32_MAX - 1);
  EXPECT_EQ(saturating_add(UINT32_MAX - 3, 3), UINT32_MAX);
  EXPECT_EQ(saturating_add(UINT32_MAX - 3, 4), UINT32_MAX);
  EXPECT_EQ(saturating_add(UINT32_MAX, UINT32_MAX), UINT32_MAX);
}

TEST(RegisterBlock, EventsWrapAt48Bits) {
  RegisterBlock block{PathParams{}};
  Inputs inputs;
  inputs.hardware.selected = UINT32_MAX;
  // 2^48 events in steps of 2^32 - 1: 65536 steps end 65536 below the wrap.
  for (int i = 0; i < 65536; ++i) block.step(inputs);
  EXPECT_EQ(value_of(block, kRegEvents), (uint64_t{1} << 48) - 65536);
  inputs.hardware.selected = 65537;
  block.step(inputs);
  EXPECT_EQ(value_of(block, kRegEvents), 1u);
}

}  // namespace
}  // namespace strobe::profiling
