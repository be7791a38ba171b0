#include "sc_models/profiling/reference/sampler/stratified_sampler.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "tests/unit/profiling/random_stream.h"

namespace strobe::profiling {
namespace {

using Inputs = StratifiedSampler::Inputs;
using Outputs = StratifiedSampler::Outputs;

// The hardware as the page describes it: a synchronous RAM that is read in stage 1 and written in
// stage 2, a write that is forwarded to a read of the same cycle, and a read-out that is two
// registers downstream of the RAM.
class Literal {
 public:
  explicit Literal(const SamplerParams& params, uint64_t seed = 0)
      : params_(params),
        hash_(params.hash, log2(params.entries())),
        ram_(params.entries(), 0xdead),
        lfsr_(seed) {}

  Outputs outputs(bool msg_ready) const {
    Outputs out;
    const bool advance = !(msg_valid_ && !msg_ready);
    out.ready = advance && !init_;
    out.msg_valid = msg_valid_;
    out.message = message_;
    out.init = init_;
    out.idle = !one_.valid && !two_.valid && !msg_valid_ && !init_;
    out.table_data = table_data_;
    return out;
  }

  Outputs step(const Inputs& in) {
    const Outputs out = outputs(in.msg_ready);
    Literal next = *this;
    const bool advance = !(msg_valid_ && !in.msg_ready);
    const bool accept = in.valid && out.ready;
    const bool write = advance && two_.valid;
    const uint32_t r = in.rate.period == 0 ? 1 : in.rate.period;
    uint32_t written = 0, count = 0;
    const bool due = rule(r, written, count);
    if (init_) {
      next.ram_[init_index_] = 0;
      next.init_index_ = init_index_ + 1;
      next.init_ = next.init_index_ != ram_.size();
    }
    if (advance) {
      if (write) next.ram_[two_.index] = written;
      next.msg_valid_ = write && due;
      next.message_ = next.msg_valid_ ? Message{two_.tuple, count} : Message{};
      next.two_ = one_;
      if (one_.valid) {
        next.two_counter_ = write && two_.index == one_.index ? written : ram_[one_.index];
      }
      next.one_ = Stage{};
      if (accept) {
        const uint64_t random = lfsr_.number();
        next.one_ = Stage{true, hash_.index(in.tuple.pc, in.tuple.value), in.tuple,
                          random <= in.rate.threshold, ((random >> 8) * 2 * r) >> 24};
        next.lfsr_.step();
      }
    }
    next.read_valid_ = out.idle && !accept;
    if (next.read_valid_) next.read_ = ram_[in.table_index % ram_.size()];
    if (read_valid_) next.table_data_ = read_;
    if (in.clear) {
      const std::vector<uint32_t> kept = next.ram_;
      next = Literal(params_, in.seed);
      next.ram_ = kept;
    }
    *this = next;
    return out;
  }

 private:
  struct Stage {
    bool valid = false;
    uint32_t index = 0;
    Tuple tuple;
    bool hit = false;
    uint64_t restart = 0;
  };

  // The page's table of kinds, for the tuple in stage 2.
  bool rule(uint32_t r, uint32_t& written, uint32_t& count) const {
    const uint32_t c = two_counter_;
    bool due = false;
    switch (params_.kind) {
      case SamplerKind::kPeriodic:
        count = c + 1;
        due = count >= r;
        written = due ? 0 : count;
        break;
      case SamplerKind::kRandom:
        count = r;
        due = two_.hit;
        break;
      case SamplerKind::kCountdown:
        count = r;
        written = c != 0 ? c - 1 : static_cast<uint32_t>(two_.restart);
        due = written == 0;
        break;
      case SamplerKind::kCountedRandom:
        count = c + 1;
        due = two_.hit || count == 1u << params_.counter_width;
        written = due ? 0 : count;
        break;
    }
    return due;
  }
  static unsigned log2(unsigned n) { return n == 1 ? 0 : 1 + log2(n / 2); }

