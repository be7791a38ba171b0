// eventfd, epoll, and what both tell ppoll.
#include "tests/unit/linux/call_fixture.h"

namespace strobe::isa {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

class EventCallTest : public CallTest {
 protected:
  static constexpr uint64_t kNonblock = 04000, kAdd = 1, kDelete = 2, kModify = 3;
  static constexpr uint32_t kIn = 1, kOut = 4, kError = 8, kHangUp = 0x10, kExclusive = 1u << 28,
                            kOneShot = 1u << 30, kEdge = 1u << 31;

  uint64_t counter(uint64_t value, uint64_t flags = kNonblock) {
    return static_cast<uint64_t>(call("eventfd2", {value, flags}));
  }
  int64_t add_to(uint64_t fd, uint64_t value) {
    EXPECT_TRUE(user_->put(kScratch, value));
    return call("write", {fd, kScratch, 8});
  }
  /// What a read of a counter returns: its value, or a negative error number.
  int64_t take(uint64_t fd) {
    const int64_t got = call("read", {fd, kScratch, 8});
    return got == 8 ? value<int64_t>(kScratch) : got;
  }
  int64_t control(uint64_t queue, uint64_t operation, uint64_t fd, uint32_t events,
                  uint64_t data = 0) {
    EXPECT_TRUE(user_->put(kScratch, abi::EpollEvent{events, 0, data}));
    return call("epoll_ctl", {queue, operation, fd, kScratch});
  }
  /// The events that there are at once, each with its data.
  std::vector<std::pair<uint32_t, uint64_t>> events(uint64_t queue, uint64_t most = 16) {
    const int64_t count = call("epoll_pwait", {queue, kBuffer, most, 0, 0});
    EXPECT_GE(count, 0);
    std::vector<std::pair<uint32_t, uint64_t>> found;
    for (int64_t i = 0; i < count; ++i) {
      const auto event = value<abi::EpollEvent>(kBuffer + static_cast<uint64_t>(16 * i));
      found.emplace_back(event.events, event.data);
    }
    return found;
  }
  std::pair<uint64_t, uint64_t> pipe() {
    EXPECT_EQ(call("pipe2", {kScratch, kNonblock}), 0);
    return {value<uint32_t>(kScratch), value<uint32_t>(kScratch + 4)};
  }
  int16_t polled(uint64_t fd) {
    EXPECT_TRUE(user_->put(kScratch, abi::Poll{static_cast<int32_t>(fd), 0x7f, 0}));
    EXPECT_TRUE(user_->put(kScratch + 64, abi::Timespec{0, 0}));
    EXPECT_GE(call("ppoll", {kScratch, 1, kScratch + 64, 0}), 0);
    return value<abi::Poll>(kScratch).revents;
  }
};

TEST_F(EventCallTest, ACounterAddsUpAndAReadEmptiesIt) {
  const uint64_t fd = counter(3);
  EXPECT_EQ(add_to(fd, 4), 8);
  EXPECT_EQ(polled(fd), kIn | kOut);
  EXPECT_EQ(take(fd), 7);
  EXPECT_EQ(polled(fd), static_cast<int16_t>(kOut));
  EXPECT_EQ(take(fd), -EAGAIN);
  EXPECT_EQ(add_to(fd, 0), 8);
  EXPECT_EQ(take(fd), -EAGAIN);
}

TEST_F(EventCallTest, ASemaphoreGivesOneAtATime) {
  const uint64_t fd = counter(2, kNonblock | 1);
  EXPECT_EQ(take(fd), 1);
  EXPECT_EQ(take(fd), 1);
  EXPECT_EQ(take(fd), -EAGAIN);
}

TEST_F(EventCallTest, ACounterHasAHighestValue) {
  const uint64_t fd = counter(0);
  EXPECT_EQ(add_to(fd, ~uint64_t{0}), -EINVAL);
  EXPECT_EQ(add_to(fd, ~uint64_t{0} - 1), 8);
  EXPECT_EQ(add_to(fd, 1), -EAGAIN);
  EXPECT_EQ(polled(fd), static_cast<int16_t>(kIn));
}

TEST_F(EventCallTest, BadArgumentsOfACounterAreRefused) {
  EXPECT_EQ(call("eventfd2", {0, 2}), -EINVAL);
  const uint64_t fd = counter(1);
  EXPECT_EQ(call("read", {fd, kBuffer, 7}), -EINVAL);
  EXPECT_EQ(call("write", {fd, kBuffer, 7}), -EINVAL);
  EXPECT_EQ(call("read", {fd, kUnmapped, 8}), -EFAULT);
  EXPECT_EQ(call("pread64", {fd, kBuffer, 8, 0}), -ESPIPE);
  EXPECT_EQ(take(fd), 1) << "nothing of this has changed it";
}

TEST_F(EventCallTest, AWaitForACounterThatNothingCanChangeIsADeadlock) {
  take(counter(0, 0));
  EXPECT_THAT(calls_->exit().error, HasSubstr("reads an eventfd whose counter is 0"));
  restart();
  add_to(counter(5, 0), ~uint64_t{0} - 1);
  EXPECT_THAT(calls_->exit().error, HasSubstr("to an eventfd whose counter is 5"));
}

TEST_F(EventCallTest, ALevelIsToldAgainAndAnEdgeOnce) {
  const auto queue = static_cast<uint64_t>(call("epoll_create1", {0}));
  const auto [level, to_level] = pipe();
  const auto [edge, to_edge] = pipe();
  EXPECT_EQ(control(queue, kAdd, level, kIn, 1), 0);
  EXPECT_EQ(control(queue, kAdd, edge, kIn | kEdge, 2), 0);
  EXPECT_THAT(events(queue), ElementsAre());
  // In the order in which they got their data, not in that of their descriptors.
  EXPECT_EQ(call("write", {to_edge, kScratch, 2}), 2);
  EXPECT_EQ(call("write", {to_level, kScratch, 1}), 1);
  EXPECT_THAT(events(queue), ElementsAre(Pair(kIn, 2), Pair(kIn, 1)));
  EXPECT_THAT(events(queue), ElementsAre(Pair(kIn, 1)));
  EXPECT_EQ(call("read", {edge, kScratch, 1}), 1);
  EXPECT_THAT(events(queue), ElementsAre(Pair(kIn, 1))) << "a read is no edge of a reader";
  EXPECT_EQ(call("write", {to_edge, kScratch, 1}), 1);
  EXPECT_THAT(events(queue), ElementsAre(Pair(kIn, 1), Pair(kIn, 2)));
  EXPECT_EQ(call("close", {to_edge}), 0);
  EXPECT_EQ(call("read", {level, kScratch, 1}), 1);
  EXPECT_THAT(events(queue), ElementsAre(Pair(kIn | kHangUp, 2)));
  EXPECT_THAT(events(queue), ElementsAre());
}

TEST_F(EventCallTest, AOneShotWaitsToBeArmedAgain) {
  const auto queue = static_cast<uint64_t>(call("epoll_create1", {0}));
  const uint64_t fd = counter(1);
  EXPECT_EQ(control(queue, kAdd, fd, kIn | kOneShot, 5), 0);
  EXPECT_THAT(events(queue), ElementsAre(Pair(kIn, 5)));
  EXPECT_EQ(add_to(fd, 1), 8);
  EXPECT_THAT(events(queue), ElementsAre());
  EXPECT_EQ(control(queue, kModify, fd, kIn | kOneShot, 6), 0);
  EXPECT_THAT(events(queue), ElementsAre(Pair(kIn, 6)));
}

TEST_F(EventCallTest, FewEventsAtATimeReachEverybody) {
  const auto queue = static_cast<uint64_t>(call("epoll_create1", {0}));
  for (uint64_t i = 0; i < 3; ++i) EXPECT_EQ(control(queue, kAdd, counter(1), kIn, i), 0);
  for (uint64_t i = 0; i < 7; ++i) EXPECT_THAT(events(queue, 1), ElementsAre(Pair(kIn, i % 3)));
}

TEST_F(EventCallTest, AClosedFileIsForgottenWhenNoDescriptorHasIt) {
  const auto queue = static_cast<uint64_t>(call("epoll_create1", {0}));
  const uint64_t fd = counter(1);
  EXPECT_EQ(control(queue, kAdd, fd, kIn, 9), 0);
  EXPECT_EQ(polled(queue), 0x41);
  const auto copy = static_cast<uint64_t>(call("dup", {fd}));
  EXPECT_EQ(call("close", {fd}), 0);
  EXPECT_THAT(events(queue), ElementsAre(Pair(kIn, 9)));
  EXPECT_EQ(call("close", {copy}), 0);
  EXPECT_THAT(events(queue), ElementsAre());
  EXPECT_EQ(polled(queue), 0);
}

TEST_F(EventCallTest, ErrorsAndHangUpsAreToldUnasked) {
  const auto queue = static_cast<uint64_t>(call("epoll_create1", {0}));
  const auto [out, in] = pipe();
  EXPECT_EQ(control(queue, kAdd, in, 0, 3), 0);
  EXPECT_THAT(events(queue), ElementsAre());
  EXPECT_EQ(call("close", {out}), 0);
  EXPECT_THAT(events(queue), ElementsAre(Pair(kError, 3)));
}

TEST_F(EventCallTest, BadArgumentsOfEpollAreRefused) {
  EXPECT_EQ(call("epoll_create1", {1}), -EINVAL);
  const auto queue = static_cast<uint64_t>(call("epoll_create1", {02000000}));
  const auto other = static_cast<uint64_t>(call("epoll_create1", {0}));
  const uint64_t fd = counter(0), file = static_cast<uint64_t>(open(in("hello.txt")));
  EXPECT_EQ(call("fcntl", {queue, 1}), 1);
  EXPECT_EQ(control(queue, kAdd, fd, kIn), 0);
  EXPECT_EQ(control(queue, kAdd, fd, kIn), -EEXIST);
  EXPECT_EQ(control(queue, kModify, other, kIn), -ELOOP);
  EXPECT_EQ(control(queue, kAdd, queue, kIn), -EINVAL);
  EXPECT_EQ(control(queue, kAdd, file, kIn), -EPERM);
  EXPECT_EQ(control(queue, kAdd, 999, kIn), -EBADF);
  EXPECT_EQ(control(999, kAdd, fd, kIn), -EBADF);
  EXPECT_EQ(control(fd, kAdd, 1, kIn), -EINVAL);
  EXPECT_EQ(control(queue, 4, fd, kIn), -EINVAL);
  EXPECT_EQ(control(queue, kModify, 1, kIn), -ENOENT);
  EXPECT_EQ(control(queue, kDelete, 1, kIn), -ENOENT);
  EXPECT_EQ(call("epoll_ctl", {queue, kAdd, 1, kUnmapped}), -EFAULT);
  EXPECT_EQ(control(queue, kAdd, 1, kIn | kOneShot | kExclusive), -EINVAL);
  EXPECT_EQ(control(queue, kAdd, 1, kIn | kExclusive), 0);
  EXPECT_EQ(control(queue, kModify, 1, kIn), -EINVAL);
  EXPECT_EQ(call("epoll_pwait", {queue, kBuffer, 0, 0}), -EINVAL);
  EXPECT_EQ(call("epoll_pwait", {fd, kBuffer, 1, 0}), -EINVAL);
  EXPECT_EQ(call("epoll_pwait", {999, kBuffer, 1, 0}), -EBADF);
  EXPECT_EQ(call("epoll_pwait", {queue, kUnmapped, 1, 0}), -EFAULT);
  EXPECT_EQ(call("read", {queue, kBuffer, 8}), -EINVAL);
  EXPECT_EQ(control(queue, kDelete, 1, kIn), 0);
}

TEST_F(EventCallTest, WaitsForNoEventEndWithTheTimeOutOrTheRun) {
  const auto queue = static_cast<uint64_t>(call("epoll_create1", {0}));
  EXPECT_EQ(call("epoll_pwait", {queue, kBuffer, 1, 10}), 0);
  EXPECT_TRUE(user_->put(kScratch, abi::Timespec{0, 10}));
  EXPECT_EQ(call("epoll_pwait2", {queue, kBuffer, 1, kScratch}), 0);
  EXPECT_TRUE(user_->put(kScratch, abi::Timespec{0, 1'000'000'000}));
  EXPECT_EQ(call("epoll_pwait2", {queue, kBuffer, 1, kScratch}), -EINVAL);
  EXPECT_FALSE(calls_->stopped());
  call("epoll_pwait", {queue, kBuffer, 1, ~uint64_t{0}});
  EXPECT_THAT(calls_->exit().error,
              HasSubstr("waits for an event of descriptor " + std::to_string(queue)));
}

// A watched file may stay open under another descriptor, so that the same number is watched again.
TEST_F(EventCallTest, WatchedDescriptorsAreBounded) {
  std::vector<uint64_t> queues;
  for (unsigned i = 0; i < 40; ++i) {
    queues.push_back(static_cast<uint64_t>(call("epoll_create1", {0})));
  }
  uint64_t added = 0;
  int64_t result = 0;
  for (unsigned i = 0; i < 900 && result >= 0; ++i) {
    const uint64_t fd = counter(1);
    for (const uint64_t queue : queues) {
      result = control(queue, kAdd, fd, kIn);
      if (result < 0) break;
      ++added;
    }
  }
  EXPECT_EQ(result, -ENOSPC);
  EXPECT_EQ(added, 16384u);
  EXPECT_EQ(call("close", {queues[0]}), 0);
  EXPECT_EQ(control(queues[1], kAdd, 1, kIn), 0);
}

}  // namespace
}  // namespace strobe::isa
