// Pipes: waits that cannot end, and pipes that cannot be made.
#include <tuple>

#include "tests/unit/linux/call_fixture.h"

namespace strobe::isa {
namespace {

class PipeCallTest : public CallTest {};

// One thread waits for itself: each says what it waits for.
TEST_F(PipeCallTest, WaitingForItselfIsADeadlock) {
  const auto pipe = [this] {
    restart();
    EXPECT_EQ(call("pipe2", {kBuffer, 0}), 0);
    return std::pair(value<uint32_t>(kBuffer), value<uint32_t>(kBuffer + 4));
  };
  auto [out, in] = pipe();
  call("read", {out, kScratch, 1});
  EXPECT_THAT(calls_->exit().error,
              testing::HasSubstr("deadlock: thread 0 (prog) reads an empty pipe"));
  std::tie(out, in) = pipe();
  EXPECT_EQ(call("write", {in, kScratch, 65530}), 65530);
  call("write", {in, kScratch, 10});
  EXPECT_THAT(calls_->exit().error,
              testing::HasSubstr("writes 10 bytes into a pipe with room for 6"));
  std::tie(out, in) = pipe();
  EXPECT_TRUE(user_->put(kBuffer, uint64_t{1} << 32 | out));
  call("ppoll", {kBuffer, 1, 0, 0});
  EXPECT_THAT(calls_->exit().error, testing::HasSubstr("descriptors of which none is ready"));
}

// A read ends where the pipe is empty, whatever parts of it are left.
TEST_F(PipeCallTest, VectorsAreReadAsFarAsThereIsData) {
  const abi::IoVector parts[2] = {{kScratch, 3}, {kScratch + 100, 3}};
  EXPECT_TRUE(user_->copy_out(kBuffer + 64, parts, sizeof parts));
  EXPECT_EQ(call("pipe2", {kBuffer, 0}), 0);
  const auto out = value<uint32_t>(kBuffer), in = value<uint32_t>(kBuffer + 4);
  EXPECT_EQ(call("write", {in, text("abc"), 3}), 3);
  EXPECT_EQ(call("readv", {out, kBuffer + 64, 2}), 3);
  EXPECT_EQ(call("writev", {in, kBuffer + 64, 2}), 6);
  EXPECT_EQ(call("read", {out, kScratch, 10}), 6);
  EXPECT_EQ(guest(kScratch, 3), "abc");
  EXPECT_FALSE(calls_->stopped());
}

TEST_F(PipeCallTest, PipesThatCannotBeMadeLeaveNoDescriptor) {
  EXPECT_EQ(call("pipe2", {kUnmapped, 0}), -EFAULT);
  EXPECT_EQ(call("pipe2", {kBuffer, 1}), -EINVAL);
  EXPECT_EQ(call("pipe2", {kBuffer, 0}), 0);
  EXPECT_EQ(value<uint32_t>(kBuffer), 3u);
  while (call("dup", {0}) >= 0) continue;
  EXPECT_EQ(call("close", {1023}), 0);
  EXPECT_EQ(call("pipe2", {kBuffer, 0}), -EMFILE);
  EXPECT_EQ(call("dup", {0}), 1023) << "the one that was free";
}

}  // namespace
}  // namespace strobe::isa
