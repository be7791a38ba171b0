// Priorities, scheduling classes, identities, ranges of descriptors, and file systems.
#include "tests/unit/linux/call_fixture.h"

namespace strobe::isa {
namespace {

class SchedulingCallTest : public CallTest {
 protected:
  static constexpr uint64_t kNobody = 4711, kMinusOne = ~uint64_t{0};

  int64_t set_scheduler(uint64_t policy, int32_t priority) {
    EXPECT_TRUE(user_->put(kBuffer, priority));
    return call("sched_setscheduler", {0, policy, kBuffer});
  }
};

TEST_F(SchedulingCallTest, APriorityOnlyFalls) {
  EXPECT_EQ(call("getpriority", {0, 0}), 20) << "20 - nice";
  EXPECT_EQ(call("setpriority", {0, 100, 5}), 0);
  EXPECT_EQ(call("getpriority", {2, 1000}), 15);
  EXPECT_EQ(call("setpriority", {0, 0, 4}), -EACCES);
  EXPECT_EQ(call("setpriority", {0, 0, 99}), 0);
  EXPECT_EQ(call("getpriority", {0, 0}), 1);
  EXPECT_EQ(call("getpriority", {3, 0}), -EINVAL);
  EXPECT_EQ(call("getpriority", {0, kNobody}), -ESRCH);
  EXPECT_EQ(call("setpriority", {2, kNobody, 19}), -ESRCH);
}

TEST_F(SchedulingCallTest, ThereIsOneClass) {
  EXPECT_EQ(set_scheduler(0, 0), 0);
  EXPECT_EQ(set_scheduler(0, 1), -EINVAL);
  EXPECT_EQ(set_scheduler(1, 0), -EINVAL);
  EXPECT_EQ(set_scheduler(1, 50), -EPERM);
  EXPECT_EQ(set_scheduler(3, 0), -EPERM);
  EXPECT_EQ(set_scheduler(77, 0), -EINVAL);
  EXPECT_EQ(call("sched_setscheduler", {0, 0, kUnmapped}), -EFAULT);
  EXPECT_EQ(call("sched_setscheduler", {kNobody, 0, kBuffer}), -ESRCH);
  EXPECT_EQ(call("sched_getscheduler", {0}), 0);
  EXPECT_EQ(call("sched_getscheduler", {kMinusOne}), -EINVAL);
  EXPECT_TRUE(user_->put(kBuffer, int32_t{9}));
  EXPECT_EQ(call("sched_setparam", {0, kBuffer}), -EINVAL);
  EXPECT_EQ(call("sched_getparam", {100, kBuffer}), 0);
  EXPECT_EQ(value<int32_t>(kBuffer), 0);
  EXPECT_EQ(call("sched_setparam", {0, kBuffer}), 0);
  EXPECT_EQ(call("sched_getparam", {0, 0}), -EINVAL);
  EXPECT_EQ(call("sched_getparam", {kNobody, kBuffer}), -ESRCH);
}

TEST_F(SchedulingCallTest, EachClassHasItsRangeOfPriorities) {
  EXPECT_EQ(call("sched_get_priority_min", {0}), 0);
  EXPECT_EQ(call("sched_get_priority_max", {0}), 0);
  EXPECT_EQ(call("sched_get_priority_min", {2}), 1);
  EXPECT_EQ(call("sched_get_priority_max", {1}), 99);
  EXPECT_EQ(call("sched_get_priority_max", {4}), -EINVAL);
  EXPECT_EQ(call("sched_get_priority_min", {kMinusOne}), -EINVAL);
  EXPECT_EQ(call("sched_rr_get_interval", {0, kBuffer}), 0);
  EXPECT_GT(value<abi::Timespec>(kBuffer).nanoseconds, 0);
  EXPECT_EQ(call("sched_rr_get_interval", {0, kUnmapped}), -EFAULT);
}

TEST_F(SchedulingCallTest, IdentitiesAreThoseOfTheOneProcess) {
  for (const char* name : {"getresuid", "getresgid"}) {
    EXPECT_EQ(call(name, {kBuffer, kBuffer + 4, kBuffer + 8}), 0);
    for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(value<uint32_t>(kBuffer + 4 * i), 1000u);
    EXPECT_EQ(call(name, {kBuffer, kUnmapped, kBuffer}), -EFAULT);
  }
  for (const char* name : {"getpgid", "getsid"}) {
    EXPECT_EQ(call(name, {0}), 100);
    EXPECT_EQ(call(name, {100}), 100);
    EXPECT_EQ(call(name, {kNobody}), -ESRCH);
  }
}

TEST_F(SchedulingCallTest, ARangeOfDescriptorsIsClosedOrMarked) {
  for (int i = 0; i < 5; ++i) EXPECT_EQ(call("dup", {0}), 3 + i);
  EXPECT_EQ(call("close_range", {4, 5, 4}), 0);
  EXPECT_EQ(call("fcntl", {3, 1}), 0);
  EXPECT_EQ(call("fcntl", {5, 1}), 1) << "close on exec";
  EXPECT_EQ(call("close_range", {4, 6, 0}), 0);
  EXPECT_EQ(call("fcntl", {6, 1}), -EBADF);
  EXPECT_EQ(call("fcntl", {7, 1}), 0);
  EXPECT_EQ(call("close_range", {3, 0xffffffff, 0}), 0);
  EXPECT_EQ(call("fcntl", {7, 1}), -EBADF);
  EXPECT_EQ(call("fcntl", {0, 1}), 0);
  EXPECT_EQ(call("close_range", {5, 4, 0}), -EINVAL);
  EXPECT_EQ(call("close_range", {5, 6, 1}), -EINVAL);
}

TEST_F(SchedulingCallTest, FileSystemsAreConstants) {
  EXPECT_EQ(call("statfs", {text(in("hello.txt")), kBuffer}), 0);
  const auto first = value<abi::FileSystem>(kBuffer);
  EXPECT_EQ(first.type, 0xef53u);
  EXPECT_EQ(first.flags & 1, 1u) << "read-only";
  EXPECT_EQ(call("statfs", {text(out("")), kBuffer}), 0);
  EXPECT_EQ(value<abi::FileSystem>(kBuffer).flags & 1, 0u);
  EXPECT_EQ(value<abi::FileSystem>(kBuffer).blocks, first.blocks);
  EXPECT_EQ(call("statfs", {text("/etc"), kBuffer}), -ENOENT);
  EXPECT_EQ(call("statfs", {text(in("")), kUnmapped}), -EFAULT);
  const auto fd = static_cast<uint64_t>(call("memfd_create", {text("m"), 0}));
  EXPECT_EQ(call("fstatfs", {fd, kBuffer}), 0);
  EXPECT_EQ(value<abi::FileSystem>(kBuffer).type, 0x01021994u);
  EXPECT_EQ(call("fstatfs", {999, kBuffer}), -EBADF);
}

TEST_F(SchedulingCallTest, EveryMappedPageIsInMemory) {
  const int64_t at = call("mmap", {0, 3 * 4096, 3, 0x22, kMinusOne, 0});
  ASSERT_GT(at, 0);
  const auto address = static_cast<uint64_t>(at);
  EXPECT_TRUE(user_->put(kBuffer, uint32_t{0}));
  EXPECT_EQ(call("mincore", {address, 2 * 4096 + 1, kBuffer}), 0);
  EXPECT_EQ(value<uint32_t>(kBuffer), 0x010101u) << "a byte for each page";
  EXPECT_EQ(call("mincore", {address + 1, 4096, kBuffer}), -EINVAL);
  EXPECT_EQ(call("mincore", {address, 4096, kUnmapped}), -EFAULT);
  EXPECT_EQ(call("munmap", {address + 4096, 4096}), 0);
  EXPECT_EQ(call("mincore", {address, 2 * 4096, kBuffer}), -ENOMEM);
}

}  // namespace
}  // namespace strobe::isa
