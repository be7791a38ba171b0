#include "sc_models/profiling/reference/tuple_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <stdexcept>

#include "tests/unit/profiling/random_stream.h"

namespace strobe::profiling {
namespace {

Tuple numbered(uint64_t n) { return Tuple{n, n + 1000, static_cast<uint8_t>(n % 16)}; }

TupleQueue::Inputs arriving(std::initializer_list<uint64_t> numbers, bool ready = false) {
  TupleQueue::Inputs inputs;
  inputs.ready = ready;
  unsigned lane = 0;
  for (const uint64_t number : numbers) {
    inputs.valid[lane] = true;
    inputs.tuple[lane++] = numbered(number);
  }
  return inputs;
}

TEST(TupleQueue, ATupleInsertedInOneCycleIsTheHeadInTheNext) {
  TupleQueue queue(4, 8);
  EXPECT_FALSE(queue.step(arriving({7})).valid[0]);
  EXPECT_TRUE(queue.outputs().valid[0]);
  EXPECT_EQ(queue.outputs().head[0], numbered(7));
}

TEST(TupleQueue, HeadIsZeroWhenEmpty) {
  TupleQueue queue(4, 8);
  queue.step(arriving({7}));
  TupleQueue::Inputs pop;
  pop.ready = true;
  queue.step(pop);
  EXPECT_FALSE(queue.outputs().valid[0]);
  EXPECT_EQ(queue.outputs().head[0], Tuple{});
}

TEST(TupleQueue, GapsBetweenLanesAreClosedAndLaneOrderIsKept) {
  TupleQueue queue(4, 8);
  TupleQueue::Inputs inputs;
  inputs.valid[1] = inputs.valid[3] = true;
  inputs.tuple[1] = numbered(1);
  inputs.tuple[3] = numbered(3);
  queue.step(inputs);
  EXPECT_EQ(queue.outputs().count, 2u);
  TupleQueue::Inputs pop;
  pop.ready = true;
  EXPECT_EQ(queue.step(pop).head[0], numbered(1));
  EXPECT_EQ(queue.step(pop).head[0], numbered(3));
}

TEST(TupleQueue, APopInTheSameCycleDoesNotMakeRoom) {
  TupleQueue queue(4, 4);
  queue.step(arriving({1, 2, 3, 4}));
  EXPECT_EQ(queue.drops(1), 1u);
  queue.step(arriving({5}, true));
  EXPECT_EQ(queue.outputs().count, 3u);
  EXPECT_EQ(queue.outputs().head[0], numbered(2));
  EXPECT_EQ(queue.outputs().dropped, 0u) << "seen a cycle later";
  queue.step(TupleQueue::Inputs());
  EXPECT_EQ(queue.outputs().dropped, 1u);
}

TEST(TupleQueue, TheYoungestLanesAreDropped) {
  TupleQueue queue(4, 4);
  queue.step(arriving({1, 2}));
  EXPECT_EQ(queue.drops(4), 2u);
  queue.step(arriving({3, 4, 5, 6}));
  TupleQueue::Inputs pop;
  pop.ready = true;
  for (uint64_t n = 1; n <= 4; ++n) EXPECT_EQ(queue.step(pop).head[0], numbered(n));
  EXPECT_FALSE(queue.outputs().valid[0]);
  EXPECT_EQ(queue.outputs().dropped, 2u);
}

TEST(TupleQueue, ClearWinsOverPopAndInsertAndZeroesDropped) {
  TupleQueue queue(2, 2);
  queue.step(arriving({1, 2}));
  queue.step(arriving({3}));
  TupleQueue::Inputs inputs = arriving({4}, true);
  inputs.clear = true;
  queue.step(inputs);
  EXPECT_FALSE(queue.outputs().valid[0]);
  EXPECT_EQ(queue.outputs().count, 0u);
  EXPECT_EQ(queue.outputs().dropped, 0u);
}

TEST(TupleQueue, LanesBeyondTheParameterAreNotLookedAt) {
  TupleQueue queue(2, 4);
  queue.step(arriving({1, 2, 3}));
  EXPECT_EQ(queue.outputs().count, 2u);
}

TEST(TupleQueue, TheHeadsAreTheOldestAndLeaveTogether) {
  TupleQueue queue(4, 8, 3);
  queue.step(arriving({1, 2}));
  TupleQueue::Outputs out = queue.step(arriving({3, 4}));
  EXPECT_TRUE(out.valid[1]);
  EXPECT_FALSE(out.valid[2]);
  EXPECT_EQ(out.head[1], numbered(2));
  out = queue.step(arriving({5}, true));
  EXPECT_EQ(out.head[2], numbered(3));
  EXPECT_FALSE(out.valid[3]);
  out = queue.outputs();
  EXPECT_EQ(out.count, 2u);
  EXPECT_EQ(out.head[0], numbered(4));
  EXPECT_EQ(out.head[1], numbered(5));
}

// A deque with a drop rule.
void expect_a_deque(unsigned heads) {
  RandomSource random(test_seed());
  TupleQueue queue(4, 16, heads);
  std::deque<Tuple> model;
  uint32_t dropped = 0;
  uint32_t lost = 0;  // in the last cycle
  for (uint64_t cycle = 0; cycle < 200000; ++cycle) {
    TupleQueue::Inputs inputs;
    inputs.clear = random.one_in(1000);
    inputs.ready = !random.one_in(3);
    const size_t room = 16 - model.size();
    std::deque<Tuple> fresh;
    for (unsigned k = 0; k < 4; ++k) {
      inputs.valid[k] = random.one_in(5);
      inputs.tuple[k] = numbered(random.below(1000));
      if (inputs.valid[k]) fresh.push_back(inputs.tuple[k]);
    }
    const TupleQueue::Outputs out = queue.step(inputs);
    ASSERT_EQ(out.count, model.size());
    ASSERT_EQ(out.dropped, dropped);
    for (unsigned h = 0; h < 4; ++h) {
      const bool there = h < heads && h < model.size();
      ASSERT_EQ(out.valid[h], there);
      ASSERT_EQ(out.head[h], there ? model[h] : Tuple{});
    }
    if (inputs.ready)
      model.erase(model.begin(), model.begin() + std::min<long>(heads, model.size()));
    dropped += lost;
    lost = 0;
    for (size_t i = 0; i < fresh.size(); ++i) {
      if (i < room) {
        model.push_back(fresh[i]);
      } else {
        ++lost;
      }
    }
    if (inputs.clear) {
      model.clear();
      dropped = 0;
      lost = 0;
    }
  }
}

TEST(TupleQueue, IsADequeWithADropRuleOnARandomStream) {
  for (unsigned heads = 1; heads <= 4; ++heads) expect_a_deque(heads);
}

TEST(TupleQueue, ADepthThatIsNoPowerOfTwoOrSmallerThanTheLanesIsRefused) {
  try {
    TupleQueue queue(4, 24);
    FAIL() << "no exception";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "TupleQueue: depth: expected a power of two from 4 to 1024, got 24");
  }
  EXPECT_THROW(TupleQueue(4, 2), std::invalid_argument);
  EXPECT_THROW(TupleQueue(4, 2048), std::invalid_argument);
  EXPECT_THROW(TupleQueue(9, 16), std::invalid_argument);
  EXPECT_THROW(TupleQueue(4, 16, 5), std::invalid_argument);
  EXPECT_THROW(TupleQueue(4, 16, 0), std::invalid_argument);
}

}  // namespace
}  // namespace strobe::profiling
