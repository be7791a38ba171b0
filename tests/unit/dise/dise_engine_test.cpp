#include "sc_models/profiling/reference/dise/dise_engine.h"

#include <gtest/gtest.h>

#include <random>
#include <stdexcept>
#include <string>

#include "tests/unit/dise/productions.h"

namespace strobe::profiling {
namespace {

constexpr uint32_t kAdd = 0x00b50533;  // add a0, a0, a1
constexpr uint32_t kJalRa = 0x000000ef;
constexpr uint32_t kBeq = 0x00b50063;
constexpr uint32_t kLoad = 0x0005b503;   // ld a0, 0(a1)
constexpr uint32_t kMinus = 0xfff50513;  // addi a0, a0, -1
constexpr uint32_t kPlus = 0x00150513;   // addi a0, a0, 1

DecodeLane lane(uint32_t insn, uint64_t target = 0) {
  DecodeLane l;
  l.pc = 0x1000;
  l.insn = insn;
  l.target = target;
  return l;
}
DecodeLane call() { return lane(kJalRa, 0x2000); }
DecodeLane back() { return lane(kBeq, 0x0f00); }
DecodeLane ahead() { return lane(kBeq, 0x1100); }

DecodeDecision one(DiseEngine& engine, const DecodeLane& l) { return engine.decode(&l, 1, 0); }

// An engine with these productions, counters at zero, enabled.
DiseEngine engine_with(const std::vector<DisePattern>& patterns, DiseParams params = DiseParams()) {
  DiseEngine engine(params);
  load_patterns(engine, patterns);
  engine.write(kDiseCtrl, kDiseCtrlEnable);
  return engine;
}

TEST(DisePatterns, MatchWordAndMask) {
  DisePattern p = production(0xffff, kAlways, on_counter(1, CounterOp::kIncrement));
  p.value = 0x33;
  p.mask = 0x7f;
  DiseEngine engine = engine_with({p});
  EXPECT_TRUE(engine.concerns(lane(kAdd)));
  EXPECT_FALSE(engine.concerns(lane(kLoad)));
}

TEST(DisePatterns, ClassesThatAreNotNamedDoNotMatch) {
  DiseEngine engine =
      engine_with({production(kMemory, kAlways, on_counter(1, CounterOp::kIncrement))});
  one(engine, lane(kLoad));
  one(engine, lane(kAdd));
  EXPECT_EQ(engine.state().counter[0], 1u);
}

TEST(DisePatterns, BackwardIncludesABranchToItself) {
  DisePattern p = production(0xffff, kAlways, on_counter(1, CounterOp::kIncrement));
  p.direction = DiseDirection::kBackward;
  DiseEngine backward_only = engine_with({p});
  p.direction = DiseDirection::kForward;
  DiseEngine forward_only = engine_with({p});
  EXPECT_TRUE(backward_only.concerns(lane(kBeq, 0x1000)));
  EXPECT_TRUE(backward_only.concerns(back()));
  EXPECT_FALSE(backward_only.concerns(ahead()));
  EXPECT_FALSE(forward_only.concerns(lane(kBeq, 0x1000)));
  EXPECT_TRUE(forward_only.concerns(ahead()));
  EXPECT_TRUE(forward_only.concerns(call()));
}

TEST(DisePatterns, AnInstructionWithoutADirectTargetHasNoDirection) {
  const uint32_t ret = 0x00008067;
  for (DiseDirection direction : {DiseDirection::kBackward, DiseDirection::kForward}) {
    DisePattern p = production(0xffff, kAlways, on_counter(1, CounterOp::kIncrement));
    p.direction = direction;
    DiseEngine engine = engine_with({p});
    EXPECT_FALSE(engine.concerns(lane(ret)));
    EXPECT_FALSE(engine.concerns(lane(kAdd)));
  }
}

TEST(DisePatterns, TheSignIsThatOfTheFormatsImmediate) {
  DisePattern p = production(0xffff, kAlways, on_counter(1, CounterOp::kIncrement));
  p.sign = DiseSign::kNegative;
  DiseEngine negative = engine_with({p});
  p.sign = DiseSign::kNotNegative;
  DiseEngine not_negative = engine_with({p});
  const uint32_t amo = 0xe0b5a52f;  // amomaxu.w: bit 31 is set and is no immediate
  for (const auto& [insn, is_negative] :
       {std::pair<uint32_t, bool>{kMinus, true}, {kPlus, false}, {kAdd, false}, {amo, false}}) {
    EXPECT_EQ(negative.concerns(lane(insn)), is_negative) << std::hex << insn;
    EXPECT_NE(not_negative.concerns(lane(insn)), is_negative) << std::hex << insn;
  }
}

TEST(DiseEngine, ConcernsNothingWhileDisabled) {
  DiseEngine engine = engine_with(framework());
  EXPECT_TRUE(engine.concerns(call()));
  const uint64_t before = engine.generation();
  engine.write(kDiseCtrl, 0);
  EXPECT_NE(engine.generation(), before);
  EXPECT_FALSE(engine.concerns(call()));
  one(engine, call());
  EXPECT_EQ(engine.state(), DiseState());
}

TEST(DiseEngine, AnEntryThatCanNeverActConcernsNothing) {
  const uint16_t inc = on_counter(1, CounterOp::kIncrement);
  EXPECT_FALSE(engine_with({production(0xffff, 0, inc)}).concerns(call()));
  EXPECT_FALSE(engine_with({production(0xffff, kAlways, 0)}).concerns(call()));
}

TEST(DiseEngine, SeveralNullEntriesAndOneReplacementActOnOneInstruction) {
  const uint16_t inc1 = on_counter(1, CounterOp::kIncrement);
  const uint16_t inc2 = on_counter(2, CounterOp::kIncrement);
  DiseEngine engine = engine_with(
      {production(kCalls, kAlways, inc1), replaced_at(production(kCalls, kAlways, 0), 7),
       replaced_at(production(kCalls, kAlways, 0), 9), production(kCalls, kAlways, inc2)});
  const DecodeDecision decision = one(engine, call());
  EXPECT_TRUE(decision.replaced);
  EXPECT_EQ(decision.entry, 7);
  EXPECT_EQ(engine.state().counter[0], 1u);
  EXPECT_EQ(engine.state().counter[1], 1u);
}

TEST(DiseEngine, TheFirstEntryThatOperatesOnACounterWins) {
  DiseEngine engine =
      engine_with({production(kCalls, kAlways, on_counter(1, CounterOp::kDecrement)),
                   production(kCalls, kAlways, on_counter(1, CounterOp::kIncrement))});
  one(engine, call());
  EXPECT_EQ(engine.state().counter[0], 0xfffffu);
}

TEST(DiseEngine, WithoutExpandNothingIsReplacedButNullEntriesFire) {
  DiseEngine engine = engine_with(
      {production(kCalls, kAlways, on_counter(1, CounterOp::kIncrement)),
       replaced_at(production(kCalls, kAlways, on_counter(2, CounterOp::kIncrement)), 3)});
  DecodeLane l = call();
  l.expand = false;
  EXPECT_FALSE(one(engine, l).replaced);
  EXPECT_EQ(engine.state().counter[0], 1u);
  EXPECT_EQ(engine.state().counter[1], 0u);
}

TEST(DiseEngine, FlagsAreSticky) {
  DiseParams narrow;
  narrow.counter_width = 2;
  DiseEngine engine =
      engine_with({production(kCalls, kAlways, on_counter(1, CounterOp::kIncrement)),
                   production(kMemory, kAlways, on_counter(1, CounterOp::kDecrement))},
                  narrow);
  for (unsigned i = 0; i < 3; ++i) one(engine, call());
  EXPECT_EQ(engine.state().flags, 0);
  one(engine, call());
  EXPECT_EQ(engine.state().counter[0], 0u);
  EXPECT_EQ(engine.state().flags, 1);  // overflow, and not zero: that is a decrement's
  one(engine, call());
  EXPECT_EQ(engine.state().flags, 1);
  one(engine, lane(kLoad));
  EXPECT_EQ(engine.state().flags, 3);
  one(engine, lane(kLoad));
  EXPECT_EQ(engine.state().counter[0], 3u);
  EXPECT_EQ(engine.state().flags, 3);
}

TEST(DiseEngine, ASetLoadsTheControlCopyAndClearsBothFlags) {
  DiseParams narrow;
  narrow.counter_width = 4;
  DiseEngine engine =
      engine_with({production(kCalls, kAlways, on_counter(1, CounterOp::kIncrement)),
                   production(kMemory, kAlways, on_counter(1, CounterOp::kSet, 5))},
                  narrow);
  for (unsigned i = 0; i < 16; ++i) one(engine, call());
  EXPECT_TRUE(engine.burst());
  engine.write(kDiseReg + 8 * 5, 0x12d);
  EXPECT_EQ(engine.read(kDiseReg + 8 * 5), 0xdu);
  one(engine, lane(kLoad));
  EXPECT_EQ(engine.state().counter[0], 0xdu);
  EXPECT_FALSE(engine.burst());
}

// Lanes of a bundle have the position before each of them.
TEST(DiseEngine, ABurstIsOnWhileTheFirstCounterHasOverflowedAndTheSecondHasNot) {
  DiseEngine engine = engine_with(framework(), DiseParams{});
  set_thresholds(engine, 3, 2);
  const DecodeLane calls[] = {call(), call(), call(), call()};
  EXPECT_EQ(engine.decode(calls, 4, 0).in_burst, 0b1000);  // the first three fill counter 1
  EXPECT_TRUE(engine.burst());
  EXPECT_EQ(engine.decode(calls, 4, 0).in_burst, 0b0001);  // two a burst, the next reloads
  EXPECT_FALSE(engine.burst());
}

// Figure 4 with sparsity 3 and burst 2: which calls are profiled by a production on overflow_1.
std::string profiled_calls(bool flags_after) {
  DiseParams params;
  params.flags_after = flags_after;
  std::vector<DisePattern> patterns = framework();
  patterns.push_back(replaced_at(production(kCalls, while_sampling(), 0), 0));
  DiseEngine engine = engine_with(patterns, params);
  set_thresholds(engine, 3, 2);
  std::string seen;
  for (unsigned i = 0; i < 14; ++i) seen += one(engine, call()).replaced ? 'X' : '.';
  return seen;
}

// Three events fill the sampling counter. The second of the burst counter's two events overflows
// it, and the next event reloads both counters. An instruction sees the flags from before it, so
// the call that ends the sparse stretch is not profiled and the call that reloads is.
TEST(HpsFramework, SamplesABurstEverySparsityEvents) {
  EXPECT_EQ(profiled_calls(false), "...XXX...XXX..");
}
TEST(HpsFramework, WithFlagsAfterTheCallThatOverflowsIsProfiledAndTheOneThatReloadsIsNot) {
  EXPECT_EQ(profiled_calls(true), "..XXX...XXX...");
}

TEST(HpsFramework, ForwardBranchesAreNoEvents) {
  DiseEngine engine = engine_with(framework());
  one(engine, ahead());
  EXPECT_EQ(engine.state(), DiseState());
  one(engine, back());
  one(engine, call());
  EXPECT_EQ(engine.state().counter[0], 2u);
}

TEST(HpsFramework, NeverReplacesAnything) {
  DiseParams narrow;
  narrow.counter_width = 3;
  DiseEngine engine = engine_with(framework(), narrow);
  for (unsigned i = 0; i < 100; ++i) EXPECT_FALSE(one(engine, i % 3 ? call() : back()).replaced);
}

TEST(DiseEngine, RestoreBringsBackTheStateBehindALane) {
  DiseEngine engine = engine_with(framework());
  const DecodeLane lanes[4] = {call(), call(), back(), call()};
  engine.decode(lanes, 4, 31);
  engine.decode(lanes, 4, 0);
  EXPECT_EQ(engine.state().counter[0], 8u);
  engine.restore({31, 1});
  EXPECT_EQ(engine.state().counter[0], 2u);
  engine.restore({0, 3});
  EXPECT_EQ(engine.state().counter[0], 8u);
}

TEST(DiseEngine, ABundleEndsBehindTheReplacedLane) {
  DiseEngine engine =
      engine_with({production(kCalls, kAlways, on_counter(1, CounterOp::kIncrement)),
                   replaced_at(production(kMemory, kAlways, 0), 12)});
  const DecodeLane lanes[4] = {call(), lane(kLoad), call(), call()};
  const DecodeDecision decision = engine.decode(lanes, 4, 0);
  EXPECT_EQ(decision.consumed, 2u);
  EXPECT_TRUE(decision.replaced);
  EXPECT_EQ(decision.entry, 12);
  EXPECT_EQ(engine.state().counter[0], 1u);
}

DisePattern random_pattern(std::mt19937_64& random) {
  DisePattern p = production(static_cast<uint16_t>(random()), random(),
                             static_cast<uint16_t>(random() & 0x3ff));
  p.replaces = random() % 8 == 0;
  p.start = static_cast<uint16_t>(random() % 2048);
  p.sign = static_cast<DiseSign>(random() % 3);
  p.direction = static_cast<DiseDirection>(random() % 3);
  return p;
}

DecodeLane random_lane(std::mt19937_64& random) {
  constexpr uint32_t kWords[] = {kAdd, kJalRa, kBeq, kLoad, kMinus, kPlus};
  DecodeLane l = lane(kWords[random() % 6], 0xff8 + 4 * (random() % 5));
  l.expand = random() % 4 != 0;
  return l;
}

// docs/blocks/dise.md: "A bundle of W gives exactly what W bundles of one give".
TEST(DiseEngine, WideBundlesGiveWhatNarrowOnesGive) {
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    DiseParams params;
    params.counter_width = 3;
    params.flags_after = seed % 2 != 0;
    std::vector<DisePattern> patterns;
    for (unsigned i = 0; i < 8; ++i) patterns.push_back(random_pattern(random));
    DiseEngine wide = engine_with(patterns, params), narrow = engine_with(patterns, params);
    for (unsigned k = 0; k < kDiseRegisters; ++k) {
      const uint64_t value = random();
      wide.write(kDiseReg + 8 * k, value);
      narrow.write(kDiseReg + 8 * k, value);
    }
    for (unsigned bundle = 0; bundle < 500; ++bundle) {
      DecodeLane lanes[4];
      for (DecodeLane& l : lanes) l = random_lane(random);
      const unsigned count = 1 + static_cast<unsigned>(random() % 4);
      const DecodeDecision decision = wide.decode(lanes, count, bundle % 32);
      for (unsigned i = 0; i < decision.consumed; ++i) {
        const DecodeDecision single = one(narrow, lanes[i]);
        const bool last = i + 1 == decision.consumed;
        ASSERT_EQ(single.replaced, last && decision.replaced);
        if (single.replaced) {
          ASSERT_EQ(single.entry, decision.entry);
        }
        DiseEngine restored = wide;
        restored.restore({static_cast<uint8_t>(bundle % 32), static_cast<uint8_t>(i)});
        ASSERT_EQ(restored.state(), narrow.state());
      }
      if (!decision.replaced) {
        ASSERT_EQ(decision.consumed, count);
      }
      ASSERT_EQ(wide.state(), narrow.state());
    }
  }
}

// concerns() must never say no to an instruction that does something.
TEST(DiseEngine, WhatItDoesNotConcernChangesNothing) {
  std::mt19937_64 random(7);
  unsigned unconcerned = 0;
  for (unsigned round = 0; round < 300; ++round) {
    std::vector<DisePattern> patterns;
    for (unsigned i = 0; i < 4; ++i) {
      patterns.push_back(random_pattern(random));
      patterns.back().classes &= static_cast<uint16_t>(random());
    }
    DiseEngine engine = engine_with(patterns);
    for (unsigned i = 0; i < 50; ++i) {
      const DecodeLane l = random_lane(random);
      const DiseState before = engine.state();
      const bool concerned = engine.concerns(l);
      const bool replaced = one(engine, l).replaced;
      if (concerned) continue;
      ++unconcerned;
      ASSERT_FALSE(replaced);
      ASSERT_EQ(engine.state(), before);
    }
  }
  EXPECT_GT(unconcerned, 1000u);
}

TEST(DiseRegisters, DescribeTheEngine) {
  DiseEngine engine((DiseParams()));
  EXPECT_EQ(engine.read(kDiseId), 0x0001000045534944u);
  EXPECT_EQ(engine.read(kDiseCap),
            uint64_t{32} | 2 << 8 | 20 << 12 | 4 << 20 | uint64_t{2048} << 32);
}

TEST(DiseRegisters, ClearZeroesCountersAndFlagsOnly) {
  DiseParams narrow;
  narrow.counter_width = 2;
  DiseEngine engine = engine_with(framework(), narrow);
  engine.write(kDiseReg, 2);
  for (unsigned i = 0; i < 5; ++i) one(engine, call());
  EXPECT_EQ(engine.read(kDiseStatus), 1u);
  EXPECT_EQ(engine.read(kDiseCounter + 8), 1u);
  engine.write(kDiseCtrl, kDiseCtrlEnable | kDiseCtrlClear);
  EXPECT_EQ(engine.read(kDiseStatus), 0u);
  EXPECT_EQ(engine.read(kDiseCounter + 8), 0u);
  EXPECT_EQ(engine.read(kDiseCtrl), kDiseCtrlEnable);
  EXPECT_EQ(engine.read(kDiseReg), 2u);
  EXPECT_TRUE(engine.concerns(call()));
}

TEST(DiseRegisters, AWrittenCounterStartsThereWithoutFlags) {
  DiseParams narrow;
  narrow.counter_width = 2;
  DiseEngine engine = engine_with(framework(), narrow);
  for (unsigned i = 0; i < 8; ++i) one(engine, call());
  EXPECT_EQ(engine.read(kDiseStatus), 5u);
  engine.write(kDiseCounter, 0xe);
  EXPECT_EQ(engine.read(kDiseCounter), 2u);
  EXPECT_EQ(engine.read(kDiseStatus), 4u);
}

TEST(DiseRegisters, TheReplacementIndexMovesOnAndWraps) {
  DiseEngine engine((DiseParams()));
  load_replacements(engine, 2047, {plain(kAdd), plain(kPlus)});
  EXPECT_EQ(engine.read(kDiseReplacementIndex), 1u);
  EXPECT_EQ(engine.instantiate(lane(kLoad), 2047).insn, kAdd);
  EXPECT_EQ(engine.instantiate(lane(kLoad), 0).insn, kPlus);
}

TEST(DiseParams, OutOfRangeIsRefusedByName) {
  DiseParams params;
  params.counters = 4;
  try {
    DiseEngine engine(params);
    FAIL();
  } catch (const std::invalid_argument& refused) {
    EXPECT_STREQ(refused.what(), "decode engine: counters: expected 1 to 3, got 4");
  }
  params = DiseParams();
  params.patterns = 24;
  EXPECT_THROW(DiseEngine{params}, std::invalid_argument);
}

}  // namespace
}  // namespace strobe::profiling
