#include "sc_models/profiling/reference/sampler/tagged_sampler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/unit/profiling/random_stream.h"

namespace strobe::profiling {
namespace {

using Inputs = TaggedSampler::Inputs;
using Outputs = TaggedSampler::Outputs;

// Figure 6 read row by row off the table of the page: the row is chosen by state, hit or miss, and
// the conditions, and says everything that happens.
struct Literal {
  enum State { kEmpty, kValid, kEvict };
  struct Entry {
    State state = kEmpty;
    uint32_t tag = 0, h = 0, m = 0;
  };
  struct Row {
    State from;
    int hit;                    // 1 hit, 0 miss, -1 any
    int full, enough, toomany;  // 1 holds, 0 does not, -1 any
    const char* transition;
    char h;  // '1' h + 1, 's' h + m + 1, 'm' the misses, 'h' unchanged, '0'
    char m;  // '1' one, '+' m + 1, 'm' unchanged, '0'
    bool new_tag;
    State to;
    char message;  // '1' h + 1, 's' h + m + 1, '-' none
  };

  Literal(const TaggedShape& s) : shape(s), sets(s.strata / s.ways, std::deque<Entry>(s.ways)) {}

  static const std::vector<Row>& rows() {
    static const std::vector<Row> table = {
        {kEmpty, -1, 0, -1, -1, "E1", '1', '0', true, kValid, '-'},
        {kEmpty, -1, 1, -1, -1, "E1 E2", '0', '0', true, kEmpty, '1'},
        {kValid, 1, 0, -1, -1, "E3", '1', '0', false, kValid, '-'},
        {kValid, 1, 1, -1, -1, "E2", '0', '0', false, kEmpty, '1'},
        {kValid, 0, -1, -1, -1, "E4", 'h', '1', false, kEvict, '-'},
        {kEvict, 1, -1, 0, -1, "E6a", '1', 'm', false, kEvict, '-'},
        {kEvict, 1, -1, 1, -1, "E6", 'm', '0', false, kEmpty, '1'},
        {kEvict, 0, -1, -1, 0, "E5a", 'h', '+', false, kEvict, '-'},
        {kEvict, 0, 0, -1, 1, "E5", 's', '0', true, kValid, '-'},
        {kEvict, 0, 1, -1, 1, "E5 E2", '0', '0', true, kEmpty, 's'},
    };
    return table;
  }

  uint32_t add(uint32_t set, uint32_t tag, const TaggedThresholds& t) {
    std::deque<Entry>& ways = sets[set];
    size_t way = ways.size() - 1;
    for (size_t w = ways.size(); w-- > 0;) {
      if (ways[w].state == kEmpty) way = w;
    }
    for (size_t w = 0; w < ways.size(); ++w) {
      if (ways[w].state != kEmpty && ways[w].tag == tag) way = w;
    }
    Entry e = ways[way];
    const bool hit = e.tag == tag;
    const uint32_t own = e.h + 1, all = e.h + e.m + 1;
    const auto full = [&](uint32_t x) { return x >= t.period || x >= 1u << shape.hit_width; };
    const bool is_full = full(e.state == kEvict && !hit ? all : own);
    const bool enough = full(own) || own >= t.should_evict;
    const bool too_many = e.m + 1 >= t.should_replace || e.m + 1 >= 1u << shape.miss_width;
    const Row* found = nullptr;
    for (const Row& row : rows()) {
      const auto agrees = [](int wanted, bool is) { return wanted < 0 || wanted == int{is}; };
      if (row.from != e.state || !agrees(row.hit, hit) || !agrees(row.full, is_full) ||
          !agrees(row.enough, enough) || !agrees(row.toomany, too_many)) {
        continue;
      }
      EXPECT_EQ(found, nullptr) << "two rows apply";
      found = &row;
    }
    if (found == nullptr) {
      ADD_FAILURE() << "no row applies";
      return 0;
    }
    const uint32_t message = found->message == '1' ? own : found->message == 's' ? all : 0;
    const uint32_t h = e.h, m = e.m;
    e.h = found->h == '1'   ? own
          : found->h == 's' ? all
          : found->h == 'm' ? m
          : found->h == 'h' ? h
                            : 0;
    e.m = found->m == '1' ? 1 : found->m == '+' ? m + 1 : found->m == 'm' ? m : 0;
    if (found->new_tag) e.tag = tag;
    e.state = found->to;
    taken.push_back(found->transition);
    const std::string name = found->transition;
    if (name == "E4" || name == "E5a") {
      ways[way] = e;
    } else {
      ways.erase(ways.begin() + static_cast<long>(way));
      ways.push_front(e);
    }
    return message;
  }
  uint32_t held(uint32_t index) const {
    const Entry& e = sets[index / shape.ways][index % shape.ways];
    return e.h + e.m;
  }