  SamplerParams params_;
  Hash hash_;
  std::vector<uint32_t> ram_;
  Lfsr lfsr_;
  Stage one_, two_;
  uint32_t two_counter_ = 0;
  bool msg_valid_ = false;
  Message message_;
  bool init_ = true;
  uint32_t init_index_ = 0;
  bool read_valid_ = false;
  uint32_t read_ = 0, table_data_ = 0;
};

Inputs offer(const Tuple& tuple, uint32_t period) {
  Inputs inputs;
  inputs.valid = true;
  inputs.tuple = tuple;
  inputs.rate.period = period;
  inputs.msg_ready = true;
  return inputs;
}

Inputs nothing(uint32_t period = 4, uint32_t table_index = 0) {
  Inputs inputs;
  inputs.rate.period = period;
  inputs.msg_ready = true;
  inputs.table_index = table_index;
  return inputs;
}

SamplerParams periodic(unsigned strata, unsigned counter_width) {
  return {SamplerKind::kPeriodic, HashKind::kPaper, strata, counter_width};
}

StratifiedSampler initialised(unsigned strata) {
  StratifiedSampler sampler(periodic(strata, 8));
  for (unsigned i = 0; i < strata; ++i) sampler.step(nothing());
  return sampler;
}

const Tuple kTuple{0x1000, 42, 3};

/// Counts of the messages that come out when `inputs` are stepped and the pipeline then runs empty.
std::vector<uint32_t> message_counts(StratifiedSampler& sampler, std::vector<Inputs> inputs) {
  std::vector<uint32_t> counts;
  for (unsigned i = 0; i < 4; ++i) inputs.push_back(nothing(inputs.back().rate.period));
  for (const Inputs& cycle : inputs) {
    const Outputs out = sampler.step(cycle);
    if (out.msg_valid && cycle.msg_ready) counts.push_back(out.message.count);
  }
  return counts;
}

TEST(StratifiedSampler, InitLastsAsManyCyclesAsThereAreStrataAndIsNotReady) {
  StratifiedSampler sampler(periodic(16, 8));
  for (unsigned cycle = 0; cycle < 16; ++cycle) {
    const Outputs out = sampler.step(offer(kTuple, 1));
    EXPECT_TRUE(out.init);
    EXPECT_FALSE(out.ready);
    EXPECT_FALSE(out.idle);
  }
  const Outputs out = sampler.step(nothing());
  EXPECT_FALSE(out.init);
  EXPECT_TRUE(out.ready);
  EXPECT_TRUE(out.idle);
}

TEST(StratifiedSampler, AMessageIsVisibleThreeCyclesAfterItsTupleWasAccepted) {
  StratifiedSampler sampler = initialised(16);
  EXPECT_TRUE(sampler.step(offer(kTuple, 1)).ready);
  EXPECT_FALSE(sampler.step(nothing(1)).msg_valid);
  EXPECT_FALSE(sampler.step(nothing(1)).msg_valid);
  const Outputs out = sampler.step(nothing(1));
  EXPECT_TRUE(out.msg_valid);
  EXPECT_EQ(out.message, (Message{kTuple, 1}));
  EXPECT_FALSE(sampler.step(nothing(1)).msg_valid);
}

TEST(StratifiedSampler, TheRthTupleOfAStratumIsAMessageOfCountR) {
  StratifiedSampler sampler = initialised(16);
  const std::vector<uint32_t> counts =
      message_counts(sampler, std::vector<Inputs>(23, offer(kTuple, 5)));
  EXPECT_EQ(counts, (std::vector<uint32_t>{5, 5, 5, 5}));
  EXPECT_EQ(sampler.counters().residue(), 3u);
}

TEST(StratifiedSampler, PeriodZeroCountsAsOne) {
  StratifiedSampler sampler = initialised(1);
  EXPECT_EQ(message_counts(sampler, std::vector<Inputs>(3, offer(kTuple, 0))),
            (std::vector<uint32_t>{1, 1, 1}));
}

TEST(StratifiedSampler, LoweringThePeriodBelowAHeldCountGivesALargerCount) {
  StratifiedSampler sampler = initialised(16);
  EXPECT_TRUE(message_counts(sampler, std::vector<Inputs>(7, offer(kTuple, 100))).empty());
  EXPECT_EQ(message_counts(sampler, {offer(kTuple, 4)}), (std::vector<uint32_t>{8}));
  EXPECT_EQ(sampler.counters().residue(), 0u);
}

TEST(StratifiedSampler, ThePeriodIsTheOneOfTheCycleInStageTwo) {
  StratifiedSampler sampler = initialised(16);
  sampler.step(offer(kTuple, 100));
  sampler.step(nothing(100));
  sampler.step(nothing(1));  // here the tuple is in stage 2
  EXPECT_TRUE(sampler.step(nothing(100)).msg_valid);
}

TEST(StratifiedSampler, EveryStageHoldsWhileTheMessageIsNotTaken) {
  StratifiedSampler sampler = initialised(16);
  for (int i = 0; i < 3; ++i) sampler.step(offer(kTuple, 1));
  Inputs blocked = offer(kTuple, 1);
  blocked.msg_ready = false;
  for (int i = 0; i < 10; ++i) {
    const Outputs out = sampler.step(blocked);
    EXPECT_TRUE(out.msg_valid);
    EXPECT_FALSE(out.ready);
  }
  EXPECT_EQ(message_counts(sampler, {nothing(1)}).size(), 3u);
}

TEST(StratifiedSampler, TheTableIsReadTwoCyclesAfterAnIdleCycleWithItsIndex) {
  StratifiedSampler sampler = initialised(16);
  const uint32_t index = sampler.counters().index(kTuple);
  message_counts(sampler, std::vector<Inputs>(3, offer(kTuple, 100)));
  const uint32_t other = index ^ 1;
  for (int i = 0; i < 3; ++i) sampler.step(nothing(100, other));
  EXPECT_EQ(sampler.step(nothing(100, index + 16)).table_data, 0u);  // modulo n
  EXPECT_EQ(sampler.step(nothing(100, other)).table_data, 0u);
  EXPECT_EQ(sampler.step(nothing(100, other)).table_data, 3u);
  EXPECT_EQ(sampler.step(nothing(100, other)).table_data, 0u);
}

TEST(StratifiedSampler, TableDataStaysWhileThePipelineIsBusy) {
  StratifiedSampler sampler = initialised(16);
  const uint32_t index = sampler.counters().index(kTuple);
  message_counts(sampler, {offer(kTuple, 100)});
  for (int i = 0; i < 3; ++i) sampler.step(nothing(100, index));
  for (int i = 0; i < 5; ++i) {
    Inputs busy = offer(kTuple, 100);
    busy.table_index = index;
    EXPECT_EQ(sampler.step(busy).table_data, 1u);
  }
}

TEST(StratifiedSampler, ClearEmptiesThePipelineAndZeroesTheTable) {
  StratifiedSampler sampler = initialised(16);
  message_counts(sampler, std::vector<Inputs>(3, offer(kTuple, 100)));
  for (int i = 0; i < 3; ++i) sampler.step(nothing(100, sampler.counters().index(kTuple)));
  EXPECT_EQ(sampler.table_data(), 3u);
  sampler.step(offer(kTuple, 1));
  Inputs clear = offer(kTuple, 1);
  clear.clear = true;
  sampler.step(clear);
  EXPECT_EQ(sampler.table_data(), 0u);
  for (unsigned i = 0; i < 16; ++i) EXPECT_TRUE(sampler.step(nothing(1)).init);
  EXPECT_TRUE(sampler.idle());
  EXPECT_EQ(sampler.counters().residue(), 0u);
}

TEST(StratifiedSampler, EveryKindEqualsTheLiteralPipelineCycleByCycleOnRandomStreams) {
  RandomSource random(test_seed());
  const auto hold_equal = [&](const SamplerParams& params) {
    StratifiedSampler sampler(params);
    Literal literal(params);
    SamplingRate rate{params.max_period(), UINT32_MAX / 8};
    uint32_t table_index = 0;
    bool dense = true;
    for (unsigned cycle = 0; cycle < 50000; ++cycle) {
      if (random.one_in(100)) {
        rate.period = static_cast<uint32_t>(random.below(params.max_period() + 1));
        rate.threshold = random.one_in(4) ? 0 : static_cast<uint32_t>(random.word());
      }
      if (random.one_in(10)) table_index = static_cast<uint32_t>(random.below(65536));
      if (random.one_in(200)) dense = !dense;
      Inputs in;
      in.clear = random.one_in(3000);
      in.seed = random.word();
      in.valid = dense ? !random.one_in(4) : random.one_in(8);
      in.tuple = random.tuple(24);
      in.rate = rate;
      in.msg_ready = !random.one_in(3);
      in.table_index = table_index;
      const Outputs got = sampler.step(in), expected = literal.step(in);
      ASSERT_EQ(got.ready, expected.ready) << "cycle " << cycle;
      ASSERT_EQ(got.msg_valid, expected.msg_valid) << "cycle " << cycle;
      ASSERT_EQ(got.message, expected.message) << "cycle " << cycle;
      ASSERT_EQ(got.init, expected.init) << "cycle " << cycle;
      ASSERT_EQ(got.idle, expected.idle) << "cycle " << cycle;
      ASSERT_EQ(got.table_data, expected.table_data) << "cycle " << cycle;
    }
  };
  for (const SamplerKind kind : {SamplerKind::kPeriodic, SamplerKind::kRandom,
                                 SamplerKind::kCountdown, SamplerKind::kCountedRandom}) {
    for (const unsigned strata : {1u, 2u, 16u, 256u}) {
      hold_equal({kind, HashKind::kPaper, strata, 4});
      if (HasFatalFailure()) return;
    }
  }
}

// Which tuples are drawn depends on the tuples alone, not on when they came or how long they
// waited.
TEST(StratifiedSampler, StallsChangeNoOutcome) {
  for (const SamplerKind kind :
       {SamplerKind::kRandom, SamplerKind::kCountdown, SamplerKind::kCountedRandom}) {
    const auto messages = [&](uint64_t offered, uint64_t taken) {
      RandomSource random(test_seed() + offered), tuples(1);
      StratifiedSampler sampler({kind, HashKind::kPaper, 16, 4});
      std::vector<Message> result;
      Tuple tuple = tuples.tuple(40);
      for (unsigned accepted = 0; accepted < 5000;) {
        Inputs in;
        in.valid = random.below(100) < offered;
        in.tuple = tuple;
        in.rate = {5, sampling_threshold(5)};
        in.msg_ready = random.below(100) < taken;
        const Outputs out = sampler.step(in);
        if (out.msg_valid && in.msg_ready) result.push_back(out.message);
        if (!in.valid || !out.ready) continue;
        tuple = tuples.tuple(40);
        ++accepted;
      }
      result.resize(800);  // those in flight at the end differ
      return result;
    };
    EXPECT_EQ(messages(100, 100), messages(30, 20));
  }
}

TEST(StratifiedSampler, ARandomSamplerIsInitialisedInOneCycleAndHasNoTable) {
  StratifiedSampler sampler({SamplerKind::kRandom, HashKind::kPaper, 2048, 8});
  EXPECT_TRUE(sampler.step(nothing()).init);
  EXPECT_FALSE(sampler.step(nothing()).init);
  Inputs never = offer(kTuple, 100);
  never.rate.threshold = 0;
  EXPECT_TRUE(message_counts(sampler, std::vector<Inputs>(50, never)).empty());
  EXPECT_EQ(sampler.counters().residue(), 0u);
}

std::string refusal(const SamplerParams& params, uint32_t period) {
  try {
    StratifiedSampler(params).step(nothing(period));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(StratifiedSampler, ParametersAndAPeriodOutOfRangeAreRefused) {
  EXPECT_EQ(refusal(periodic(12, 8), 1),
            "StratifiedCounters: strata: expected a power of two from 1 to 4096, got 12");
  EXPECT_EQ(refusal(periodic(16, 0), 1),
            "StratifiedSampler: counter_width: expected 1 to 12, got 0");
  EXPECT_EQ(refusal(periodic(16, 13), 1),
            "StratifiedSampler: counter_width: expected 1 to 12, got 13");
  EXPECT_EQ(refusal(periodic(16, 4), 16), "");
  EXPECT_EQ(refusal(periodic(16, 4), 17), "StratifiedSampler: period: expected 0 to 16, got 17");
  const SamplerParams countdown{SamplerKind::kCountdown, HashKind::kPaper, 16, 4};
  EXPECT_EQ(refusal(countdown, 8), "");
  EXPECT_EQ(refusal(countdown, 9), "StratifiedSampler: period: expected 0 to 8, got 9");
}

}  // namespace
}  // namespace strobe::profiling
