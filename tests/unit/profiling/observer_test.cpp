#include "sc_models/profiling/observers/observer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "sc_models/profiling/reference/hash.h"
#include "sc_models/profiling/reference/profiler_path.h"
#include "tests/unit/profiling/path_driver.h"

namespace strobe::profiling {
namespace {

std::vector<Tuple> random_tuples(RandomSource& random, size_t count, uint64_t population) {
  std::vector<Tuple> tuples(count);
  for (Tuple& tuple : tuples) tuple = random.tuple(population);
  return tuples;
}

ObserverParams params(uint64_t period, unsigned strata = 16, unsigned counter_width = 12) {
  ObserverParams result;
  result.period = period;
  result.strata = strata;
  result.counter_width = counter_width;
  return result;
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

TEST(Observers, TheKindsAreThoseOfThePaperThatHaveNoTags) {
  EXPECT_THAT(observer_kinds(), testing::ElementsAre("counted", "periodic", "random", "stratified",
                                                     "stratified_counted", "stratified_random"));
}

TEST(Observers, PeriodicReportsEveryRthTuple) {
  const auto observer = make_observer("periodic", params(3));
  std::vector<Tuple> tuples;
  for (uint64_t i = 0; i < 11; ++i) tuples.push_back(Tuple{i, 0, 0});
  const std::vector<Message> expected = {
      {Tuple{2, 0, 0}, 3}, {Tuple{5, 0, 0}, 3}, {Tuple{8, 0, 0}, 3}};
  EXPECT_EQ(observe(*observer, tuples), expected);
  EXPECT_EQ(observer->residue(), 2u);
  EXPECT_EQ(observer->events(), 11u);
  EXPECT_EQ(observer->messages(), 3u);
}

TEST(Observers, BatchesOfAnySizeGiveTheSameMessages) {
  RandomSource random(test_seed());
  const std::vector<Tuple> tuples = random_tuples(random, 20000, 100);
  for (const std::string& kind : observer_kinds()) {
    const auto whole = make_observer(kind, params(7)), pieces = make_observer(kind, params(7));
    std::vector<Message> messages;
    for (size_t at = 0; at < tuples.size();) {
      const size_t count = std::min<size_t>(random.below(20), tuples.size() - at);
      pieces->observe(tuples.data() + at, count, messages);
      at += count;
    }
    EXPECT_EQ(observe(*whole, tuples), messages) << kind;
    EXPECT_EQ(whole->residue(), pieces->residue()) << kind;
  }
}

TEST(Observers, PeriodicAndStratifiedConserveCountsOverAMillionTuples) {
  RandomSource random(test_seed());
  const std::vector<Tuple> tuples = random_tuples(random, 1000000, 5000);
  for (const char* kind : {"periodic", "stratified"}) {
    for (const unsigned strata : {1u, 64u, 4096u}) {
      const auto observer = make_observer(kind, params(100, strata));
      EXPECT_EQ(sum_of_counts(observe(*observer, tuples)) + observer->residue(), 1000000u) << kind;
    }
  }
}

TEST(Observers, RandomSelectsABinomialNumberOfTuplesForEachPeriod) {
  RandomSource random(test_seed());
  const std::vector<Tuple> tuples(1000000, Tuple{1, 2, 3});
  for (const uint64_t period : {2u, 10u, 256u, 1000u}) {
    ObserverParams with_seed = params(period);
    with_seed.seed = random.word();
    const auto observer = make_observer("random", with_seed);
    const double selected = static_cast<double>(observe(*observer, tuples).size());
    const double p = 1.0 / static_cast<double>(period);
    const double deviation = std::sqrt(1e6 * p * (1 - p));
    EXPECT_NEAR(selected, 1e6 * p, 5 * deviation) << period;
  }
}

TEST(Observers, RandomSelectionsAreIndependentOfEachOther) {
  ObserverParams with_seed = params(4);
  with_seed.seed = test_seed();
  const auto observer = make_observer("random", with_seed);
  std::vector<Tuple> tuples(400000);
  for (size_t i = 0; i < tuples.size(); ++i) tuples[i].pc = i;
  const std::vector<Message> messages = observe(*observer, tuples);
  uint64_t neighbours = 0;  // selected right after a selected one: probability 1/4
  for (size_t i = 1; i < messages.size(); ++i) {
    neighbours += messages[i].tuple.pc == messages[i - 1].tuple.pc + 1 ? 1 : 0;
  }
  const double n = static_cast<double>(messages.size());
  EXPECT_NEAR(static_cast<double>(neighbours), n / 4, 5 * std::sqrt(n * 3 / 16));
}

TEST(Observers, RandomWithPeriodOneReportsEveryTupleAndTheSeedDecidesOtherwise) {
  const std::vector<Tuple> tuples(1000);
  EXPECT_EQ(observe(*make_observer("random", params(1)), tuples).size(), 1000u);
  std::vector<Tuple> numbered(1000);
  for (size_t i = 0; i < numbered.size(); ++i) numbered[i].pc = i;
  ObserverParams one = params(10), two = params(10);
  one.seed = 1;
  two.seed = 2;
  EXPECT_EQ(observe(*make_observer("random", one), numbered),
            observe(*make_observer("random", one), numbered));
  EXPECT_NE(observe(*make_observer("random", one), numbered),
            observe(*make_observer("random", two), numbered));
}

TEST(Observers, StratifiedReportsWhatTheActivePathReports) {
  RandomSource random(test_seed());
  PathParams path_params;
  path_params.strata = 64;
  ReferencePath path(path_params);
  start(path, 9);
  std::vector<Tuple> tuples;
  std::vector<Message> from_path;
  for (int i = 0; i < 20000; ++i) {
    PathInputs in;
    in.lane[0] = load_lane(0x1000 + 4 * random.below(50), random.below(9));
    tuples.push_back(Tuple{in.lane[0].pc_rdata, in.lane[0].rd_wdata, 0});
    path.step(in);
    for (int j = 0; j < 2; ++j) {
      Message message;
      message.tuple.pc = peek(path, kRegMsgPc);
      message.tuple.value = peek(path, kRegMsgValue);
      const uint64_t meta = read(path, kRegMsgMeta);
      message.count = static_cast<uint32_t>(meta);
      if ((meta & kMetaValid) != 0) from_path.push_back(message);
    }
  }
  for (int i = 0; i < 10; ++i) path.step(PathInputs{});
  const uint64_t pending = peek(path, kRegStatus) >> 16;
  const auto observer = make_observer("stratified", params(9, 64, 8));
  std::vector<Message> messages = observe(*observer, tuples);
  ASSERT_GE(messages.size(), pending);
  messages.resize(messages.size() - pending);
  EXPECT_EQ(messages, from_path);
  EXPECT_EQ(observer->residue(), path.residue());
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
  int periodic_right = 0, stratified_right = 0;
  for (int trial = 0; trial < trials; ++trial) {
    for (size_t i = stream.size() - 1; i > 0; --i) {
      std::swap(stream[i], stream[random.below(i + 1)]);
    }
    const auto right = [&](const char* kind) {
      const auto observer = make_observer(kind, params(8, 2));
      uint64_t ones = 0, zeros = 0;
      for (const Message& message : observe(*observer, stream)) {
        (message.tuple == one ? ones : zeros) += message.count;
      }
      return ones == 8 && zeros == 8 ? 1 : 0;
    };
    periodic_right += right("periodic");
    stratified_right += right("stratified");
  }
  EXPECT_EQ(stratified_right, trials);
  EXPECT_NEAR(periodic_right, trials * 8.0 / 15.0, 5 * std::sqrt(trials * 0.25));
}

TEST(Observers, StorageIsTheCountersOrTheGeneratorState) {
  EXPECT_EQ(make_observer("stratified", params(256, 2048, 8))->storage_bits(), 16384u);
  EXPECT_EQ(make_observer("periodic", params(256))->storage_bits(), 8u);
  EXPECT_EQ(make_observer("periodic", params(257))->storage_bits(), 9u);
  EXPECT_EQ(make_observer("periodic", params(1))->storage_bits(), 0u);
  EXPECT_EQ(make_observer("random", params(256))->storage_bits(), 64u);
}

std::string refusal(const std::string& kind, const ObserverParams& with) {
  try {
    make_observer(kind, with);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Observers, BadNamesAndParametersAreRefusedInASentence) {
  EXPECT_EQ(refusal("tagged", params(8)),
            "observer kind: expected one of counted, periodic, random, stratified, "
            "stratified_counted, stratified_random, got \"tagged\"");
  EXPECT_EQ(refusal("counted", params(0)),
            "counted sampler: period: expected 1 to 4294967295, got 0");
  EXPECT_EQ(refusal("stratified_random", params(8, 3)),
            "stratified_random sampler: strata: expected a power of two from 1 to 4096, got 3");
  EXPECT_EQ(refusal("random", params(0)),
            "random sampler: period: expected 1 to 4294967295, got 0");
  EXPECT_EQ(refusal("periodic", params(uint64_t{1} << 32)),
            "periodic sampler: period: expected 1 to 4294967295, got 4294967296");
  EXPECT_EQ(refusal("stratified", params(257, 16, 8)),
            "stratified sampler: period: expected 1 to 256, got 257");
  EXPECT_EQ(refusal("stratified", params(8, 16, 13)),
            "stratified sampler: counter_width: expected 1 to 12, got 13");
  EXPECT_EQ(refusal("stratified", params(8, 48, 8)),
            "StratifiedCounters: strata: expected a power of two from 1 to 4096, got 48");
}

TEST(Observers, CountedMessagesCountTheTuplesSinceTheLast) {
  RandomSource random(3);
  const std::vector<Tuple> tuples = random_tuples(random, 5000, 20);
  for (const char* kind : {"counted", "stratified_counted"}) {
    const auto observer = make_observer(kind, params(10));
    const std::vector<Message> messages = observe(*observer, tuples);
    EXPECT_EQ(sum_of_counts(messages) + observer->residue(), tuples.size()) << kind;
    EXPECT_NEAR(static_cast<double>(messages.size()), 500, 100) << kind;
    EXPECT_THAT(messages, testing::Contains(testing::Field(&Message::count, testing::Gt(20u))));
  }
}

TEST(Observers, ASplitRandomSamplerDrawsForEachStratumOnItsOwn) {
  RandomSource random(4);
  const std::vector<Tuple> tuples = random_tuples(random, 20000, 50);
  const auto split = make_observer("stratified_random", params(10));
  const std::vector<Message> messages = observe(*split, tuples);
  EXPECT_NEAR(static_cast<double>(messages.size()), 2000, 200);
  EXPECT_THAT(messages, testing::Each(testing::Field(&Message::count, 10u)));
  EXPECT_EQ(split->residue(), 0u);
  EXPECT_NE(messages, observe(*make_observer("random", params(10)), tuples));
}

TEST(Observers, ABatchWatchedTogetherGivesWhatEachSeesAlone) {
  RandomSource random(5);
  const std::vector<Tuple> tuples = random_tuples(random, 3000, 40);
  TupleBatch batch;
  batch.set(tuples.data(), tuples.size());
  for (const std::string& kind : observer_kinds()) {
    for (const unsigned strata : {4u, 64u}) {
      std::vector<Message> together;
      make_observer(kind, params(7, strata))->observe(batch, together);
      const auto alone = make_observer(kind, params(7, strata));
      EXPECT_EQ(together, observe(*alone, tuples)) << kind;
    }
  }
}

}  // namespace
}  // namespace strobe::profiling
