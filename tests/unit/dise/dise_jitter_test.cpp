// Jitter: the random part of what a set gives a counter (docs/blocks/dise.md).
#include "sc_models/profiling/reference/dise/dise_jitter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "sc_models/profiling/reference/dise/dise_engine.h"
#include "tests/unit/dise/productions.h"

namespace strobe::profiling {
namespace {

constexpr uint64_t kBase = 1000;
constexpr unsigned kRegister = 5;

DecodeLane a_call() {
  DecodeLane lane;
  lane.pc = 0x1000;
  lane.insn = 0x000000ef;
  lane.target = 0x2000;
  return lane;
}

/// Every call sets counter 1 from the register with jitter.
DiseEngine setting_engine(bool jitter, unsigned bits, unsigned state) {
  DiseParams params;
  params.jitter = jitter;
  DiseEngine engine(params);
  load_patterns(engine, {production(kCalls, kAlways, on_counter(1, CounterOp::kSet, kRegister))});
  engine.write(kDiseReg + 8 * kRegister, kBase);
  engine.write(kDiseJitter, dise_jitter_word(kRegister, bits, state));
  engine.write(kDiseCtrl, kDiseCtrlEnable);
  return engine;
}

uint32_t next_value(DiseEngine& engine) {
  const DecodeLane call = a_call();
  engine.decode(&call, 1, 0);
  return engine.state().counter[0];
}

TEST(DiseJitter, TheStateRunsThroughAllButZero) {
  std::set<uint16_t> states;
  for (uint16_t state = 1; states.insert(state).second;) state = jitter_step(state);
  EXPECT_EQ(states.size(), 4095u);
  EXPECT_EQ(states.count(0), 0u);
}

TEST(DiseJitter, EveryNumberIsAddedAlikeOften) {
  DiseEngine engine = setting_engine(true, 3, 77);
  std::vector<unsigned> times(8);
  for (unsigned k = 0; k < 4095; ++k) ++times.at(next_value(engine) - kBase);
  EXPECT_EQ(times[0], 511u) << "the state is never 0";
  for (unsigned added = 1; added < 8; ++added) EXPECT_EQ(times[added], 512u) << added;
}

TEST(DiseJitter, NeighboringNumbersAreUnrelated) {
  std::vector<double> added;
  uint16_t state = 1;
  for (unsigned k = 0; k < 4095; ++k, state = jitter_step(state)) {
    added.push_back(DiseJitter{0, 8}.added(state) - 127.5);
  }
  double variance = 0;
  for (const double one : added) variance += one * one;
  for (unsigned lag = 1; lag <= 8; ++lag) {
    double product = 0;
    for (unsigned k = 0; k < added.size(); ++k) {
      product += added[k] * added[(k + lag) % added.size()];
    }
    EXPECT_LT(std::abs(product / variance), 0.01) << lag;
  }
}

TEST(DiseJitter, WithoutBitsOrFromAnotherRegisterNothingIsAdded) {
  DiseEngine none = setting_engine(true, 0, 0xabc);
  for (unsigned k = 0; k < 20; ++k) EXPECT_EQ(next_value(none), kBase);
  EXPECT_EQ(none.read(kDiseJitter), dise_jitter_word(kRegister, 0, 0xabc)) << "nothing steps";
  DiseEngine other = setting_engine(true, 8, 0xabc);
  other.write(kDiseJitter, dise_jitter_word(kRegister + 1, 8, 0xabc));
  for (unsigned k = 0; k < 20; ++k) EXPECT_EQ(next_value(other), kBase);
}

TEST(DiseJitter, MoreThanEightBitsAreEight) {
  DiseEngine engine = setting_engine(true, 15, 1);
  uint32_t most = 0;
  for (unsigned k = 0; k < 4095; ++k) most = std::max(most, next_value(engine));
  EXPECT_EQ(most, kBase + 255);
}

TEST(DiseJitter, AnEngineWithoutItHasNoRegister) {
  DiseEngine engine = setting_engine(false, 8, 0xabc);
  for (unsigned k = 0; k < 20; ++k) EXPECT_EQ(next_value(engine), kBase);
  EXPECT_EQ(engine.read(kDiseJitter), 0u);
  EXPECT_EQ(engine.read(kDiseCap) >> 24 & 1, 0u);
  EXPECT_EQ(setting_engine(true, 8, 1).read(kDiseCap) >> 24 & 1, 1u);
}

TEST(DiseJitter, AStateOfZeroCountsAsOneAndAClearLeavesIt) {
  DiseEngine engine = setting_engine(true, 8, 0);
  EXPECT_EQ(engine.read(kDiseJitter) >> 16, 1u);
  next_value(engine);
  const uint64_t before = engine.read(kDiseJitter);
  engine.write(kDiseCtrl, kDiseCtrlEnable | kDiseCtrlClear);
  EXPECT_EQ(engine.read(kDiseJitter), before);
  EXPECT_NE(before >> 16, 1u);
}

TEST(DiseJitter, ARestoreGivesTheSameNumbersAgain) {
  DiseEngine engine = setting_engine(true, 8, 0x5a5);
  next_value(engine);  // saved under slot 0, lane 0
  const DecodeLane call = a_call();
  std::vector<uint32_t> first, again;
  for (std::vector<uint32_t>* values : {&first, &again}) {
    for (unsigned k = 0; k < 10; ++k) {
      engine.decode(&call, 1, 1);
      values->push_back(engine.state().counter[0]);
    }
    engine.restore({0, 0});
  }
  EXPECT_EQ(first, again);
  EXPECT_GT(std::set<uint32_t>(first.begin(), first.end()).size(), 5u);
}

// One instruction that sets both counters takes one number for both.
TEST(DiseJitter, AnInstructionTakesOneNumber) {
  DiseParams params;
  params.jitter = true;
  DiseEngine engine(params);
  load_patterns(engine, {production(kCalls, kAlways,
                                    on_counter(1, CounterOp::kSet, kRegister) |
                                        on_counter(2, CounterOp::kSet, kRegister))});
  engine.write(kDiseReg + 8 * kRegister, kBase);
  engine.write(kDiseJitter, dise_jitter_word(kRegister, 8, 9));
  engine.write(kDiseCtrl, kDiseCtrlEnable);
  next_value(engine);
  EXPECT_EQ(engine.state().counter[0], kBase + 9);
  EXPECT_EQ(engine.state().counter[1], kBase + 9);
  EXPECT_EQ(engine.read(kDiseJitter) >> 16, jitter_step(9));
}

}  // namespace
}  // namespace strobe::profiling
