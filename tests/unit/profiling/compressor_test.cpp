// The composed compressor compared with the counters of its blocks without timing, and its
// refusals.
#include "sc_models/profiling/reference/sampler/compressor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "tests/unit/profiling/random_stream.h"

namespace strobe::profiling {
namespace {

std::vector<Tuple> few_tuples(unsigned count) {
  RandomSource random(test_seed());
  std::vector<Tuple> tuples;
  for (unsigned k = 0; k < count; ++k) {
    tuples.push_back(Tuple{0x1000 + 4 * random.below(40), random.below(random.one_in(9) ? 90 : 2),
                           static_cast<uint8_t>(random.below(2))});
  }
  return tuples;
}

/// All messages of the compressor for these tuples, taken with pauses.
std::vector<Message> messages_of(Compressor& compressor, const std::vector<Tuple>& tuples,
                                 const CompressorRates& rates, unsigned heads) {
  RandomSource random(test_seed() + 1);
  std::vector<Message> messages;
  compressor.clear(3);
  for (size_t next = 0; next < tuples.size() || !compressor.idle();) {
    const bool taken = !random.one_in(4);
    TupleGroup group;
    if (compressor.ready(taken)) {
      while (group.count < heads && next < tuples.size()) {
        group.tuple[group.count++] = &tuples[next++];
      }
    }
    if (compressor.msg_valid() && taken) messages.push_back(compressor.message());
    compressor.advance(group, rates, taken, 0);
  }
  return messages;
}

void sort(std::vector<Message>& messages) {
  std::sort(messages.begin(), messages.end(), [](const Message& a, const Message& b) {
    return std::tuple(a.tuple.pc, a.tuple.value, a.tuple.tag, a.count) <
           std::tuple(b.tuple.pc, b.tuple.value, b.tuple.tag, b.count);
  });
}

constexpr CompressorRates kRates{{12, 0}, {6, 3}};

TEST(Compressor, ATaggedSamplerAndATableGiveWhatTheirCountersGive) {
  PathParams params;
  params.compressor = 1;
  params.hash = 2;
  params.strata = 16;
  params.counter_width = 4;
  params.miss_width = 2;
  params.second_entries = 4;
  params.second_width = 6;
  Compressor compressor(params);
  const std::vector<Tuple> tuples = few_tuples(20000);
  const std::vector<Message> messages = messages_of(compressor, tuples, kRates, 1);

  TaggedCounters first(TaggedShape{16, 2, 2, 4, 2, HashKind::kCrc32c});
  AssociativeCounters second(4, 6);
  std::vector<Message> expected;
  for (const Tuple& tuple : tuples) {
    const auto message = first.update(tuple, tagged_thresholds(kRates));
    if (!message) continue;
    if (const auto last = second.update(message->tuple, message->count)) expected.push_back(*last);
  }
  EXPECT_GT(expected.size(), 100u);
  EXPECT_EQ(messages, expected);
  EXPECT_EQ(compressor.residue(), first.residue() + second.residue());
}

TEST(Compressor, BanksCountWhatOneTableCounts) {
  PathParams params;
  params.lanes = 3;
  params.strata = 32;
  params.counter_width = 4;
  params.banks = 4;
  Compressor compressor(params);
  const std::vector<Tuple> tuples = few_tuples(20000);
  std::vector<Message> messages = messages_of(compressor, tuples, kRates, 3);

  StratifiedCounters counters(SamplerParams{SamplerKind::kPeriodic, HashKind::kPaper, 32, 4});
  std::vector<Message> expected;
  for (const Tuple& tuple : tuples) {
    if (const auto message = counters.update(tuple, kRates.sampling, Draw{})) {
      expected.push_back(*message);
    }
  }
  sort(messages);
  sort(expected);
  EXPECT_GT(expected.size(), 1000u);
  EXPECT_EQ(messages, expected);
  EXPECT_EQ(compressor.residue(), counters.residue());
  for (unsigned k = 0; k < 32; ++k) {
    compressor.advance_idle(k);
    EXPECT_FALSE(k > 0 && compressor.settled(k) &&
                 compressor.table(k).held.count != counters.counter(k));
    compressor.advance_idle(k);
    EXPECT_TRUE(compressor.settled(k));
    EXPECT_EQ(compressor.table(k).held.count, counters.counter(k)) << k;
  }
}

TEST(Compressor, BanksDrawDifferentNumbersFromOneSeed) {
  PathParams params;
  params.strata = 4;
  params.counter_width = 12;
  params.sampler = static_cast<unsigned>(SamplerKind::kCountedRandom);
  params.banks = 4;
  Compressor compressor(params);
  // The same number of tuples into each stratum, so that equal draws would be equal messages.
  std::vector<std::vector<Tuple>> of_bank(4);
  const Hash hash(HashKind::kPaper, 2);
  for (uint64_t pc = 0;
       of_bank[0].empty() || of_bank[1].empty() || of_bank[2].empty() || of_bank[3].empty();
       pc += 4) {
    of_bank[hash.index(pc, 0)].push_back(Tuple{pc, 0, 0});
  }
  std::vector<Tuple> tuples;
  for (unsigned k = 0; k < 4000; ++k) {
    for (const auto& bank : of_bank) tuples.push_back(bank[0]);
  }
  std::vector<std::vector<uint32_t>> counts(4);
  const CompressorRates rates{{50, sampling_threshold(50)}, {0, 0}};
  for (const Message& message : messages_of(compressor, tuples, rates, 4)) {
    counts[hash.index(message.tuple.pc, 0)].push_back(message.count);
  }
  for (unsigned b = 0; b < 4; ++b) {
    EXPECT_GT(counts[b].size(), 40u);
    for (unsigned other = 0; other < b; ++other) EXPECT_NE(counts[b], counts[other]);
  }
}

TEST(Compressor, WhatDoesNotGoTogetherIsRefused) {
  const auto error_of = [](auto change) -> std::string {
    PathParams params;
    params.strata = 16;
    change(params);
    try {
      Compressor compressor(params);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(error_of([](PathParams&) {}), "no error");
  EXPECT_EQ(error_of([](PathParams& p) { p.compressor = 3; }),
            "profiling path: compressor must be 0 to 2, got 3");
  EXPECT_EQ(error_of([](PathParams& p) { p.compressor = 1, p.banks = 2; }),
            "profiling path: banks must be 1 with compressor tagged, got 2");
  EXPECT_EQ(error_of([](PathParams& p) { p.compressor = 2, p.strata = 16, p.second_entries = 4; }),
            "profiling path: second_entries must be 0 with compressor associative, got 4");
  EXPECT_EQ(error_of([](PathParams& p) { p.second_entries = 4, p.second_width = 8; }),
            "profiling path: second_width must be 9 (counter_width + 1) to 24, got 8");
  EXPECT_EQ(error_of([](PathParams& p) { p.banks = 32; }),
            "profiling path: banks must be a power of two from 1 to 8 (at most strata), got 32");
  EXPECT_EQ(error_of([](PathParams& p) { p.banks = 8, p.strata = 4; }),
            "profiling path: banks must be a power of two from 1 to 4 (at most strata), got 8");
}

}  // namespace
}  // namespace strobe::profiling
