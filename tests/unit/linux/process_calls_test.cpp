// Identity, time, random numbers, signals, the end of the program, and calls there are none of.
#include "tests/unit/linux/call_fixture.h"

namespace strobe::isa {
namespace {

class ProcessCallTest : public CallTest {
 protected:
  void handle(uint64_t signal, uint64_t handler) {
    EXPECT_TRUE(user_->put(kBuffer, abi::SignalAction{handler, 0, 0}));
    EXPECT_EQ(call("rt_sigaction", {signal, kBuffer, 0, 8}), 0);
  }
  std::string random(uint64_t size) {
    EXPECT_EQ(call("getrandom", {kBuffer, size, 0}), static_cast<int64_t>(size));
    return guest(kBuffer, size);
  }
};

TEST_F(ProcessCallTest, ExitEndsTheRunWithTheLowByteOfTheCode) {
  call("exit_group", {0x1ff});
  EXPECT_TRUE(calls_->stopped());
  EXPECT_TRUE(calls_->exit().exited);
  EXPECT_EQ(calls_->exit().code, 255);
  EXPECT_FALSE(calls_->exit().failed);
}

TEST_F(ProcessCallTest, ACallThatTheProxyDoesNotHaveIsCounted) {
  EXPECT_EQ(call("unshare", {}), -ENOSYS);
  EXPECT_EQ(call("unshare", {}), -ENOSYS);
  EXPECT_EQ(call(452, {}), -ENOSYS) << "fchmodat2, which Linux 6.1 does not have";
  EXPECT_EQ(call(~uint64_t{0}, {}), -ENOSYS);
  EXPECT_FALSE(calls_->stopped());
  const UnsupportedCalls& calls = calls_->unsupported();
  EXPECT_EQ(calls.count, 4u);
  ASSERT_EQ(calls.first.size(), 3u);
  EXPECT_EQ(calls.first[0].number, 97u);
  EXPECT_EQ(calls.first[0].name, "unshare");
  EXPECT_EQ(calls.first[0].count, 2u);
  EXPECT_EQ(calls.first[1].number, 452u);
  EXPECT_EQ(calls.first[1].name, "");
}

TEST_F(ProcessCallTest, OfVeryManyUnsupportedNumbersTheFirstAreKept) {
  for (uint64_t number = 1000; number < 2000; ++number) call(number, {});
  EXPECT_EQ(calls_->unsupported().count, 1000u);
  EXPECT_EQ(calls_->unsupported().first.size(), UnsupportedCalls::kMost);
}

TEST_F(ProcessCallTest, EveryNumberHasAnAnswer) {
  for (uint64_t number = 0; number < 480; ++number) {
    restart();
    for (const uint64_t argument : {uint64_t{0}, uint64_t{1}, ~uint64_t{0}, uint64_t{1} << 63}) {
      if (calls_->stopped()) restart();
      const int64_t result = call(number, std::vector<uint64_t>(6, argument));
      EXPECT_TRUE(calls_->stopped() || result > -4096) << number;
      EXPECT_EQ(calls_->exit().failed, !calls_->exit().error.empty()) << number;
    }
  }
}

TEST_F(ProcessCallTest, CallsThatOldKernelsLackAreRefusedAndTheProgramGoesOn) {
  for (const char* name : {"rseq", "riscv_hwprobe", "socket", "splice"}) {
    EXPECT_EQ(call(name), -ENOSYS) << name;
  }
  EXPECT_FALSE(calls_->stopped());
}

TEST_F(ProcessCallTest, IdentityIsTheSameInEveryRun) {
  EXPECT_EQ(call("getpid"), 100);
  EXPECT_EQ(call("gettid"), 100);
  EXPECT_EQ(call("set_tid_address", {0}), 100);
  EXPECT_EQ(call("getppid"), 1);
  for (const char* name : {"getuid", "geteuid", "getgid", "getegid"}) {
    EXPECT_EQ(call(name), 1000) << name;
  }
  EXPECT_EQ(call("uname", {kBuffer}), 0);
  EXPECT_STREQ(guest(kBuffer, 65).c_str(), "Linux");
  EXPECT_STREQ(guest(kBuffer + 4 * 65, 65).c_str(), "riscv64");
  EXPECT_EQ(call("sched_getaffinity", {0, 8, kBuffer}), 8);
  EXPECT_EQ(value<uint64_t>(kBuffer), 1u);
  EXPECT_EQ(call("sched_getaffinity", {0, 4, kBuffer}), -EINVAL);
  EXPECT_EQ(call("sysinfo", {kBuffer}), 0);
  EXPECT_EQ(value<abi::Sysinfo>(kBuffer).total, kLimit);
}

TEST_F(ProcessCallTest, RandomNumbersFollowTheSeed) {
  const std::string first = random(37);
  EXPECT_NE(random(37), first);
  restart();
  EXPECT_EQ(random(37), first);
  options_.seed = 2;
  restart();
  EXPECT_NE(random(37), first);
  EXPECT_EQ(call("getrandom", {kBuffer, 1, 8}), -EINVAL);
}

TEST_F(ProcessCallTest, ClocksRunOnTheGivenTimeAndSleepingTakesNone) {
  uint64_t time = 2'345'678'901;
  calls_->set_clock([&] { return time; });
  EXPECT_EQ(call("clock_gettime", {1, kBuffer}), 0);
  EXPECT_EQ(value<abi::Timespec>(kBuffer).seconds, 2);
  EXPECT_EQ(value<abi::Timespec>(kBuffer).nanoseconds, 345'678'901);
  EXPECT_EQ(call("clock_gettime", {0, kBuffer}), 0);
  EXPECT_EQ(value<abi::Timespec>(kBuffer).seconds, 1'000'000'002);
  EXPECT_EQ(call("gettimeofday", {kBuffer, 0}), 0);
  EXPECT_EQ(value<abi::Timeval>(kBuffer).microseconds, 345'678);
  EXPECT_EQ(call("times", {0}), 234);
  EXPECT_EQ(call("getrusage", {0, kBuffer}), 0);
  EXPECT_EQ(value<abi::Rusage>(kBuffer).user.seconds, 2);
  EXPECT_EQ(call("clock_getres", {1, kBuffer}), 0);
  EXPECT_EQ(value<abi::Timespec>(kBuffer).nanoseconds, 1);
  EXPECT_EQ(call("clock_gettime", {99, kBuffer}), -EINVAL);
  EXPECT_EQ(call("getrusage", {7, kBuffer}), -EINVAL);

  EXPECT_TRUE(user_->put(kBuffer, abi::Timespec{1000000, 0}));
  EXPECT_EQ(call("nanosleep", {kBuffer, 0}), 0);
  EXPECT_EQ(call("clock_nanosleep", {1, 0, kBuffer, 0}), 0);
  EXPECT_TRUE(user_->put(kBuffer, abi::Timespec{0, 1'000'000'000}));
  EXPECT_EQ(call("nanosleep", {kBuffer, 0}), -EINVAL);
}

TEST_F(ProcessCallTest, WithoutAClockTimeStillPasses) {
  call("clock_gettime", {1, kBuffer});
  const auto first = value<abi::Timespec>(kBuffer).nanoseconds;
  call("clock_gettime", {1, kBuffer});
  EXPECT_EQ(value<abi::Timespec>(kBuffer).nanoseconds, first + 1000);
}

TEST_F(ProcessCallTest, LimitsAreToldAndRemembered) {
  EXPECT_EQ(call("prlimit64", {0, 3, 0, kBuffer}), 0);
  EXPECT_EQ(value<abi::Limit>(kBuffer).soft, AddressSpace::kStackSize);
  EXPECT_TRUE(user_->put(kBuffer, abi::Limit{10, 20}));
  EXPECT_EQ(call("prlimit64", {0, 7, kBuffer, 0}), 0);
  EXPECT_EQ(call("getrlimit", {7, kBuffer}), 0);
  EXPECT_EQ(value<abi::Limit>(kBuffer).hard, 20u);
  EXPECT_TRUE(user_->put(kBuffer, abi::Limit{10, 21}));
  EXPECT_EQ(call("setrlimit", {7, kBuffer}), -EPERM);
  EXPECT_TRUE(user_->put(kBuffer, abi::Limit{11, 10}));
  EXPECT_EQ(call("setrlimit", {7, kBuffer}), -EINVAL);
  EXPECT_EQ(call("prlimit64", {0, 99, 0, 0}), -EINVAL);
  EXPECT_EQ(call("prlimit64", {5, 3, 0, 0}), -ESRCH);
}

TEST_F(ProcessCallTest, AnAbortEndsWith128PlusTheSignal) {
  EXPECT_EQ(call("tgkill", {100, 100, 6}), 0);
  EXPECT_TRUE(calls_->exit().exited);
  EXPECT_EQ(calls_->exit().code, 134);
}

TEST_F(ProcessCallTest, SignalsAreIgnoredBlockedAndDeliveredAsAsked) {
  EXPECT_EQ(call("kill", {100, 17}), 0) << "SIGCHLD is ignored by default";
  EXPECT_EQ(call("kill", {100, 0}), 0);
  handle(10, 1);
  EXPECT_EQ(call("kill", {0, 10}), 0) << "ignored";
  EXPECT_TRUE(user_->put(kBuffer, uint64_t{1} << 14));
  EXPECT_EQ(call("rt_sigprocmask", {0, kBuffer, 0, 8}), 0);
  EXPECT_EQ(call("kill", {100, 15}), 0);
  EXPECT_EQ(call("rt_sigpending", {kBuffer + 64, 8}), 0);
  EXPECT_EQ(value<uint64_t>(kBuffer + 64), uint64_t{1} << 14);
  EXPECT_FALSE(calls_->stopped());
  call("rt_sigprocmask", {1, kBuffer, 0, 8});
  EXPECT_EQ(calls_->exit().code, 128 + 15);
}

TEST_F(ProcessCallTest, BadSignalArgumentsAreRefused) {
  EXPECT_EQ(call("rt_sigaction", {0, 0, 0, 8}), -EINVAL);
  EXPECT_EQ(call("rt_sigaction", {65, 0, 0, 8}), -EINVAL);
  EXPECT_EQ(call("rt_sigaction", {9, kBuffer, 0, 8}), -EINVAL) << "SIGKILL";
  EXPECT_EQ(call("rt_sigaction", {10, 0, 0, 16}), -EINVAL);
  EXPECT_EQ(call("rt_sigaction", {10, kUnmapped, 0, 8}), -EFAULT);
  EXPECT_EQ(call("rt_sigprocmask", {7, kBuffer, 0, 8}), -EINVAL);
  EXPECT_EQ(call("kill", {5, 9}), -ESRCH) << "somebody else";
  EXPECT_EQ(call("tgkill", {100, 100, 65}), -EINVAL);
  EXPECT_EQ(call("sigaltstack", {0, kBuffer}), 0);
  EXPECT_EQ(value<abi::SignalStack>(kBuffer).flags, 2);
  EXPECT_FALSE(calls_->stopped());
}

TEST_F(ProcessCallTest, WaitingForNobodyIsADeadlock) {
  EXPECT_TRUE(user_->put(kBuffer, uint32_t{5}));
  EXPECT_EQ(call("futex", {kBuffer, 128, 6, 0}), -EAGAIN);
  EXPECT_EQ(call("futex", {kBuffer, 129, 1}), 0) << "nobody to wake";
  EXPECT_EQ(call("futex", {kBuffer + 2, 128, 5, 0}), -EINVAL);
  EXPECT_EQ(call("futex", {kUnmapped, 128, 5, 0}), -EFAULT);
  EXPECT_TRUE(user_->put(kBuffer + 8, abi::Timespec{1, 0}));
  EXPECT_EQ(call("futex", {kBuffer, 128, 5, kBuffer + 8}), -ETIMEDOUT);
  EXPECT_FALSE(calls_->stopped());
  call("futex", {kBuffer, 128, 5, 0});
  EXPECT_EQ(calls_->exit().error,
            "deadlock: thread 0 (prog) waits for a wake-up at 0x7ff10000 (futex at pc 0x10478, "
            "called by an unknown function); expected something that ends one of these waits; run "
            "it on Linux to see where it waits");
}

}  // namespace
}  // namespace strobe::isa
