#include "sc_models/profiling/reference/message/message_buffer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <stdexcept>

#include "tests/unit/profiling/random_stream.h"

namespace strobe::profiling {
namespace {

Message numbered(uint32_t n) { return Message{Tuple{n, n, 1}, n}; }

MessageBuffer::Inputs push(uint32_t n, bool pop = false) {
  MessageBuffer::Inputs inputs;
  inputs.valid = true;
  inputs.message = numbered(n);
  inputs.pop = pop;
  return inputs;
}

MessageBuffer::Inputs pop() {
  MessageBuffer::Inputs inputs;
  inputs.pop = true;
  return inputs;
}

MessageBuffer::Inputs nothing() { return MessageBuffer::Inputs(); }

TEST(MessageBuffer, AMessageThatNothingWasBeforeIsTheHeadInTheThirdCycleAfterItsPush) {
  MessageBuffer buffer(4);
  buffer.step(push(3));
  for (unsigned cycle = 1; cycle < 3; ++cycle) {
    const MessageBuffer::Outputs out = buffer.step(nothing());
    EXPECT_EQ(out.level, 1u) << cycle;
    EXPECT_TRUE(out.arriving) << cycle;
    EXPECT_FALSE(out.valid) << cycle;
    EXPECT_EQ(out.head, Message{}) << cycle;
  }
  EXPECT_TRUE(buffer.outputs().valid);
  EXPECT_FALSE(buffer.outputs().arriving);
  EXPECT_EQ(buffer.outputs().head, numbered(3));
}

TEST(MessageBuffer, MessagesThatHaveArrivedLeaveInEveryCycleAcrossTheWrapAround) {
  MessageBuffer buffer(4);
  for (uint32_t n = 1; n <= 3; ++n) buffer.step(push(n));
  for (uint32_t n = 4; n < 20; ++n) {
    EXPECT_EQ(buffer.step(push(n, true)).head, numbered(n - 3));
    EXPECT_EQ(buffer.outputs().level, 3u);
  }
  for (uint32_t n = 17; n < 20; ++n) EXPECT_EQ(buffer.step(pop()).head, numbered(n));
  EXPECT_FALSE(buffer.outputs().valid);
  EXPECT_FALSE(buffer.outputs().arriving);
}

TEST(MessageBuffer, AHeadThatLeavesBeforeTheNextIsBehindItLeavesAGap) {
  MessageBuffer buffer(4);
  buffer.step(push(1));
  buffer.step(nothing());
  buffer.step(push(2));
  EXPECT_EQ(buffer.step(pop()).head, numbered(1));
  EXPECT_TRUE(buffer.step(nothing()).arriving);
  EXPECT_EQ(buffer.outputs().head, numbered(2));
}

TEST(MessageBuffer, AFullBufferIsNotReadyAndTakesNothingEvenWhenItPops) {
  MessageBuffer buffer(2);
  buffer.step(push(1));
  buffer.step(push(2));
  buffer.rest(2);
  EXPECT_FALSE(buffer.outputs().ready);
  buffer.step(push(3, true));
  EXPECT_EQ(buffer.outputs().level, 1u);
  EXPECT_EQ(buffer.outputs().head, numbered(2));
}

TEST(MessageBuffer, APopWithoutAHeadDoesNothing) {
  MessageBuffer buffer(2);
  buffer.step(pop());
  EXPECT_EQ(buffer.outputs().level, 0u);
  EXPECT_EQ(buffer.outputs().head, Message{});
  buffer.step(push(1, true));
  buffer.step(pop());
  buffer.step(pop());
  EXPECT_EQ(buffer.outputs().level, 1u);
  EXPECT_EQ(buffer.outputs().head, numbered(1));
}

TEST(MessageBuffer, HighWaterRisesWithTheLevelAndStaysWhenItFalls) {
  MessageBuffer buffer(4);
  buffer.step(push(1));
  EXPECT_EQ(buffer.outputs().high_water, 1u);
  buffer.step(push(2));
  EXPECT_EQ(buffer.outputs().high_water, 2u);
  buffer.rest(2);
  buffer.step(pop());
  buffer.step(pop());
  EXPECT_EQ(buffer.outputs().high_water, 2u);
  EXPECT_EQ(buffer.outputs().level, 0u);
}

TEST(MessageBuffer, ClearWinsOverPushAndPop) {
  MessageBuffer buffer(4);
  buffer.step(push(1));
  buffer.rest(2);
  MessageBuffer::Inputs inputs = push(2, true);
  inputs.clear = true;
  buffer.step(inputs);
  const MessageBuffer::Outputs out = buffer.outputs();
  EXPECT_EQ(out.level, 0u);
  EXPECT_EQ(out.high_water, 0u);
  EXPECT_FALSE(out.valid);
  EXPECT_FALSE(out.arriving);
}

// The page's three places as containers, each told what was there at the start of the cycle.
struct PlainBuffer {
  size_t depth;
  std::deque<Message> store, behind, head;
  size_t high_water = 0;

  size_t level() const { return store.size() + behind.size() + head.size(); }
  void step(const MessageBuffer::Inputs& in) {
    if (in.clear) {
      *this = PlainBuffer{depth, {}, {}, {}};
      return;
    }
    const bool ready = level() != depth;
    const std::deque<Message> old_store = store, old_behind = behind;
    if (in.pop) head.clear();
    if (head.empty()) {
      head = old_behind;
      behind.clear();
    }
    if (behind.empty() && !old_store.empty()) {
      behind = {old_store.front()};
      store.pop_front();
    }
    if (in.valid && ready) store.push_back(in.message);
    high_water = std::max(high_water, level());
  }
};

void expect_equal(const MessageBuffer::Outputs& got, const PlainBuffer& plain, uint64_t cycle) {
  SCOPED_TRACE(testing::Message() << "cycle " << cycle);
  ASSERT_EQ(got.ready, plain.level() != plain.depth);
  ASSERT_EQ(got.valid, !plain.head.empty());
  ASSERT_EQ(got.head, plain.head.empty() ? Message{} : plain.head.front());
  ASSERT_EQ(got.arriving, plain.head.empty() && plain.level() != 0);
  ASSERT_EQ(got.level, plain.level());
  ASSERT_EQ(got.high_water, plain.high_water);
}

TEST(MessageBuffer, EqualsThreePlacesOfContainersOnARandomStreamAndRestsAsItIdles) {
  for (const unsigned depth : {2u, 4u, 16u}) {
    RandomSource random(test_seed());
    MessageBuffer buffer(depth);
    PlainBuffer plain{depth, {}, {}, {}};
    bool filling = true;
    for (uint64_t cycle = 0; cycle < 50000; ++cycle) {
      if (random.one_in(30)) filling = !filling;
      MessageBuffer::Inputs inputs;
      inputs.clear = random.one_in(1000);
      inputs.valid = random.one_in(filling ? 2 : 6);
      inputs.message = numbered(static_cast<uint32_t>(cycle));
      inputs.pop = random.one_in(filling ? 6 : 2);
      expect_equal(buffer.step(inputs), plain, cycle);
      if (HasFatalFailure()) return;
      plain.step(inputs);
      if (!random.one_in(10)) continue;
      const uint64_t idle = random.below(5);
      buffer.rest(idle);
      for (uint64_t k = 0; k < idle; ++k) plain.step(nothing());
    }
  }
}

TEST(MessageBuffer, ADepthOutOfRangeIsRefused) {
  try {
    MessageBuffer buffer(1);
    FAIL() << "no exception";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "MessageBuffer: depth: expected a power of two from 2 to 4096, got 1");
  }
}

}  // namespace
}  // namespace strobe::profiling
