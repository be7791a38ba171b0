// The Verilated decode engine as a shared object that implements sc_models/port/decode_engine.h.
#include "sc_models/profiling/verilated/verilated_dise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <utility>

#include "sc_models/profiling/reference/dise/dise_engine.h"
#include "tb/common/dise_traffic.h"

namespace strobe::profiling {
namespace {

TEST(VerilatedDise, AnswersAsTheReference) {
  const std::unique_ptr<DecodeEngine> rtl = make_verilated_dise({});
  DiseEngine reference{DiseParams{}};
  tb::DiseTraffic traffic(DiseParams{}, 1);
  const auto both = [&](uint32_t offset, uint64_t value) {
    rtl->write(offset, value);
    reference.write(offset, value);
  };
  unsigned replaced = 0;
  for (unsigned k = 0; k < 2000; ++k) {
    if (k % 200 == 0) traffic.program(both);
    const DecodeLane lanes[] = {traffic.lane(), traffic.lane(), traffic.lane(), traffic.lane()};
    const auto slot = static_cast<uint8_t>(k % 32);
    const DecodeDecision a = rtl->decode(lanes, 4, slot), b = reference.decode(lanes, 4, slot);
    ASSERT_EQ(a.consumed, b.consumed) << k;
    ASSERT_EQ(a.replaced, b.replaced) << k;
    ASSERT_EQ(a.entry, b.entry) << k;
    ASSERT_EQ(a.in_burst, b.in_burst) << k;
    ASSERT_EQ(rtl->concerns(lanes[0]), reference.concerns(lanes[0])) << k;
    ASSERT_EQ(rtl->burst(), reference.burst()) << k;
    replaced += b.replaced;
    if (k % 7 == 0) {
      rtl->restore({slot, 0});
      reference.restore({slot, 0});
    }
    ASSERT_EQ(rtl->read(0x80), reference.read(0x80)) << k;
  }
  EXPECT_GT(replaced, 0u);
}

// One instruction counts counter 1 down from 0, the next one up again: it overflows, a burst
// begins.
TEST(VerilatedDise, ACounterThatLeaves0IsBackWithTwoSteps) {
  constexpr uint32_t kDown = 0x00100013, kUp = 0x00200013, kOther = 0x00000013;
  const std::unique_ptr<DecodeEngine> rtl = make_verilated_dise({});
  DiseEngine reference{DiseParams{}};
  for (DecodeEngine* engine : {rtl.get(), static_cast<DecodeEngine*>(&reference)}) {
    uint64_t index = 0;
    for (const auto& [word, op] : {std::pair(kDown, 2), std::pair(kUp, 1)}) {
      engine->write(0xc0, index++);
      engine->write(0xc8, uint64_t{0xffffffff} << 32 | word);
      engine->write(0xd0, 0xffff | 1 << 21);
      engine->write(0xd8, ~uint64_t{0});
      engine->write(0xe0, static_cast<uint64_t>(op));
    }
    engine->write(0x10, 1);
    DecodeLane lanes[4];
    for (unsigned k = 0; k < 4; ++k) {
      lanes[k].insn = k == 0 ? kDown : k == 1 ? kUp : kOther;
      lanes[k].length = 4;
    }
    EXPECT_EQ(engine->decode(lanes, 4, 0).in_burst, 0b1100);
    EXPECT_TRUE(engine->burst());
  }
}

TEST(VerilatedDise, ChangesItsGenerationWithThePatterns) {
  const std::unique_ptr<DecodeEngine> rtl = make_verilated_dise({});
  const uint64_t before = rtl->generation();
  rtl->write(0x10, 1);
  EXPECT_NE(rtl->generation(), before);
}

std::string error_of(const DisePoint& point) {
  try {
    make_verilated_dise(point);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(VerilatedDise, RefusesParametersOutOfRange) {
  EXPECT_EQ(error_of({3, 2, 20, 0}), "decode engine: lanes must be 1, 2 or 4, got 3");
  EXPECT_EQ(error_of({4, 4, 20, 0}), "decode engine: counters must be 1 to 3, got 4");
  EXPECT_EQ(error_of({4, 2, 7, 0}), "decode engine: counter_width must be 8 to 32, got 7");
  EXPECT_EQ(error_of({4, 2, 20, 2}), "decode engine: flag_timing must be 0 or 1, got 2");
}

}  // namespace
}  // namespace strobe::profiling
