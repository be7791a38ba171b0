// The answers to requests that wait upstream of a Verilated decode engine are those that it would
// have given at once.
#include "sc_models/profiling/verilated/dise_pipeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "sc_models/profiling/reference/dise/dise_engine.h"
#include "sc_models/profiling/verilated/verilated_dise.h"
#include "tb/common/dise_traffic.h"

namespace strobe::profiling {
namespace {

using ::testing::ElementsAre;

constexpr uint32_t kCall = 0x008000ef;  // jal ra, 8
constexpr uint64_t kFar = 0x80000;      // half the range of a 20-bit counter

/// An engine that notes how it is asked; a reference answers.
class Noting final : public PipelinedEngine {
 public:
  DecodeDecision decode(const DecodeLane* lanes, unsigned count, uint8_t slot) override {
    asked.push_back("decode " + std::to_string(count));
    return engine.decode(lanes, count, slot);
  }
  void feed(const DecodeLane* lanes, unsigned count, uint8_t slot, uint8_t in_burst) override {
    asked.push_back("feed " + std::to_string(count));
    EXPECT_EQ(engine.decode(lanes, count, slot).in_burst, in_burst);
  }
  uint8_t flags() override { return static_cast<uint8_t>(engine.read(0x18)); }
  void restore(DecodeCheckpoint checkpoint) override {
    asked.emplace_back("restore");
    engine.restore(checkpoint);
  }
  InstantiatedInstruction instantiate(const DecodeLane& trigger, uint16_t entry) override {
    return engine.instantiate(trigger, entry);
  }
  bool concerns(const DecodeLane& lane) const override { return engine.concerns(lane); }
  uint64_t generation() const override { return engine.generation(); }
  bool burst() override { return engine.burst(); }
  uint64_t read(uint32_t offset) override { return engine.read(offset); }
  void write(uint32_t offset, uint64_t value) override { engine.write(offset, value); }

  std::vector<std::string> asked;
  DiseEngine engine{DiseParams()};
};

class DisePipelineTest : public testing::Test {
 protected:
  /// Calls are counted by counter 1 from kFar, and replaced once it has overflowed.
  DisePipelineTest() : noting_(new Noting), pipeline_(std::unique_ptr<Noting>(noting_), {}) {
    constexpr uint64_t kAnyWord = 0, kCalls = 1u << 9, kValid = 1u << 21, kReplaces = 1u << 20;
    write_entry(0, kAnyWord, kCalls | kValid, 0xffff, 1);
    write_entry(1, kAnyWord, kCalls | kValid | kReplaces, 0xaaaa, 0);
    pipeline_.write(0x80, kFar);
    pipeline_.write(0x10, 1);
  }
  void write_entry(unsigned entry, uint64_t word, uint64_t kind, uint64_t condition, uint64_t ops) {
    pipeline_.write(0xc0, entry);
    pipeline_.write(0xc8, word);
    pipeline_.write(0xd0, kind);
    pipeline_.write(0xd8, condition);
    pipeline_.write(0xe0, ops);
  }
  DecodeDecision call(uint8_t slot) {
    DecodeLane lane;
    lane.insn = kCall;
    return pipeline_.decode(&lane, 1, slot);
  }

