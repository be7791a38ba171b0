#include "sc_models/profiling/reference/tuple_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
  EXPECT_FALSE(queue.step(arriving({7})).valid);
  EXPECT_TRUE(queue.outputs().valid);
  EXPECT_EQ(queue.outputs().head, numbered(7));
}

TEST(TupleQueue, HeadIsZeroWhenEmpty) {
  TupleQueue queue(4, 8);
  queue.step(arriving({7}));
  TupleQueue::Inputs pop;
  pop.ready = true;
  queue.step(pop);
  EXPECT_FALSE(queue.outputs().valid);
  EXPECT_EQ(queue.outputs().head, Tuple{});
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
  EXPECT_EQ(queue.step(pop).head, numbered(1));
  EXPECT_EQ(queue.step(pop).head, numbered(3));
}

TEST(TupleQueue, APopInTheSameCycleDoesNotMakeRoom) {
  TupleQueue queue(4, 4);
  queue.step(arriving({1, 2, 3, 4}));
  EXPECT_EQ(queue.drops(1), 1u);
  queue.step(arriving({5}, true));
  EXPECT_EQ(queue.outputs().count, 3u);
  EXPECT_EQ(queue.outputs().dropped, 1u);
  EXPECT_EQ(queue.outputs().head, numbered(2));
}

TEST(TupleQueue, TheYoungestLanesAreDropped) {
  TupleQueue queue(4, 4);
  queue.step(arriving({1, 2}));
  EXPECT_EQ(queue.drops(4), 2u);
  queue.step(arriving({3, 4, 5, 6}));
  TupleQueue::Inputs pop;
  pop.ready = true;
  for (uint64_t n = 1; n <= 4; ++n) EXPECT_EQ(queue.step(pop).head, numbered(n));
  EXPECT_FALSE(queue.outputs().valid);
  EXPECT_EQ(queue.outputs().dropped, 2u);
}

TEST(TupleQueue, ClearWinsOverPopAndInsertAndZeroesDropped) {
  TupleQueue queue(2, 2);
  queue.step(arriving({1, 2}));
  queue.step(arriving({3}));
  TupleQueue::Inputs inputs = arriving({4}, true);
  inputs.clear = true;
  queue.step(inputs);
  EXPECT_FALSE(queue.outputs().valid);
  EXPECT_EQ(queue.outputs().count, 0u);
  EXPECT_EQ(queue.outputs().dropped, 0u);
}

TEST(TupleQueue, LanesBeyondTheParameterAreNotLookedAt) {
  TupleQueue queue(2, 4);
  queue.step(arriving({1, 2, 3}));
  EXPECT_EQ(queue.outputs().count, 2u);
}

TEST(TupleQueue, IsADequeWithADropRuleOnARandomStream) {
  RandomSource random(test_seed());
  TupleQueue queue(4, 16);
  std::deque<Tuple> model;
  uint32_t dropped = 0;
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
    ASSERT_EQ(out.valid, !model.empty());
    ASSERT_EQ(out.count, model.size());
    ASSERT_EQ(out.dropped, dropped);
    ASSERT_EQ(out.head, model.empty() ? Tuple{} : model.front());
    if (inputs.ready && !model.empty()) model.pop_front();
    for (size_t i = 0; i < fresh.size(); ++i) {
      if (i < room) {
        model.push_back(fresh[i]);
      } else {
        ++dropped;
      }
    }
    if (inputs.clear) {
      model.clear();
      dropped = 0;
    }
  }
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
}

}  // namespace
}  // namespace strobe::profiling
