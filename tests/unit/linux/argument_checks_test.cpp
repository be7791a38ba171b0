// Do system calls look at their arguments as Linux does?
#include "tests/unit/linux/caller_fixture.h"

namespace strobe::isa {
namespace {

using testing::HasSubstr;

class ArgumentTest : public CallerTest {
 protected:
  static constexpr uint64_t kHigh = 0xdeadbeef00000000;  // what the upper half of a register may be
  static constexpr uint64_t kNoId = UINT32_MAX, kOther = 1001;
  static constexpr uint64_t kSharedFlags = 0x21, kPrivateFlags = 0x22;

  uint64_t map(uint64_t size, uint64_t flags, uint64_t fd = ~uint64_t{0}, uint64_t offset = 0) {
    const int64_t at = call("mmap", {0, size, 3, flags, fd, offset});
    EXPECT_GT(at, 0) << at;
    return static_cast<uint64_t>(at);
  }
};

TEST_F(ArgumentTest, TheUpperHalfOfARegisterIsNoPartOfAnInt) {
  const auto fd = static_cast<uint64_t>(open("hello.txt"));
  EXPECT_EQ(call("read", {kHigh | fd, kBuffer, 5}), 5);
  EXPECT_EQ(guest(kBuffer, 5), "hello");
  EXPECT_EQ(call("lseek", {kHigh | fd, 0, kHigh}), 0);
  EXPECT_EQ(call("fstat", {kHigh | fd, kBuffer}), 0);
  EXPECT_EQ(call("fcntl", {kHigh | fd, kHigh | 1, 0}), 0);
  EXPECT_EQ(call("dup3", {kHigh | fd, kHigh | 9, kHigh}), 9);
  EXPECT_EQ(call("openat", {kHigh | 0xffffff9c, text("hello.txt"), kHigh, 0}), 4);
  EXPECT_EQ(call("kill", {kHigh | 100, kHigh}), 0);
  EXPECT_EQ(call("close", {kHigh | fd}), 0);
  EXPECT_EQ(call("read", {fd, kBuffer, 5}), -EBADF);
  EXPECT_EQ(call("mprotect", {map(4096, kPrivateFlags), 4096, kHigh | 1}), -EINVAL) << "a long";
}

TEST_F(ArgumentTest, AProcessMayTakeTheIdentityThatItHas) {
  for (const char* name : {"setuid", "setgid"}) {
    EXPECT_EQ(call(name, {kHigh | 1000}), 0) << name;
    EXPECT_EQ(call(name, {kOther}), -EPERM) << name;
    EXPECT_EQ(call(name, {0}), -EPERM) << name;
    EXPECT_EQ(call(name, {kNoId}), -EINVAL) << name;
  }
  for (const char* name : {"setreuid", "setregid", "setresuid", "setresgid"}) {
    EXPECT_EQ(call(name, {1000, kNoId, kNoId}), 0) << name;
    EXPECT_EQ(call(name, {kNoId, 1000, 1000}), 0) << name;
    EXPECT_EQ(call(name, {1000, kOther, 1000}), -EPERM) << name;
  }
  EXPECT_EQ(call("setresuid", {1000, 1000, kOther}), -EPERM);
  EXPECT_EQ(call("setfsuid", {kOther}), 1000) << "tells the old one, whatever it is asked";
  EXPECT_EQ(call("setfsgid", {1000}), 1000);
  const std::array<uint32_t, 2> groups{1000, 1001};
  ASSERT_TRUE(user_->put(kBuffer, groups));
  EXPECT_EQ(call("setgroups", {1, kBuffer}), 0);
  EXPECT_EQ(call("setgroups", {2, kBuffer}), -EPERM);
  EXPECT_EQ(call("setgroups", {1, kBuffer + 4}), -EPERM);
  EXPECT_EQ(call("setgroups", {1, kUnmapped}), -EFAULT);
  EXPECT_EQ(call("setsid"), -EPERM) << "it leads its session";
  EXPECT_EQ(call("setpgid", {0, 0}), -EPERM);
  EXPECT_EQ(call("setpgid", {0, ~uint64_t{0}}), -EINVAL);
  EXPECT_EQ(call("setpgid", {4711, 0}), -ESRCH);
}

TEST_F(ArgumentTest, ClocksOfProcessorTimeOfTheProcessAndItsThreadsWork) {
  const auto clock_of = [](uint64_t id, uint64_t kind) {
    return static_cast<uint32_t>(~static_cast<uint32_t>(id)) << 3 | kind;
  };
  instructions_ = 5'000'000;
  calls_->set_clock([this] { return instructions_; });
  calls_->set_caller(&state_, instructions_);
  for (const uint64_t clock : {uint64_t{2}, uint64_t{3}, clock_of(0, 2), clock_of(100, 2),
                               clock_of(0, 6), clock_of(100, 6), kHigh | clock_of(100, 6)}) {
    ASSERT_EQ(call("clock_gettime", {clock, kBuffer}), 0) << clock;
    EXPECT_EQ(value<abi::Timespec>(kBuffer).nanoseconds, 5'000'000) << clock;
    EXPECT_EQ(call("clock_getres", {clock, kBuffer}), 0) << clock;
  }
  for (const uint64_t clock : {clock_of(4711, 2), clock_of(4711, 6), clock_of(100, 3)}) {
    EXPECT_EQ(call("clock_gettime", {clock, kBuffer}), -EINVAL) << clock;
  }
}

TEST_F(ArgumentTest, AClockOfAThreadIsThatOfThisThread) {
  constexpr uint64_t kThreadFlags = 0x10f00;
  calls_->set_clock([this] { return instructions_; });
  make("clone", {kThreadFlags, kScratch - 0x8000});
  instructions_ = 3'000'000;
  make("sched_yield");
  ASSERT_EQ(state_.thread, 1u);
  instructions_ += 1'000'000;
  calls_->set_caller(&state_, instructions_);
  const auto nanoseconds = [this](uint64_t thread) {
    const uint64_t clock = static_cast<uint32_t>(~static_cast<uint32_t>(thread)) << 3 | 6;
    EXPECT_EQ(call("clock_gettime", {clock, kBuffer}), 0);
    return value<abi::Timespec>(kBuffer).nanoseconds;
  };
  EXPECT_NEAR(static_cast<double>(nanoseconds(100)), 3e6, 10);
  EXPECT_NEAR(static_cast<double>(nanoseconds(101)), 1e6, 10);
}

TEST_F(ArgumentTest, AdviceLeavesSharedMemoryAndReadsFilesAgain) {
  constexpr uint64_t kDontNeed = 4;
  const uint64_t shared = map(8192, kSharedFlags), own = map(8192, kPrivateFlags);
  for (const uint64_t at : {shared, own}) {
    ASSERT_TRUE(user_->put(at, uint64_t{42}));
    EXPECT_EQ(call("madvise", {at, 4096, kDontNeed}), 0);
  }
  EXPECT_EQ(value<uint64_t>(shared), 42u);
  EXPECT_EQ(value<uint64_t>(own), 0u);
  const auto fd = static_cast<uint64_t>(open("hello.txt"));
  const uint64_t file = map(4096, 2, fd);
  EXPECT_EQ(call("close", {fd}), 0);
  ASSERT_TRUE(user_->put(file, uint64_t{42}));
  put_file("in/hello.txt", "HELLO, world");
  EXPECT_EQ(call("madvise", {file, 4096, kDontNeed}), 0);
  EXPECT_EQ(guest(file, 13), std::string("HELLO, world") + '\0');
  // What is mapped over it, or moved, takes its own with it.
  EXPECT_EQ(call("mmap", {shared, 4096, 3, kPrivateFlags | 0x10, ~uint64_t{0}, 0}),
            static_cast<int64_t>(shared));
  const int64_t moved = call("mremap", {shared + 4096, 4096, 1 << 20, 1, 0});
  ASSERT_GT(moved, 0);
  for (const uint64_t at : {shared, static_cast<uint64_t>(moved)}) {
    ASSERT_TRUE(user_->put(at, uint64_t{42}));
    EXPECT_EQ(call("madvise", {at, 4096, kDontNeed}), 0);
  }
  EXPECT_EQ(value<uint64_t>(shared), 0u);
  EXPECT_EQ(value<uint64_t>(static_cast<uint64_t>(moved)), 42u);
}

TEST_F(ArgumentTest, CallsOnMemoryLookAtTheirRange) {
  const uint64_t at = map(8192, kPrivateFlags);
  EXPECT_EQ(call("msync", {at, 8192, 4}), 0);
  EXPECT_EQ(call("msync", {kUnmapped, 4096, 4}), -ENOMEM);
  EXPECT_EQ(call("msync", {at + 1, 4096, 4}), -EINVAL);
  EXPECT_EQ(call("msync", {at, 4096, 5}), -EINVAL) << "both at once and later";
  EXPECT_EQ(call("msync", {at, 4096, 8}), -EINVAL);
  for (const char* name : {"mlock", "munlock"}) {
    EXPECT_EQ(call(name, {at + 5, 100}), 0) << name;
    EXPECT_EQ(call(name, {kUnmapped, 1}), -ENOMEM) << name;
    EXPECT_EQ(call(name, {at, ~uint64_t{0} - 8191}), -EINVAL) << name;
  }
  EXPECT_EQ(call("mlock2", {at, 4096, 1}), 0);
  EXPECT_EQ(call("mlock2", {at, 4096, 2}), -EINVAL);
  EXPECT_EQ(call("mlockall", {3}), 0);
  for (const uint64_t flags : {0, 4, 8}) EXPECT_EQ(call("mlockall", {flags}), -EINVAL) << flags;
  EXPECT_EQ(call("madvise", {kUnmapped, 4096, 0}), -ENOMEM);
  EXPECT_EQ(call("madvise", {at, 4096, 99}), -EINVAL);
  EXPECT_EQ(call("madvise", {at + 1, 4096, 0}), -EINVAL);
}

TEST_F(ArgumentTest, CallsOnFilesLookAtTheirFlags) {
  const auto fd = static_cast<uint64_t>(open("hello.txt"));
  EXPECT_EQ(call("pipe2", {kBuffer, 0}), 0);
  const uint64_t pipe = value<uint32_t>(kBuffer);
  EXPECT_EQ(call("fadvise64", {fd, 0, 0, 5}), 0);
  EXPECT_EQ(call("fadvise64", {fd, 0, 0, 6}), -EINVAL);
  EXPECT_EQ(call("fadvise64", {fd, 0, ~uint64_t{0}, 0}), -EINVAL);
  EXPECT_EQ(call("fadvise64", {pipe, 0, 0, 0}), -ESPIPE);
  EXPECT_EQ(call("fadvise64", {99, 0, 0, 0}), -EBADF);
  EXPECT_EQ(call("readahead", {pipe, 0, 1}), -EINVAL);
  EXPECT_EQ(call("fsync", {pipe}), -EINVAL);
  EXPECT_EQ(call("sync_file_range", {fd, 0, 0, 8}), -EINVAL);
  EXPECT_EQ(call("sync_file_range", {pipe, 0, 0, 0}), -ESPIPE);
  EXPECT_EQ(call("flock", {fd, 2}), 0);
  EXPECT_EQ(call("flock", {fd, 3}), -EINVAL);
  EXPECT_EQ(call("lseek", {fd, 0, 5}), -EINVAL);
  const uint64_t path = text("hello.txt");
  EXPECT_EQ(call("statx", {kHere, path, 0, 0x7ff, kBuffer}), 0);
  EXPECT_EQ(call("statx", {kHere, path, 0x6000, 0, kBuffer}), -EINVAL);
  EXPECT_EQ(call("statx", {kHere, path, 1, 0, kBuffer}), -EINVAL);
  EXPECT_EQ(call("statx", {kHere, path, 0, 0x80000000, kBuffer}), -EINVAL);
  EXPECT_EQ(call("getrandom", {kBuffer, 8, 6}), -EINVAL) << "blocking and insecure";
  EXPECT_EQ(call("getrandom", {kBuffer, 8, 8}), -EINVAL);
}

TEST_F(ArgumentTest, OfTwoErrorsTheOneIsReturnedThatLinuxFindsFirst) {
  const auto fd = static_cast<uint64_t>(open("hello.txt"));
  const auto directory = static_cast<uint64_t>(call("openat", {kHere, text("."), 0, 0}));
  EXPECT_EQ(call("pipe2", {kBuffer, 0}), 0);
  const uint64_t in = value<uint32_t>(kBuffer), out = value<uint32_t>(kBuffer + 4);
  constexpr uint64_t kPunch = 2, kCollapse = 8;
  EXPECT_EQ(call("fallocate", {in, kCollapse, 0, 1}), -EBADF);
  EXPECT_EQ(call("fallocate", {out, kCollapse, 0, 1}), -ESPIPE);
  EXPECT_EQ(call("fallocate", {out, kPunch, 0, 1}), -EOPNOTSUPP) << "it needs another bit";
  EXPECT_EQ(call("copy_file_range", {in, 0, directory, 0, 0, 0}), -EISDIR);
  EXPECT_EQ(call("pread64", {directory, kBuffer, 8, INT64_MAX}), -EINVAL);
  EXPECT_EQ(call("pread64", {fd, kBuffer, 8, INT64_MAX - 7}), -EINVAL);
  EXPECT_EQ(call("pread64", {fd, kBuffer, 7, INT64_MAX - 7}), 0);
  EXPECT_EQ(call("readlinkat", {kHere, text("hello.txt/"), kBuffer, 8}), -ENOTDIR);
  EXPECT_EQ(call("futex", {kBuffer + 1, 99, 0, 0, 0, 0}), -ENOSYS) << "no such operation";
  EXPECT_EQ(call("futex", {kBuffer, 256 + 1, 0, 0, 0, 0}), -ENOSYS) << "it waits for no clock";
  EXPECT_EQ(call("sched_getaffinity", {999, 1, kBuffer}), -EINVAL);
  EXPECT_EQ(call("sched_setscheduler", {999, 0x80000000, kBuffer}), -EINVAL);
  EXPECT_EQ(call("timer_create", {4, 0, kBuffer}), -EOPNOTSUPP);
  EXPECT_EQ(call("setpgid", {~uint64_t{0}, 0}), -EINVAL);
}

TEST_F(ArgumentTest, WaitsForChildrenLookAtTheirOptions) {
  EXPECT_EQ(call("waitid", {0, 0, 0, 4}), -ECHILD);
  EXPECT_EQ(call("waitid", {0, 0, 0, 0}), -EINVAL) << "for nothing";
  EXPECT_EQ(call("waitid", {0, 0, 0, 0x14}), -EINVAL);
  EXPECT_EQ(call("waitid", {1, 0, 0, 4}), -EINVAL);
  EXPECT_EQ(call("waitid", {3, 5, 0, 4}), -EBADF);
  EXPECT_EQ(call("waitid", {4, 5, 0, 4}), -EINVAL);
  EXPECT_EQ(call("wait4", {~uint64_t{0}, 0, 1, 0}), -ECHILD);
  EXPECT_EQ(call("wait4", {~uint64_t{0}, 0, 4, 0}), -EINVAL);
  EXPECT_EQ(call("wait4", {0x80000000, 0, 0, 0}), -ESRCH);
}

// MAX_RW_COUNT, for one call and for all its parts together.
TEST_F(ArgumentTest, ACallMovesAtMostTwoGibibytesLessAPage) {
  constexpr int64_t kMost = 2'147'479'552;
  options_.memory_limit = uint64_t{1} << 30;
  restart();
  const uint64_t at = map(uint64_t{900} << 20, kPrivateFlags);
  const auto null = static_cast<uint64_t>(call("openat", {kHere, text("/dev/null"), 2, 0}));
  std::array<abi::IoVector, 3> parts{};
  parts.fill({at, uint64_t{900} << 20});
  ASSERT_TRUE(user_->put(kBuffer, parts));
  EXPECT_EQ(call("writev", {null, kBuffer, 3}), kMost);
  EXPECT_EQ(call("pwritev", {null, kBuffer, 3, 0}), kMost);
  EXPECT_EQ(call("writev", {null, kBuffer, 2}), int64_t{1800} << 20);
}

TEST_F(ArgumentTest, AMappingThatDoesNotFitSaysWhy) {
  EXPECT_EQ(call("mmap", {0, kLimit, 0, kPrivateFlags, ~uint64_t{0}, 0}), -ENOMEM);
  ASSERT_EQ(calls_->suspects().size(), 1u);
  EXPECT_THAT(calls_->suspects()[0],
              HasSubstr("a reservation of 67108864 bytes (PROT_NONE) counts against "
                        "workload.memory, which is 67108864 bytes, of which 8388608 bytes are "
                        "used; the call returned ENOMEM: raise workload.memory"));
  EXPECT_EQ(call("mmap", {0, kLimit, 3, kPrivateFlags, ~uint64_t{0}, 0}), -ENOMEM);
  EXPECT_EQ(calls_->suspects().size(), 1u) << "once";
  for (const auto& [address, size] :
       {std::pair(uint64_t{0}, uint64_t{1} << 32), {uint64_t{0x100000000}, uint64_t{4096}}}) {
    restart();
    const uint64_t flags = kPrivateFlags | (address != 0 ? 0x10 : 0);
    EXPECT_EQ(call("mmap", {address, size, 3, flags, ~uint64_t{0}, 0}), -ENOMEM);
    ASSERT_EQ(calls_->suspects().size(), 1u);
    EXPECT_THAT(calls_->suspects()[0],
                HasSubstr("ends above the end of the modeled address space, 0x80000000; the call "
                          "returned ENOMEM"));
  }
}

}  // namespace
}  // namespace strobe::isa