  Noting* noting_;
  DisePipeline pipeline_;
};

TEST_F(DisePipelineTest, FarFromAFlagInstructionsGoABundleAtATimeWhenSomebodyLooks) {
  for (uint8_t k = 0; k < 6; ++k) EXPECT_EQ(call(k).consumed, 1u);
  EXPECT_FALSE(pipeline_.burst());
  EXPECT_TRUE(noting_->asked.empty());
  EXPECT_EQ(pipeline_.read(0x80), kFar + 6);
  EXPECT_THAT(noting_->asked, ElementsAre("feed 4", "feed 2"));
}

TEST_F(DisePipelineTest, TheStepThatSetsAFlagIsTheLastOneForeseen) {
  pipeline_.write(0x80, 0xffffd);
  for (uint8_t k = 0; k < 3; ++k) EXPECT_FALSE(call(k).replaced);
  EXPECT_TRUE(noting_->asked.empty());
  EXPECT_TRUE(call(3).replaced);
  EXPECT_THAT(noting_->asked, ElementsAre("feed 3", "decode 1"));
}

// A counter at 0 is there again with two steps, one up and one down.
TEST_F(DisePipelineTest, FromACounterAt0TwoStepsAreForeseen) {
  pipeline_.write(0x80, 0);
  for (uint8_t k = 0; k < 3; ++k) EXPECT_EQ(call(k).consumed, 1u);
  EXPECT_THAT(noting_->asked, ElementsAre("feed 2"));
}

TEST_F(DisePipelineTest, WhatIsSquashedWhileItWaitsNeverGetsThere) {
  for (uint8_t k = 0; k < 5; ++k) call(k);
  pipeline_.restore({2, 0});
  EXPECT_EQ(pipeline_.read(0x80), kFar + 3);
  EXPECT_THAT(noting_->asked, ElementsAre("feed 3"));
  call(5);
  EXPECT_EQ(pipeline_.read(0x80), kFar + 4);
  pipeline_.restore({1, 0});
  EXPECT_EQ(pipeline_.read(0x80), kFar + 2);
  EXPECT_THAT(noting_->asked, ElementsAre("feed 3", "feed 1", "restore"));
}

TEST_F(DisePipelineTest, ACheckpointThatIsGoneIsRefused) {
  for (uint8_t k = 0; k < 5; ++k) call(k);
  pipeline_.restore({2, 0});
  EXPECT_THROW(pipeline_.restore({4, 0}), std::logic_error);
}

// Few productions replace and counters are seldom near their ends, so that much is foreseen.
TEST(VerilatedDisePipeline, AnswersAsTheReferenceWithoutBeingLookedAt) {
  const std::unique_ptr<DecodeEngine> rtl = make_verilated_dise({});
  DiseEngine reference{DiseParams{}};
  tb::DiseTraffic traffic(DiseParams{}, 3);
  tb::Random& random = traffic.random();
  const auto both = [&](uint32_t offset, uint64_t value) {
    rtl->write(offset, value);
    reference.write(offset, value);
  };
  unsigned replaced = 0, bursts = 0, restored = 0;
  std::vector<uint8_t> since;  // the slots since the last write or restore
  for (unsigned k = 0; k < 60000; ++k) {
    if (k % 500 == 0) {
      since.clear();
      traffic.program(both);
      for (const uint32_t counter : {0x80u, 0x88u}) {
        both(counter, tb::chance(random, 50) ? 0x80000 : 0xfffff - tb::below(random, 100));
      }
    }
    const DecodeLane lanes[] = {traffic.lane(), traffic.lane(), traffic.lane(), traffic.lane()};
    const auto count = static_cast<unsigned>(1 + tb::below(random, tb::chance(random, 70) ? 1 : 4));
    const auto slot = static_cast<uint8_t>(k % 32);
    const DecodeDecision a = rtl->decode(lanes, count, slot);
    const DecodeDecision b = reference.decode(lanes, count, slot);
    ASSERT_EQ(a.consumed, b.consumed) << k;
    ASSERT_EQ(a.replaced, b.replaced) << k;
    ASSERT_EQ(a.entry, b.entry) << k;
    ASSERT_EQ(a.in_burst, b.in_burst) << k;
    replaced += b.replaced ? 1 : 0;
    bursts += b.in_burst != 0 ? 1 : 0;
    if (b.replaced && tb::chance(random, 20)) {
      const DecodeLane& trigger = lanes[b.consumed - 1];
      ASSERT_EQ(rtl->instantiate(trigger, b.entry).insn,
                reference.instantiate(trigger, b.entry).insn);
    }
    since.push_back(slot);
    // The restored place is lane 0 of one of the last slots: everything after it is squashed.
    if (tb::chance(random, 5)) {
      const uint64_t back = 1 + tb::below(random, std::min<uint64_t>(since.size(), 4));
      const DecodeCheckpoint to{since[since.size() - back], 0};
      rtl->restore(to);
      reference.restore(to);
      since.assign(1, to.slot);
      ++restored;
    }
    if (tb::chance(random, 10)) {
      ASSERT_EQ(rtl->burst(), reference.burst()) << k;
    }
    if (!tb::chance(random, 2)) continue;
    for (const uint32_t offset : {0x18u, 0x80u, 0x88u}) {
      ASSERT_EQ(rtl->read(offset), reference.read(offset)) << k;
    }
  }
  EXPECT_GT(replaced, 1000u);
  EXPECT_GT(bursts, 1000u);
  EXPECT_GT(restored, 500u);
}

}  // namespace
}  // namespace strobe::profiling