  TaggedShape shape;
  std::vector<std::deque<Entry>> sets;
  std::vector<std::string> taken;
};

constexpr TaggedShape kOneEntry{1, 1, 4, 4, 3};
constexpr TaggedThresholds kDefaults{16, 8, 8};

/// Counts `times` tuples of a tag; the message of the last one, 0 when there is none.
uint32_t count(TaggedCounters& counters, uint16_t tag, unsigned times,
               const TaggedThresholds& thresholds = kDefaults) {
  uint32_t message = 0;
  for (unsigned i = 0; i < times; ++i) message = counters.add(0, tag, thresholds);
  return message;
}

TEST(TaggedCounters, AFullHitCounterIsAMessageAndLeavesTheEntryEmpty) {
  TaggedCounters counters(kOneEntry);
  EXPECT_EQ(count(counters, 1, 15), 0u);
  EXPECT_EQ(count(counters, 1, 1), 16u);  // E2
  EXPECT_EQ(counters.held(0), 0u);
  EXPECT_EQ(counters.taken()[TaggedCounters::kE1], 1u);
  EXPECT_EQ(counters.taken()[TaggedCounters::kE2], 1u);
  EXPECT_EQ(counters.taken()[TaggedCounters::kE3], 14u);
}

TEST(TaggedCounters, AnEntryToBeEvictedWaitsForItsTupleAndLeavesItsMissesToTheNext) {
  TaggedCounters counters(kOneEntry);
  count(counters, 1, 8);
  EXPECT_EQ(count(counters, 2, 3), 0u);  // E4, E5a, E5a
  EXPECT_EQ(count(counters, 1, 1), 9u);  // E6: Empty with 3
  EXPECT_EQ(counters.held(0), 3u);
  EXPECT_EQ(count(counters, 2, 12), 0u);  // E1 assumes the 3
  EXPECT_EQ(count(counters, 2, 1), 16u);  // E2
}

TEST(TaggedCounters, AnEntryWithTooFewHitsIsNotEvicted) {
  TaggedCounters counters(kOneEntry);
  count(counters, 1, 2);
  count(counters, 2, 1);
  EXPECT_EQ(count(counters, 1, 5), 0u);  // E6a up to 7 hits
  EXPECT_EQ(counters.taken()[TaggedCounters::kE6a], 5u);
  EXPECT_EQ(count(counters, 1, 1), 8u);  // E6
}

TEST(TaggedCounters, SaturatedMissesReplaceTheTupleAndKeepEveryCount) {
  TaggedCounters counters(kOneEntry);
  count(counters, 1, 3);
  count(counters, 2, 7);
  EXPECT_EQ(counters.taken()[TaggedCounters::kE5], 0u);
  count(counters, 2, 1);  // E5: 3 hits and 8 misses belong to 2 now
  EXPECT_EQ(counters.taken()[TaggedCounters::kE5], 1u);
  EXPECT_EQ(counters.held(0), 11u);
  EXPECT_EQ(count(counters, 2, 5), 16u);  // E3 ..., E2
}

TEST(TaggedCounters, AReplacementThatDoesNotFitTheCounterIsAMessageAtOnce) {
  TaggedCounters counters(kOneEntry);
  TaggedThresholds thresholds = kDefaults;
  thresholds.should_evict = 16;
  count(counters, 1, 15, thresholds);
  EXPECT_EQ(count(counters, 2, 8, thresholds), 23u);  // E5, E2
  EXPECT_EQ(counters.residue(), 0u);
}

TEST(TaggedCounters, TheLeastRecentlyUsedWayTakesTheMiss) {
  TaggedCounters counters(TaggedShape{2, 2, 4, 4, 3});
  count(counters, 1, 3);
  count(counters, 2, 2);
  count(counters, 1, 1);
  count(counters, 3, 1);  // E4 at the entry of 2
  EXPECT_EQ(counters.held(0), 4u);
  EXPECT_EQ(counters.held(1), 3u);
}

TEST(TaggedCounters, EqualTheTableOfThePageRowByRowAndConserve) {
  RandomSource random(test_seed());
  std::vector<std::string> taken;
  for (const TaggedShape& shape :
       {TaggedShape{1, 1, 1, 1, 1}, TaggedShape{1, 1, 2, 4, 3}, TaggedShape{2, 2, 2, 5, 2},
        TaggedShape{4, 4, 3, 4, 4}, TaggedShape{64, 2, 2, 8, 3}, TaggedShape{64, 4, 8, 12, 3}}) {
    TaggedCounters counters(shape);
    Literal literal(shape);
    TaggedThresholds thresholds;
    uint64_t events = 0, reported = 0, population = 4;
    for (unsigned i = 0; i < 150000; ++i) {
      if (random.one_in(300)) population = 1 + random.below(40);
      if (random.one_in(500)) {
        thresholds.period = static_cast<uint32_t>(random.below((1u << shape.hit_width) + 3));
        thresholds.should_evict = static_cast<uint32_t>(random.below((1u << shape.hit_width) + 3));
        thresholds.should_replace = static_cast<uint32_t>(random.below(10));
      }
      const Tuple tuple = random.tuple(population);
      const uint32_t expected =
          literal.add(counters.set_of(tuple), counters.tag_of(tuple), thresholds);
      const auto got = counters.update(tuple, thresholds);
      ++events;
      ASSERT_EQ(got, expected != 0 ? std::optional(Message{tuple, expected}) : std::nullopt)
          << "event " << i;
      if (got) reported += got->count;
      ASSERT_EQ(literal.held(i % shape.strata), counters.held(i % shape.strata)) << "event " << i;
    }
    EXPECT_EQ(events, reported + counters.residue());
    taken.insert(taken.end(), literal.taken.begin(), literal.taken.end());
  }
  for (const Literal::Row& row : Literal::rows()) {
    EXPECT_NE(std::count(taken.begin(), taken.end(), row.transition), 0) << row.transition;
  }
}

TEST(TaggedCounters, TheTagFoldsPcXorValue) {
  const TaggedCounters counters(TaggedShape{2048, 2, 5, 8, 3});
  EXPECT_EQ(counters.tag_of(Tuple{0b01100'00011, 0b00000'10001, 9}), 0b01100 ^ 0b00011 ^ 0b10001);
  EXPECT_EQ(counters.tag_of(Tuple{uint64_t{1} << 63, 0, 0}), 0b01000);  // the last chunk has 4 bits
}

Inputs offer(const Tuple& tuple, const TaggedThresholds& thresholds) {
  Inputs inputs;
  inputs.valid = true;
  inputs.tuple = tuple;
  inputs.thresholds = thresholds;
  inputs.msg_ready = true;
  return inputs;
}

Inputs nothing(const TaggedThresholds& thresholds = kDefaults, uint32_t table_index = 0) {
  Inputs inputs;
  inputs.thresholds = thresholds;
  inputs.msg_ready = true;
  inputs.table_index = table_index;
  return inputs;
}

TaggedSampler initialised(const TaggedShape& shape) {
  TaggedSampler sampler(shape);
  for (unsigned i = 0; i < shape.strata / shape.ways; ++i) {
    EXPECT_TRUE(sampler.step(offer(Tuple{}, kDefaults)).init);
  }
  return sampler;
}

TEST(TaggedSampler, InitLastsOneCycleASet) {
  TaggedSampler sampler = initialised(TaggedShape{32, 4, 2, 4, 3});
  const Outputs out = sampler.step(nothing());
  EXPECT_FALSE(out.init);
  EXPECT_TRUE(out.idle);
  EXPECT_TRUE(out.ready);
}

TEST(TaggedSampler, AMessageIsVisibleThreeCyclesAfterItsTupleAndThresholdsAreThoseOfStageTwo) {
  TaggedSampler sampler = initialised(kOneEntry);
  const Tuple tuple{0x1000, 5, 3};
  sampler.step(offer(tuple, kDefaults));
  sampler.step(nothing());
  sampler.step(nothing({1, 8, 8}));
  const Outputs out = sampler.step(nothing());
  EXPECT_TRUE(out.msg_valid);
  EXPECT_EQ(out.message, (Message{tuple, 1}));
  EXPECT_TRUE(sampler.step(nothing()).idle);
}

TEST(TaggedSampler, NothingMovesWhileAMessageWaits) {
  TaggedSampler sampler = initialised(kOneEntry);
  for (int i = 0; i < 3; ++i) sampler.step(offer(Tuple{1, 2, 3}, {1, 1, 1}));
  Inputs blocked = offer(Tuple{1, 2, 3}, {1, 1, 1});
  blocked.msg_ready = false;
  for (int i = 0; i < 6; ++i) {
    const Outputs out = sampler.step(blocked);
    EXPECT_TRUE(out.msg_valid);
    EXPECT_FALSE(out.ready);
  }
}

TEST(TaggedSampler, TheTableShowsHitsAndMissesTwoCyclesAfterAnIdleCycle) {
  TaggedSampler sampler = initialised(kOneEntry);
  for (int i = 0; i < 3; ++i) sampler.step(offer(Tuple{1, 0, 0}, kDefaults));
  sampler.step(offer(Tuple{2, 0, 0}, kDefaults));
  sampler.step(nothing());
  sampler.step(nothing());
  EXPECT_EQ(sampler.step(nothing()).table_data, 0u);  // idle: read in this cycle
  EXPECT_EQ(sampler.step(nothing()).table_data, 0u);
  EXPECT_EQ(sampler.step(nothing()).table_data, 4u);
}

TEST(TaggedSampler, ClearForgetsEverything) {
  TaggedSampler sampler = initialised(TaggedShape{4, 2, 2, 4, 3});
  for (int i = 0; i < 9; ++i) sampler.step(offer(Tuple{1, 0, 0}, kDefaults));
  Inputs clear = offer(Tuple{1, 0, 0}, kDefaults);
  clear.clear = true;
  sampler.step(clear);
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(sampler.step(nothing()).init);
  EXPECT_TRUE(sampler.idle());
  EXPECT_EQ(sampler.counters().residue(), 0u);
}

TEST(TaggedSampler, AShapeOutOfRangeIsRefused) {
  try {
    TaggedSampler sampler(TaggedShape{2048, 3, 2, 8, 3});
    FAIL() << "no exception";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "TaggedCounters: ways: expected 1, 2 or 4, got 3");
  }
  for (const TaggedShape& shape :
       {TaggedShape{2, 4, 2, 8, 3}, TaggedShape{8192, 2, 2, 8, 3}, TaggedShape{24, 2, 2, 8, 3},
        TaggedShape{16, 2, 0, 8, 3}, TaggedShape{16, 2, 17, 8, 3}, TaggedShape{16, 2, 2, 0, 1},
        TaggedShape{16, 2, 2, 13, 3}, TaggedShape{16, 2, 2, 2, 3}, TaggedShape{16, 2, 2, 2, 0}}) {
    EXPECT_THROW(TaggedSampler{shape}, std::invalid_argument);
  }
}

}  // namespace
}  // namespace strobe::profiling
