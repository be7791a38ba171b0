// Predictors by themselves: what each can and cannot learn, their sizes and storage, and exact
// repair.
#include "sc_models/core/front_end/predictor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace strobe::test {
namespace {

using core::Checkpoint;
using core::Prediction;
using core::Predictor;
using core::PredictorParams;

isa::DecodedInsn insn_of(OpClass opclass) {
  isa::DecodedInsn insn;
  insn.opclass = opclass;
  insn.length = 4;
  insn.imm = -64;
  return insn;
}

PredictorParams params_of(const char* kind) {
  PredictorParams params;
  params.kind = kind;
  return params;
}

// One branch as the pipeline treats it, without others in between. True: predicted right.
bool step(Predictor& predictor, uint64_t pc, bool taken) {
  const Checkpoint before = predictor.checkpoint();
  const Prediction p = predictor.predict(insn_of(OpClass::kBranch), pc);
  if (p.taken != taken) predictor.resolve(before, OpClass::kBranch, pc + 4, taken);
  predictor.train(OpClass::kBranch, pc, p.index, taken, taken ? pc - 64 : pc + 4);
  return p.taken == taken;
}

// A branch of machine mode, which may be of the program's history or not.
bool step_in_handler(Predictor& predictor, uint64_t pc, bool taken) {
  predictor.enter(true);
  const Checkpoint before = predictor.checkpoint();
  const Prediction p = predictor.predict(insn_of(OpClass::kBranch), pc);
  if (p.taken != taken) predictor.resolve(before, OpClass::kBranch, pc + 4, taken);
  predictor.train(OpClass::kBranch, pc, p.index, taken, taken ? pc - 64 : pc + 4, true);
  predictor.enter(false);
  return p.taken == taken;
}

// The same while warming, which predicts nothing.
bool warm(Predictor& predictor, bool machine, uint64_t pc, bool taken) {
  predictor.enter(machine);
  predictor.warm(OpClass::kBranch, pc, pc + 4, taken, taken ? pc - 64 : pc + 4,
                 insn_of(OpClass::kBranch).imm);
  predictor.enter(false);
  return true;
}

// Mispredictions in the second half of `count` executions of a branch taken once in `period`.
unsigned wrong_of_periodic(const PredictorParams& params, unsigned period, unsigned count = 4000) {
  Predictor predictor(params);
  unsigned wrong = 0;
  for (unsigned i = 0; i < count; ++i) {
    if (!step(predictor, 0x1000, i % period == 0) && i >= count / 2) ++wrong;
  }
  return wrong;
}

TEST(Registry, HasExactlyTheNamesTheConfigurationAccepts) {
  std::vector<std::string> names;
  for (const auto& entry : core::direction_predictors()) names.push_back(entry.name);
  EXPECT_THAT(names, testing::ElementsAreArray(core::kPredictorNames));
}

TEST(Registry, MakesEveryPredictorButThePerfectOne) {
  for (const auto& entry : core::direction_predictors()) {
    EXPECT_EQ(Predictor(params_of(entry.name.c_str())).perfect(), entry.name == "perfect");
  }
}

TEST(TableBits, BranchesShareACounterExactlyWhenTheTableIsTooSmallToKeepThemApart) {
  for (const unsigned bits : {4u, 5u, 12u}) {
    PredictorParams params = params_of("bimodal");
    params.table_bits = bits;
    const uint64_t first = 0x4000, reach = uint64_t{2} << bits;  // addresses of two bytes
    for (const bool shares : {false, true}) {
      Predictor predictor(params);
      const uint64_t other = first + reach - (shares ? 0 : 2);
      unsigned wrong = 0;
      for (unsigned i = 0; i < 100; ++i) {
        wrong += step(predictor, first, true) ? 0 : 1;
        wrong += step(predictor, other, false) ? 0 : 1;
      }
      EXPECT_EQ(wrong > 50, shares) << "table_bits " << bits << ", wrong " << wrong;
    }
  }
}

TEST(HistoryBits, GshareNeedsOneOutcomeLessThanThePeriod) {
  for (const unsigned period : {4u, 7u, 10u}) {
    PredictorParams params = params_of("gshare");
    params.history_bits = period - 1;
    EXPECT_EQ(wrong_of_periodic(params, period), 0u) << period;
    params.history_bits = period - 2;
    EXPECT_GE(wrong_of_periodic(params, period), 2000u / period - 1) << period;
  }
}

TEST(Tage, ReachesAsFarBackAsItsLongestHistory) {
  PredictorParams params = params_of("tage");
  EXPECT_EQ(wrong_of_periodic(params, 100, 40000), 0u);
  EXPECT_GT(wrong_of_periodic(params_of("gshare"), 100, 40000), 150u) << "twelve outcomes cannot";
  params.tage.max_history = 64;
  EXPECT_GT(wrong_of_periodic(params, 100, 40000), 150u) << "nor can sixty-four";
}

TEST(Tage, OneTableHasTheLongestHistory) {
  PredictorParams params = params_of("tage");
  params.tage.tables = 1;
  params.tage.max_history = 30;
  EXPECT_EQ(wrong_of_periodic(params, 31, 20000), 0u);
  EXPECT_GT(wrong_of_periodic(params, 33, 20000), 100u);
}

TEST(Tage, TagsKeepBranchesApartThatTheBaseConfuses) {
  // Two branches on one counter of the base, each always the same way.
  PredictorParams params = params_of("tage");
  params.table_bits = 4;
  Predictor predictor(params);
  unsigned wrong = 0;
  for (unsigned i = 0; i < 2000; ++i) {
    wrong += step(predictor, 0x1000, true) || i < 1000 ? 0 : 1;
    wrong += step(predictor, 0x1020, false) || i < 1000 ? 0 : 1;
  }
  EXPECT_EQ(wrong, 0u);
}

TEST(Storage, IsWhatTheTablesTake) {
  const auto bits = [](const PredictorParams& params) {
    return Predictor(params).direction_bits();
  };
  EXPECT_EQ(bits(params_of("perfect")), 0u);
  EXPECT_EQ(bits(params_of("static")), 0u);
  EXPECT_EQ(bits(params_of("bimodal")), 2u * 4096);
  EXPECT_EQ(bits(params_of("gshare")), 2u * 4096 + 12);
  // Base, six tables of 512 entries of counter, usefulness and tag; history; use-alternate counter;
  // aging counter and its phase.
  EXPECT_EQ(bits(params_of("tage")), 2u * 4096 + 6 * 512 * (3 + 2 + 13) + 128 + 4 + 18 + 1);
  EXPECT_LE(bits(params_of("tage")), 8u * 8192) << "about 8 KB";
}

// Whatever is predicted down a wrong path and taken back leaves no trace.
class Repair : public testing::TestWithParam<const char*> {};

TEST_P(Repair, PredictsTheSameWithAndWithoutWrongPaths) {
  Predictor straight(params_of(GetParam())), wandering(params_of(GetParam()));
  std::mt19937 random(7);
  std::vector<std::pair<bool, uint64_t>> seen[2];
  unsigned depth = 0;
  for (unsigned i = 0; i < 20000; ++i) {
    const uint64_t pc = 0x1000 + 4 * (random() % 37);
    const auto what = random() % 8;
    // Calls and returns stay inside the stack, as those of a program do.
    OpClass opclass = OpClass::kBranch;
    if (what == 0 && depth < 14) opclass = OpClass::kCall;
    if (what == 1 && depth > 0) opclass = OpClass::kReturn;
    if (opclass == OpClass::kCall) ++depth;
    if (opclass == OpClass::kReturn) --depth;
    const bool taken = opclass != OpClass::kBranch || (pc / 4 + i / 64) % 3 == 0;
    Predictor* both[] = {&straight, &wandering};
    for (unsigned k = 0; k < 2; ++k) {
      Predictor& predictor = *both[k];
      const Checkpoint before = predictor.checkpoint();
      const Prediction p = predictor.predict(insn_of(opclass), pc);
      seen[k].emplace_back(p.taken, p.next);
      if (k == 1 && random() % 4 == 0) {
        // Younger instructions, with a return and a call that overwrites the entry it popped.
        const Checkpoint after = predictor.checkpoint();
        if (random() % 2 == 0) predictor.predict(insn_of(OpClass::kReturn), 0x9000);
        for (auto n = random() % 60; n > 0; --n) {
          predictor.predict(insn_of(OpClass::kBranch), 0x8000 + 2 * (random() % 100));
        }
        predictor.predict(insn_of(OpClass::kCall), 0x9100);
        predictor.restore(after);
      }
      if (opclass == OpClass::kBranch && p.taken != taken) {
        predictor.resolve(before, opclass, pc + 4, taken);
      }
      predictor.train(opclass, pc, p.index, taken, pc + 64);
    }
  }
  EXPECT_TRUE(seen[0] == seen[1]) << "a wrong path left something behind";
}

INSTANTIATE_TEST_SUITE_P(OfEveryKind, Repair,
                         testing::Values("static", "bimodal", "gshare", "tage"),
                         [](const auto& kind) { return std::string(kind.param); });

TEST(Tage, KeepsAsManyBranchesInFlightAsItIsTold) {
  // Sixty branches are predicted before the first one is trained: what it learns is the first's.
  constexpr unsigned kInFlight = 60;
  Predictor predictor(params_of("tage"), kInFlight);
  unsigned wrong = 0, phase = 0;
  for (unsigned round = 0; round < 400; ++round) {
    std::vector<Prediction> waiting;
    std::vector<bool> outcome;
    for (unsigned i = 0; i < kInFlight; ++i) {
      const bool taken = phase++ % 5 == 0;
      const Checkpoint before = predictor.checkpoint();
      waiting.push_back(predictor.predict(insn_of(OpClass::kBranch), 0x1000));
      outcome.push_back(taken);
      if (waiting.back().taken != taken) {
        predictor.resolve(before, OpClass::kBranch, 0x1004, taken);
        if (round >= 200) ++wrong;
      }
    }
    for (unsigned i = 0; i < kInFlight; ++i) {
      predictor.train(OpClass::kBranch, 0x1000, waiting[i].index, outcome[i], 0x2000);
    }
  }
  EXPECT_EQ(wrong, 0u);
}

TEST(TargetBuffer, OneWayHoldsABranchASetAndNoMore) {
  for (const unsigned entries : {8u, 16u}) {
    PredictorParams params = params_of("static");
    params.btb_entries = entries;
    params.btb_ways = 1;
    Predictor predictor(params);
    const isa::DecodedInsn jump = insn_of(OpClass::kJump);
    for (unsigned i = 0; i < entries; ++i) {
      predictor.train(OpClass::kJump, 0x1000 + 2 * i, 0, true, 0x2000 + i);
    }
    for (unsigned i = 0; i < entries; ++i) {
      EXPECT_EQ(predictor.predict(jump, 0x1000 + 2 * i).next, 0x2000 + i);
    }
    predictor.train(OpClass::kJump, 0x1000 + 2 * entries, 0, true, 0x3000);  // one more
    EXPECT_TRUE(predictor.predict(jump, 0x1000).needs_target);
    EXPECT_EQ(predictor.predict(jump, 0x1002).next, 0x2001u);
  }
}

TEST(ReturnStack, PredictsExactlyAsManyNestedReturnsAsItHasEntries) {
  for (const unsigned entries : {7u, 8u, 16u}) {
    for (const unsigned nested : {entries, entries + 1, entries + 3}) {
      PredictorParams params = params_of("static");
      params.ras_entries = entries;
      Predictor predictor(params);
      for (unsigned i = 0; i < nested; ++i) {
        predictor.predict(insn_of(OpClass::kCall), 0x1000 + 256 * i);
      }
      unsigned wrong = 0;
      for (unsigned i = nested; i-- > 0;) {
        const Prediction p = predictor.predict(insn_of(OpClass::kReturn), 0x8000);
        wrong += p.next == 0x1000 + 256 * i + 4 ? 0 : 1;
      }
      EXPECT_EQ(wrong, nested - entries) << entries << " entries, " << nested << " calls";
    }
  }
}

TEST(Sizes, ThatCannotBeAreRefusedWithTheReason) {
  PredictorParams params = params_of("tage");
  params.tage.min_history = 200;
  EXPECT_THAT([&] { Predictor refused(params); },
              testing::ThrowsMessage<std::invalid_argument>(testing::HasSubstr(
                  "max_history from min_history to 1024; got 6, 9, 13, 200, 128")));
}

class Warmed : public testing::TestWithParam<const char*> {};

// Calls, returns, jumps and branches with patterns; the second half only compares.
TEST_P(Warmed, PredictsAsOneThatHasFetchedAndCommittedTheSame) {
  Predictor one(params_of(GetParam())), other(params_of(GetParam()));
  std::mt19937_64 random(7);
  std::vector<uint64_t> calls;
  for (unsigned i = 0; i < 40000; ++i) {
    const uint64_t pc = 0x1000 + 4 * (random() % 3000);
    const bool taken = (pc / 4 + i / 3) % 5 < 3;
    OpClass opclass = OpClass::kBranch;
    uint64_t target = taken ? pc - 64 : pc + 4;
    if (const uint64_t kind = random() % 8; kind == 0) {
      opclass = OpClass::kCallIndirect;
      target = 0x100000 + 64 * (random() % 4);
      calls.push_back(pc + 4);
    } else if (kind == 1 && !calls.empty()) {
      opclass = OpClass::kReturn;
      target = calls.back();
      calls.pop_back();
    }
    const bool goes = opclass != OpClass::kBranch || taken;
    const Checkpoint before = one.checkpoint();
    const Prediction p = one.predict(insn_of(opclass), pc);
    // Decode computes the target that the target buffer did not know.
    const bool wrong = (p.needs_target ? pc - 64 : p.next) != target;
    if (i >= 20000) {
      const Prediction q = other.predict(insn_of(opclass), pc);
      ASSERT_EQ(p.next, q.next) << "instruction " << i;
      ASSERT_EQ(p.taken, q.taken) << "instruction " << i;
      if (wrong) other.resolve(before, opclass, pc + 4, goes);
      other.train(opclass, pc, q.index, goes, target);
    } else {
      other.warm(opclass, pc, pc + 4, goes, target, insn_of(opclass).imm);
    }
    if (wrong) one.resolve(before, opclass, pc + 4, goes);
    one.train(opclass, pc, p.index, goes, target);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, Warmed, testing::Values("static", "bimodal", "gshare", "tage"));

class IsolationOf : public testing::TestWithParam<const char*> {
 protected:
  struct Wrong {
    unsigned program = 0, handler = 0;
  };
  // In the second half of a run in which a handler comes after every seventh branch of the program.
  // The program's branch is taken once in five times, each of the handler's four branches every
  // second time. With `warmed` the first half warms the predictor.
  Wrong run(core::Isolation isolation, bool with_handler = true, bool warmed = false) const {
    PredictorParams params = params_of(GetParam());
    params.isolation = isolation;
    Predictor predictor(params);
    Wrong wrong;
    for (unsigned i = 0; i < 20000; ++i) {
      const bool warms = warmed && i < 10000;
      const bool right =
          warms ? warm(predictor, false, 0x1000, i % 5 == 0) : step(predictor, 0x1000, i % 5 == 0);
      wrong.program += i >= 10000 && !right ? 1 : 0;
      if (!with_handler || i % 7 != 0) continue;
      for (unsigned branch = 0; branch < 4; ++branch) {
        const uint64_t pc = 0x8000 + 64 * branch;
        const bool learned = warms ? warm(predictor, true, pc, i / 7 % 2 == 0)
                                   : step_in_handler(predictor, pc, i / 7 % 2 == 0);
        wrong.handler += i >= 10000 && !learned ? 1 : 0;
      }
    }
    return wrong;
  }
};
INSTANTIATE_TEST_SUITE_P(Kinds, IsolationOf, testing::Values("gshare", "tage"),
                         [](const auto& kind) { return std::string(kind.param); });

TEST_P(IsolationOf, AFrozenHistoryIsThatOfTheProgramAlone) {
  const Wrong alone = run(core::Isolation::kNone, false);
  EXPECT_EQ(run(core::Isolation::kFrozen).program, alone.program);
  EXPECT_LT(alone.program, 20u);
}

TEST_P(IsolationOf, AFrozenHistoryTeachesTheHandlerNothing) {
  EXPECT_GT(run(core::Isolation::kFrozen).handler, 2000u);
}

TEST_P(IsolationOf, WithAHistoryOfItsOwnEachIsPredicted) {
  const Wrong banked = run(core::Isolation::kBanked);
  EXPECT_LT(banked.program, 20u);
  EXPECT_LT(banked.handler, 20u);
}

TEST_P(IsolationOf, WarmingLeavesThePredictorAsIfItHadPredicted) {
  for (const auto isolation :
       {core::Isolation::kNone, core::Isolation::kBanked, core::Isolation::kFrozen}) {
    const Wrong predicted = run(isolation), warmed = run(isolation, true, true);
    EXPECT_EQ(warmed.program, predicted.program);
    EXPECT_EQ(warmed.handler, predicted.handler);
  }
}

TEST_P(IsolationOf, ASquashInOneModeLeavesTheHistoryOfTheOther) {
  PredictorParams params = params_of(GetParam());
  params.isolation = core::Isolation::kBanked;
  Predictor predictor(params);
  for (unsigned i = 0; i < 100; ++i) step(predictor, 0x1000, i % 3 == 0);
  const Checkpoint program = predictor.checkpoint();
  predictor.enter(true);
  const Checkpoint before = predictor.checkpoint();
  predictor.predict(insn_of(OpClass::kBranch), 0x8000);
  predictor.restore(before);
  predictor.enter(false);
  EXPECT_EQ(predictor.checkpoint().history, program.history);
}

}  // namespace
}  // namespace strobe::test
