#include "sc_models/profiling/reference/message_buffer.h"

#include <gtest/gtest.h>

#include <stdexcept>

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

TEST(MessageBuffer, AMessagePushedInOneCycleIsTheHeadInTheNext) {
  MessageBuffer buffer(4);
  EXPECT_FALSE(buffer.step(push(3)).valid);
  EXPECT_EQ(buffer.outputs().head, numbered(3));
  EXPECT_EQ(buffer.outputs().level, 1u);
}

TEST(MessageBuffer, MessagesComeOutInOrderAcrossTheWrapAround) {
  MessageBuffer buffer(4);
  buffer.step(push(1));
  for (uint32_t n = 2; n < 20; ++n) {
    EXPECT_EQ(buffer.step(push(n, true)).head, numbered(n - 1));
    EXPECT_EQ(buffer.outputs().level, 1u);
  }
}

TEST(MessageBuffer, AFullBufferIsNotReadyAndTakesNothingEvenWhenItPops) {
  MessageBuffer buffer(2);
  buffer.step(push(1));
  buffer.step(push(2));
  EXPECT_FALSE(buffer.outputs().ready);
  buffer.step(push(3, true));
  EXPECT_EQ(buffer.outputs().level, 1u);
  EXPECT_EQ(buffer.outputs().head, numbered(2));
}

TEST(MessageBuffer, APopOfAnEmptyBufferDoesNothing) {
  MessageBuffer buffer(2);
  buffer.step(pop());
  EXPECT_EQ(buffer.outputs().level, 0u);
  EXPECT_EQ(buffer.outputs().head, Message{});
  buffer.step(push(1, true));
  EXPECT_EQ(buffer.outputs().head, numbered(1));
}

TEST(MessageBuffer, HighWaterRisesWithTheLevelAndStaysWhenItFalls) {
  MessageBuffer buffer(4);
  buffer.step(push(1));
  EXPECT_EQ(buffer.outputs().high_water, 1u);
  buffer.step(push(2));
  EXPECT_EQ(buffer.outputs().high_water, 2u);
  buffer.step(pop());
  buffer.step(pop());
  EXPECT_EQ(buffer.outputs().high_water, 2u);
  EXPECT_EQ(buffer.outputs().level, 0u);
}

TEST(MessageBuffer, ClearWinsOverPushAndPop) {
  MessageBuffer buffer(4);
  buffer.step(push(1));
  MessageBuffer::Inputs inputs = push(2, true);
  inputs.clear = true;
  buffer.step(inputs);
  EXPECT_EQ(buffer.outputs().level, 0u);
  EXPECT_EQ(buffer.outputs().high_water, 0u);
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
