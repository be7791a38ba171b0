// The passive observers compared with the rules of the blocks. This is one file, because all tests
// use the same few makers of parameters, streams and expectations.
#include "sc_models/profiling/observers/observer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "sc_models/profiling/observers/message_key.h"
#include "sc_models/profiling/observers/storage.h"
#include "sc_models/profiling/reference/hash/hash.h"
#include "sc_models/profiling/reference/sampler/compressor.h"
#include "sc_models/profiling/reference/sampler/stratified_counters.h"
#include "tests/unit/profiling/random_stream.h"

namespace strobe::profiling {
namespace {

std::vector<Tuple> random_tuples(RandomSource& random, size_t count, uint64_t population) {
  std::vector<Tuple> tuples(count);
  for (Tuple& tuple : tuples) tuple = random.tuple(population);
  return tuples;
}

PathParams sampler(SamplerKind kind, unsigned strata = 1, unsigned counter_width = 12) {
  PathParams params;
  params.sampler = static_cast<unsigned>(kind);
  params.strata = strata;
  params.counter_width = counter_width;
  return params;
}

CompressorRates rate(uint32_t period) {
  return {{period, sampling_threshold(std::max(period, 1u))}, {6, 3}};
}

Observer observer_of(const PathParams& params, uint32_t period, uint64_t seed = 1) {
  return Observer(params, rate(period), seed);
}

uint64_t sum_of_counts(const std::vector<Message>& messages) {
  uint64_t sum = 0;
  for (const Message& message : messages) sum += message.count;
  return sum;
}

std::vector<Message> observe(Observer& observer, const std::vector<Tuple>& tuples) {
  std::vector<Message> messages;
  observer.observe(tuples.data(), tuples.size(), messages);
  return messages;
}

std::vector<Message> observe(Observer&& observer, const std::vector<Tuple>& tuples) {
  return observe(observer, tuples);
}

Observer begun_anywhere(const PathParams& params, uint32_t period, uint64_t seed) {
  Seeds seeds(seed);
  seeds.phase = true;
  return Observer(params, rate(period), seeds);
}

// Systematic sampling: whichever tuple of a period is the first, a message stands for a period, and
// over the seeds every tuple is as likely as another.
TEST(ObserverPhase, OfEachSeedIsAnotherAndTheMeanOfManyIsTheNumberOfEvents) {
  RandomSource random(7);
  const std::vector<Tuple> tuples = random_tuples(random, 1000, 20);
  for (const unsigned strata : {1u, 16u}) {
    for (const uint32_t period : {7u, 64u}) {  // one of them a power of two
      const PathParams params = sampler(SamplerKind::kPeriodic, strata);
      constexpr unsigned kSeeds = 400;
      std::set<std::vector<uint64_t>> different;
      double sum = 0;
      for (unsigned seed = 1; seed <= kSeeds; ++seed) {
        const auto messages = observe(begun_anywhere(params, period, seed), tuples);
        EXPECT_EQ(messages, observe(begun_anywhere(params, period, seed), tuples));
        std::vector<uint64_t> pcs;
        for (const Message& message : messages) pcs.push_back(message.tuple.pc);
        different.insert(pcs);
        for (const Message& message : messages) EXPECT_EQ(message.count, period);
        sum += static_cast<double>(sum_of_counts(messages));
      }
      EXPECT_GE(different.size(), strata == 1 ? period - 1 : kSeeds * 9 / 10);
      // The number of messages varies by less than one in each stratum.
      EXPECT_NEAR(sum / kSeeds, 1000, 4 * period * std::sqrt(strata / 4.0 / kSeeds));
    }
  }
}

TEST(ObserverPhase, IsPartOfTheKeyOfMessages) {
  Seeds one(1), other(2);
  const PathParams params = sampler(SamplerKind::kPeriodic, 16);
  EXPECT_EQ(message_key(params, rate(7), one), message_key(params, rate(7), other));
  one.phase = other.phase = true;
  EXPECT_NE(message_key(params, rate(7), one), message_key(params, rate(7), other));
}

// One of every kind, with and without a second level; rate 7 fits them all.
constexpr const char* kCompressors[] = {
    "Strata=1 CounterWidth=4",
    "Strata=1 CounterWidth=4 Sampler=1",
    "Strata=1 CounterWidth=4 Sampler=3",
    "Strata=32 CounterWidth=4",
    "Strata=32 CounterWidth=4 Hash=2 Sampler=2",
    "Strata=32 CounterWidth=4 Hash=4 Sampler=3",
    "Strata=32 CounterWidth=4 Banks=4",
    "Strata=32 CounterWidth=4 Sampler=1 Banks=2",
    "Strata=32 CounterWidth=4 Sampler=3 Banks=8",
    "Strata=32 CounterWidth=4 Compressor=1 MissWidth=2",
    "Strata=32 CounterWidth=4 Compressor=1 MissWidth=1 Ways=4 TagBits=5 Hash=3",
    "Strata=8 CounterWidth=4 Compressor=2",
    "Strata=1 CounterWidth=4 Sampler=1 SecondEntries=16",
    "Strata=32 CounterWidth=4 SecondEntries=4 SecondWidth=6",
    "Strata=32 CounterWidth=4 Compressor=1 MissWidth=2 SecondEntries=8 SecondWidth=6",
};

class EachCompressor : public testing::TestWithParam<const char*> {
 protected:
  PathParams params() const { return parse_point(GetParam()); }
};

/// What a read-out adds, as the firmware makes it (sw/guest/firmware/driver.cpp).
void read_out(Compressor& compressor, uint32_t first, uint32_t entries,
              std::vector<Message>& messages, uint64_t& residue) {
  for (uint32_t index = first; index < first + entries; ++index) {
    for (int cycle = 0; cycle < 3; ++cycle) compressor.advance_idle(index);
    const TableEntry entry = compressor.table(index);
    if (!entry.known) {
      residue += entry.held.count;
    } else if (entry.held.count != 0) {
      messages.push_back(entry.held);
    }
  }
}

// In the hardware a tuple may overtake those of other banks, so of several banks only the messages
// of one tuple have an order.
std::vector<Message> ordered(std::vector<Message> messages, const PathParams& params) {
  if (params.banks > 1) {
    std::stable_sort(messages.begin(), messages.end(), [](const Message& a, const Message& b) {
      return std::tie(a.tuple.pc, a.tuple.value, a.tuple.tag) <
             std::tie(b.tuple.pc, b.tuple.value, b.tuple.tag);
    });
  }
  return messages;
}

TEST_P(EachCompressor, ReportsWhatTheHardwareReportsAndHoldsWhatItHolds) {
  RandomSource random(test_seed());
  const std::vector<Tuple> tuples = random_tuples(random, 20000, 100);
  Compressor compressor(params());
  std::vector<Message> expected;
  compressor.clear(9);
  for (size_t next = 0; next < tuples.size() || !compressor.idle();) {
    TupleGroup group;
    if (compressor.ready(true) && next < tuples.size())
      group.tuple[group.count++] = &tuples[next++];
    if (compressor.msg_valid()) expected.push_back(compressor.message());
    compressor.advance(group, rate(7), true, 0);
  }
  Observer observer = observer_of(params(), 7, 9);
  std::vector<Message> messages = observe(observer, tuples);
  EXPECT_EQ(ordered(messages, params()), ordered(expected, params()));
  EXPECT_GT(messages.size(), 500u);
  uint64_t residue = 0;
  read_out(compressor, 0, params().strata, expected, residue);
  read_out(compressor, Compressor::kSecondLevel, params().second_entries, expected, residue);
  observer.drain(messages);
  EXPECT_EQ(ordered(messages, params()), ordered(expected, params()));
  if (params().sampler != static_cast<unsigned>(SamplerKind::kCountdown)) {
    EXPECT_EQ(observer.residue(), residue);
  }
  EXPECT_EQ(observer.messages(), expected.size());
  EXPECT_EQ(observer.events(), tuples.size());
}

TEST_P(EachCompressor, BatchesOfAnySizeGiveTheSameMessages) {
  RandomSource random(test_seed());
  const std::vector<Tuple> tuples = random_tuples(random, 20000, 100);
  Observer whole = observer_of(params(), 7), pieces = observer_of(params(), 7);
  std::vector<Message> messages;
  for (size_t at = 0; at < tuples.size();) {
    const size_t count = std::min<size_t>(random.below(20), tuples.size() - at);
    pieces.observe(tuples.data() + at, count, messages);
    at += count;
  }
  EXPECT_EQ(observe(whole, tuples), messages);
  EXPECT_EQ(whole.residue(), pieces.residue());
}

TEST_P(EachCompressor, GivesInABatchWithOthersWhatItGivesAlone) {
  RandomSource random(5);
  const std::vector<Tuple> tuples = random_tuples(random, 3000, 40);
  TupleBatch batch;
  batch.set(tuples.data(), tuples.size());
  std::vector<Message> others, together;
  for (const char* other : {"Strata=32 Hash=1", "Strata=16", "Strata=64 Hash=2"}) {
    observer_of(parse_point(other), 7).observe(batch, others);
  }
  observer_of(params(), 7).observe(batch, together);
  EXPECT_EQ(together, observe(observer_of(params(), 7), tuples));
}

// Periods that are powers of two are found by marks that all observers of the strata share.
TEST(Observers, PeriodsOfPowersOfTwoFollowTheRuleOfTheCounters) {
  RandomSource random(test_seed());
  const std::vector<Tuple> tuples = random_tuples(random, 60000, 300);
  for (const unsigned strata : {2u, 64u, 4096u}) {
    TupleBatch batch;
    std::vector<Observer> observers;
    for (uint32_t period = 1; period <= 4096; period *= 2) {
      observers.push_back(observer_of(sampler(SamplerKind::kPeriodic, strata), period));
    }
    std::vector<std::vector<Message>> found(observers.size());
    for (size_t at = 0; at < tuples.size();) {
      const size_t count = std::min<size_t>(random.below(3000), tuples.size() - at);
      batch.set(tuples.data() + at, count);
      at += count;
      for (size_t i = 0; i < observers.size(); ++i) observers[i].observe(batch, found[i]);
    }
    for (size_t i = 0; i < observers.size(); ++i) {
      const SamplingRate rate{uint32_t{1} << i, 0};
      StratifiedCounters counters({SamplerKind::kPeriodic, HashKind::kPaper, strata, 12});
      std::vector<Message> expected;
      for (const Tuple& tuple : tuples) {
        if (const auto due = counters.update(tuple, rate, Draw{})) expected.push_back(*due);
      }
      EXPECT_EQ(found[i], expected) << strata << " strata, period " << rate.period;
      EXPECT_EQ(observers[i].residue(), counters.residue()) << rate.period;
    }
  }
}

TEST(Observers, MustWatchAStreamFromItsBeginning) {
  const std::vector<Tuple> tuples(100, Tuple{4, 5, 0});
  TupleBatch batch;
  batch.set(tuples.data(), 60);
  batch.set(tuples.data() + 60, 40);
  std::vector<Message> messages;
  Observer late = observer_of(sampler(SamplerKind::kPeriodic, 16), 4);
  try {
    late.observe(batch, messages);
    FAIL() << "it watched";
  } catch (const std::logic_error& error) {
    EXPECT_STREQ(error.what(),
                 "an observer of 0 tuples cannot watch a stream from tuple 60 on: expected every "
                 "observer from the beginning of the stream");
  }
  batch.restart();
  batch.set(tuples.data(), 100);
  late.observe(batch, messages);
  EXPECT_EQ(messages.size(), 25u);
}

INSTANTIATE_TEST_SUITE_P(Observers, EachCompressor, testing::ValuesIn(kCompressors));

TEST(Observers, PeriodicReportsEveryRthTuple) {
  Observer observer = observer_of(sampler(SamplerKind::kPeriodic), 3);
  std::vector<Tuple> tuples;
  for (uint64_t i = 0; i < 11; ++i) tuples.push_back(Tuple{i, 0, 0});
  const std::vector<Message> expected = {
      {Tuple{2, 0, 0}, 3}, {Tuple{5, 0, 0}, 3}, {Tuple{8, 0, 0}, 3}};
  EXPECT_EQ(observe(observer, tuples), expected);
  EXPECT_EQ(observer.residue(), 2u);
}

TEST(Observers, WhatConservesConservesCountsOverAMillionTuples) {
  RandomSource random(test_seed());
  const std::vector<Tuple> tuples = random_tuples(random, 1000000, 5000);
  for (const char* point : kCompressors) {
    const PathParams params = parse_point(point);
    const auto kind = static_cast<SamplerKind>(params.sampler);
    if (kind == SamplerKind::kRandom || kind == SamplerKind::kCountdown) continue;
    Observer observer = observer_of(params, 15);
    std::vector<Message> messages = observe(observer, tuples);
    observer.drain(messages);
    EXPECT_EQ(sum_of_counts(messages) + observer.residue(), 1000000u) << point;
  }
}

TEST(Observers, ASecondLevelMergesMessagesButKeepsTheCountsOfEachTuple) {
  RandomSource random(test_seed());
  const std::vector<Tuple> tuples = random_tuples(random, 50000, 12);
  PathParams params = sampler(SamplerKind::kRandom, 1, 4);
  const std::vector<Message> one = observe(observer_of(params, 10), tuples);
  params.second_entries = 16;
  Observer observer = observer_of(params, 10);
  std::vector<Message> two = observe(observer, tuples);
  EXPECT_LT(two.size(), 5u);
  observer.drain(two);
  EXPECT_EQ(two.size(), 12u);
  for (const Message& merged : two) {
    uint64_t sum = 0;
    for (const Message& message : one) sum += message.tuple == merged.tuple ? message.count : 0;
    EXPECT_EQ(sum, merged.count);
  }
}

TEST(Observers, RandomSelectsABinomialNumberOfTuplesForEachPeriod) {
  RandomSource random(test_seed());
  const std::vector<Tuple> tuples(1000000, Tuple{1, 2, 3});
  for (const uint32_t period : {2u, 10u, 256u, 1000u}) {
    const double selected = static_cast<double>(
        observe(observer_of(sampler(SamplerKind::kRandom), period, random.word()), tuples).size());
    const double p = 1.0 / static_cast<double>(period);
    const double deviation = std::sqrt(1e6 * p * (1 - p));
    EXPECT_NEAR(selected, 1e6 * p, 5 * deviation) << period;
  }
}

TEST(Observers, RandomSelectionsAreIndependentOfEachOther) {
  std::vector<Tuple> tuples(400000);
  for (size_t i = 0; i < tuples.size(); ++i) tuples[i].pc = i;
  const std::vector<Message> messages =
      observe(observer_of(sampler(SamplerKind::kRandom), 4, test_seed()), tuples);
  uint64_t neighbours = 0;  // selected right after a selected one: probability 1/4
  for (size_t i = 1; i < messages.size(); ++i) {
    neighbours += messages[i].tuple.pc == messages[i - 1].tuple.pc + 1 ? 1 : 0;
  }
  const double n = static_cast<double>(messages.size());
  EXPECT_NEAR(static_cast<double>(neighbours), n / 4, 5 * std::sqrt(n * 3 / 16));
}

TEST(Observers, RandomWithPeriodOneReportsEveryTupleAndTheSeedDecidesOtherwise) {
  const PathParams random = sampler(SamplerKind::kRandom);
  std::vector<Tuple> numbered(1000);
  for (size_t i = 0; i < numbered.size(); ++i) numbered[i].pc = i;
  EXPECT_EQ(observe(observer_of(random, 1), numbered).size(), 1000u);
  EXPECT_EQ(observe(observer_of(random, 10, 1), numbered),
            observe(observer_of(random, 10, 1), numbered));
  EXPECT_NE(observe(observer_of(random, 10, 1), numbered),
            observe(observer_of(random, 10, 2), numbered));
}

// ISCA 2001, section 3.3: eight 1s and eight 0s, randomly permuted. P_8 takes two samples and is
// right when they differ: 8/15 = 53.3 % of the time. H[P_8]_2 is always right.
TEST(Observers, OnTheExampleOfThePaperP8IsRightHalfTheTimeAndHp8Always) {
  const Tuple zero{0x1000, 0, 0};
  Tuple one{0x1000, 1, 0};
  const Hash hash(HashKind::kPaper, 1);
  while (hash.index(one.pc, one.value) == hash.index(zero.pc, zero.value)) ++one.value;
  std::vector<Tuple> stream(8, zero);
  stream.insert(stream.end(), 8, one);
  RandomSource random(test_seed());
  const int trials = 20000;
  // Sixteen tuples leave no count, so each trial starts anew.
  Observer periodic = observer_of(sampler(SamplerKind::kPeriodic, 1), 8);
  Observer stratified = observer_of(sampler(SamplerKind::kPeriodic, 2), 8);
  int periodic_right = 0, stratified_right = 0;
  for (int trial = 0; trial < trials; ++trial) {
    for (size_t i = stream.size() - 1; i > 0; --i) {
      std::swap(stream[i], stream[random.below(i + 1)]);
    }
    const auto right = [&](Observer& observer) {
      uint64_t ones = 0, zeros = 0;
      for (const Message& message : observe(observer, stream)) {
        (message.tuple == one ? ones : zeros) += message.count;
      }
      return ones == 8 && zeros == 8 && observer.residue() == 0 ? 1 : 0;
    };
    periodic_right += right(periodic);
    stratified_right += right(stratified);
  }
  EXPECT_EQ(stratified_right, trials);
  EXPECT_NEAR(periodic_right, trials * 8.0 / 15.0, 5 * std::sqrt(trials * 0.25));
}

TEST(Observers, CountedMessagesCountTheTuplesSinceTheLast) {
  RandomSource random(3);
  const std::vector<Tuple> tuples = random_tuples(random, 5000, 20);
  for (const unsigned strata : {1u, 16u}) {
    Observer observer = observer_of(sampler(SamplerKind::kCountedRandom, strata), 10);
    const std::vector<Message> messages = observe(observer, tuples);
    EXPECT_EQ(sum_of_counts(messages) + observer.residue(), tuples.size());
    EXPECT_NEAR(static_cast<double>(messages.size()), 500, 100);
    EXPECT_THAT(messages, testing::Contains(testing::Field(&Message::count, testing::Gt(20u))));
  }
}

TEST(Observers, StorageIsWhatTheBlocksPagesSay) {
  const auto bits = [](const char* point) { return storage_bits(parse_point(point)); };
  EXPECT_EQ(bits("Strata=2048 CounterWidth=8"), 16384u);
  EXPECT_EQ(bits("Strata=2048 CounterWidth=8 Banks=4"), 16384u);
  EXPECT_EQ(bits("Strata=1 CounterWidth=9"), 9u);
  EXPECT_EQ(bits("Strata=1 CounterWidth=8 Sampler=1"), 64u);
  EXPECT_EQ(bits("Strata=64 CounterWidth=8 Sampler=2"), 512u + 64);
  EXPECT_EQ(bits("Strata=64 CounterWidth=8 Sampler=3 Banks=4"), 512u + 4 * 64);
  EXPECT_EQ(bits("Strata=2048 CounterWidth=8 Compressor=1"), 28672u);
  EXPECT_EQ(bits("Compressor=1 TagBits=1"), 26624u) << "62 % more than 16384";
  EXPECT_EQ(bits("Strata=16 CounterWidth=12 Compressor=2"), 16u * (132 + 12 + 1));
  EXPECT_EQ(bits("Strata=2048 CounterWidth=8 SecondEntries=16 SecondWidth=16"), 16384u + 2384);
  EXPECT_EQ(bits("Strata=16 CounterWidth=12 Compressor=2 PcWidth=40 ValueWidth=8"),
            16u * (4 + 40 + 8 + 12 + 1));
}

std::string refusal(const std::string& point, uint32_t period) {
  try {
    observer_of(parse_point(point.c_str()), period);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Observers, ParametersOutOfRangeAreRefusedInASentence) {
  EXPECT_EQ(refusal("Compressor=3", 8), "profiling path: compressor must be 0 to 2, got 3");
  EXPECT_EQ(refusal("Sampler=4", 8), "profiling path: sampler must be 0 to 3, got 4");
  EXPECT_EQ(refusal("Hash=5", 8), "profiling path: hash must be 0 to 4, got 5");
  EXPECT_EQ(refusal("CounterWidth=8", 0), "observer: period: expected 1 to 256, got 0");
  EXPECT_EQ(refusal("CounterWidth=8", 257), "observer: period: expected 1 to 256, got 257");
  EXPECT_EQ(refusal("CounterWidth=8 Sampler=2", 129),
            "observer: period: expected 1 to 128, got 129");
  EXPECT_EQ(refusal("CounterWidth=8 Compressor=1", 257),
            "observer: period: expected 1 to 256, got 257");
  EXPECT_EQ(refusal("CounterWidth=13", 8), "profiling path: counter_width must be 1 to 12, got 13");
  EXPECT_EQ(refusal("Strata=48", 8),
            "profiling path: strata must be a power of two from 1 to 4096, got 48");
  EXPECT_EQ(refusal("Strata=2 Banks=4", 2),
            "profiling path: banks must be a power of two from 1 to 2 (at most strata), got 4");
  EXPECT_EQ(refusal("CounterWidth=8 SecondEntries=4 SecondWidth=8", 8),
            "profiling path: second_width must be 9 (counter_width + 1) to 24, got 8");
  EXPECT_EQ(refusal("PcWidth=40", 8), "observer: pc_width: expected 64 to 64, got 40");
  EXPECT_EQ(refusal("ValueWidth=40", 8), "observer: value_width: expected 64 to 64, got 40");
}

// Parameters changed one at a time: the messages differ exactly where the keys do.
TEST(MessageKey, IsEqualForObserversOfTheSameMessagesOnly) {
  struct Change {
    const char* from;
    const char* to;
    bool same;
  };
  constexpr Change kChanges[] = {
      {"Strata=64 CounterWidth=4", "Strata=64 CounterWidth=9", true},
      {"Strata=64 CounterWidth=4", "Strata=64 CounterWidth=4 Banks=4", true},
      {"Strata=64 CounterWidth=4", "Strata=64 CounterWidth=4 QueueDepth=16 BufferDepth=16", true},
      {"Strata=1 CounterWidth=4", "Strata=1 CounterWidth=4 Hash=3", true},
      {"Strata=64 CounterWidth=4", "Strata=32 CounterWidth=4", false},
      {"Strata=64 CounterWidth=4", "Strata=64 CounterWidth=4 Hash=3", false},
      {"Strata=64 CounterWidth=4", "Strata=64 CounterWidth=4 Sampler=2", false},
      {"Strata=64 CounterWidth=4", "Strata=64 CounterWidth=4 SecondEntries=8", false},
      {"Strata=64 CounterWidth=4 Sampler=1", "Strata=64 CounterWidth=4 Sampler=1 Banks=4", false},
      {"Compressor=1 Strata=64 CounterWidth=4", "Compressor=1 Strata=64 CounterWidth=4 TagBits=5",
       false},
      {"Compressor=2 Strata=16 CounterWidth=4", "Compressor=2 Strata=8 CounterWidth=4", false},
  };
  RandomSource random(9);
  const std::vector<Tuple> tuples = random_tuples(random, 5000, 60);
  for (const Change& change : kChanges) {
    const PathParams from = parse_point(change.from), to = parse_point(change.to);
    EXPECT_EQ(message_key(from, rate(7), 1) == message_key(to, rate(7), 1), change.same)
        << change.from << " and " << change.to;
    EXPECT_EQ(observe(observer_of(from, 7), tuples) == observe(observer_of(to, 7), tuples),
              change.same)
        << change.from << " and " << change.to;
  }
}

TEST(MessageKey, HasTheRateAndTheSeedOfASamplerOfChance) {
  const PathParams periodic = sampler(SamplerKind::kPeriodic),
                   chance = sampler(SamplerKind::kRandom);
  EXPECT_NE(message_key(periodic, rate(7), 1), message_key(periodic, rate(8), 1));
  EXPECT_EQ(message_key(periodic, rate(7), 1), message_key(periodic, rate(7), 2));
  EXPECT_NE(message_key(chance, rate(7), 1), message_key(chance, rate(7), 2));
}

TEST(Observers, OfOneBatchHaveEachTheirOwnConstantsOfTheHash) {
  for (const char* point : {"Strata=64 CounterWidth=4", "Strata=64 CounterWidth=4 Sampler=3",
                            "Compressor=1 Strata=64 CounterWidth=4"}) {
    const PathParams params = parse_point(point);
    RandomSource random(3);
    const std::vector<Tuple> tuples = random_tuples(random, 5000, 60);
    Observer rtl(params, rate(8), 1), drawn(params, rate(8), Seeds(1, 7));
    TupleBatch batch;
    batch.set(tuples.data(), tuples.size());
    std::vector<Message> of_rtl, of_drawn;
    rtl.observe(batch, of_rtl);
    drawn.observe(batch, of_drawn);
    EXPECT_NE(of_rtl, of_drawn) << point;
    EXPECT_EQ(of_rtl, observe(Observer(params, rate(8), 1), tuples)) << point;
    EXPECT_EQ(of_drawn, observe(Observer(params, rate(8), Seeds(1, 7)), tuples)) << point;
    EXPECT_NE(message_key(params, rate(8), 1), message_key(params, rate(8), Seeds(1, 7))) << point;
  }
}

}  // namespace
}  // namespace strobe::profiling
