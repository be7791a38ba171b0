// Threads: how they start, wait, take turns and end, and what is said when none can go on.
#include "tests/unit/linux/caller_fixture.h"

namespace strobe::isa {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

// What pthread_create asks for.
constexpr uint64_t kThreadFlags = 0x3d0f00;
constexpr uint64_t kWait = 128, kWake = 129, kRequeue = 132, kWakeOperation = 133;

class ThreadTest : public CallerTest {
 protected:
  static constexpr uint64_t kWord = kBuffer + 0x100, kOther = kBuffer + 0x108,
                            kId = kBuffer + 0x110, kTime = kBuffer + 0x120;
  static constexpr uint64_t kTls = 0x7ff55000;

  /// Starts a thread with its stack at `stack`. It goes on at the instruction after the ECALL when
  /// this one waits.
  void start(uint64_t stack) { make("clone", {kThreadFlags, stack, kId, kTls, kId}); }
  unsigned thread() const { return state_.thread; }
  void set(uint64_t address, uint32_t value) { ASSERT_TRUE(user_->put(address, value)); }
  void wait(uint64_t time = 0) { make("futex", {kWord, kWait, 0, time}); }
};

TEST_F(ThreadTest, AThreadStartsWithItsStackAndItsStorage) {
  start(kScratch + 0x8000);
  EXPECT_EQ(result(), 101);
  EXPECT_EQ(thread(), 0u) << "the one that starts it goes on";
  EXPECT_EQ(value<uint32_t>(kId), 101u);
  make("futex", {kId, 0, 101, 0});  // as pthread_join does
  EXPECT_EQ(thread(), 1u);
  EXPECT_EQ(result(), 0) << "of clone, in the new thread";
  EXPECT_EQ(state_.pc, kEcall + 4);
  EXPECT_EQ(state_.x[abi::kSp], kScratch + 0x8000);
  EXPECT_EQ(state_.x[4], kTls);
  EXPECT_EQ(state_.x[18], 1234u);
  EXPECT_EQ(state_.f[9], 0x400921fb54442d18u);
  make("gettid");
  EXPECT_EQ(result(), 101);
  make("getpid");
  EXPECT_EQ(result(), 100);
  // At its end it clears its identifier and wakes the thread that waits there.
  make("exit", {0});
  EXPECT_EQ(thread(), 0u) << error();
  EXPECT_EQ(value<uint32_t>(kId), 0u);
}

TEST_F(ThreadTest, AWakeUpEndsTheWaitsInTheirOrder) {
  for (unsigned i = 1; i <= 3; ++i) start(kScratch + 0x8000 * i);
  set(kWord, 0);
  wait();  // thread 0, then 1 and 2
  wait();
  wait();
  EXPECT_EQ(thread(), 3u);
  make("futex", {kWord, kWake, 2});
  EXPECT_EQ(result(), 2);
  wait();
  EXPECT_EQ(thread(), 0u);
  EXPECT_EQ(result(), 0);
  EXPECT_EQ(state_.pc, kEcall + 16) << "after three clones and its wait";
  make("futex", {kWord, kWait, 7, 0});
  EXPECT_EQ(result(), -EAGAIN) << "another value";
  make("futex", {kWord, kRequeue, 1, 5, kOther, 0});
  EXPECT_EQ(result(), 2) << "one woken, one moved";
  make("futex", {kOther, kWake, 5});
  EXPECT_EQ(result(), 1);
  make("futex", {kWord, kWake, 5});
  EXPECT_EQ(result(), 0);
}

TEST_F(ThreadTest, AWakeUpMayAskForBits) {
  start(kScratch + 0x8000);
  set(kWord, 0);
  make("futex", {kWord, 9 | 128, 0, 0, 0, 6});
  EXPECT_EQ(thread(), 1u);
  make("futex", {kWord, 10 | 128, 1, 0, 0, 1});
  EXPECT_EQ(result(), 0);
  make("futex", {kWord, 10 | 128, 1, 0, 0, 4});
  EXPECT_EQ(result(), 1);
  make("futex", {kWord, 10 | 128, 1, 0, 0, 0});
  EXPECT_EQ(result(), -EINVAL);
}

TEST_F(ThreadTest, AWakeUpMayChangeASecondWord) {
  set(kOther, 5);
  const uint64_t add_two_if_below_six = 1ull << 28 | 2ull << 24 | 2 << 12 | 6;
  make("futex", {kWord, kWakeOperation, 1, 1, kOther, add_two_if_below_six});
  EXPECT_EQ(result(), 0);
  EXPECT_EQ(value<uint32_t>(kOther), 7u);
  make("futex", {kWord, kWakeOperation, 1, 1, kUnmapped, add_two_if_below_six});
  EXPECT_EQ(result(), -EFAULT);
  make("futex", {kWord, kWakeOperation, 1, 1, kOther, 7ull << 28});
  EXPECT_EQ(result(), -ENOSYS);
}

TEST_F(ThreadTest, ATimeOutMovesTheClock) {
  const uint64_t before = calls_->now();
  ASSERT_TRUE(user_->put(kTime, abi::Timespec{2, 500}));
  set(kWord, 0);
  wait(kTime);
  EXPECT_EQ(result(), -ETIMEDOUT);
  EXPECT_GE(calls_->now() - before, 2 * abi::kSecond + 500);
  EXPECT_LT(calls_->now() - before, 3 * abi::kSecond);
  // The time-out of a thread that sleeps longer comes later.
  start(kScratch + 0x8000);
  make("nanosleep", {kTime, 0});
  EXPECT_EQ(thread(), 1u);
  ASSERT_TRUE(user_->put(kTime, abi::Timespec{1, 0}));
  wait(kTime);
  EXPECT_EQ(thread(), 1u) << error();
  EXPECT_EQ(result(), -ETIMEDOUT);
}

TEST_F(ThreadTest, ThreadsTakeTurnsAfterTheirQuantum) {
  start(kScratch + 0x8000);
  ASSERT_EQ(thread(), 0u);
  calls_->set_caller(&state_, instructions_);
  const uint64_t end = calls_->next_attention();
  EXPECT_EQ(end, options_.scheduler.quantum);
  calls_->attend(state_, end - 1);
  EXPECT_EQ(thread(), 0u);
  calls_->attend(state_, end);
  EXPECT_EQ(thread(), 1u);
  calls_->set_caller(&state_, end);
  EXPECT_EQ(calls_->next_attention(), 2 * end);
  make("sched_yield");
  EXPECT_EQ(thread(), 0u);
  EXPECT_EQ(result(), 101) << "of clone: its registers are as they were";
}

TEST_F(ThreadTest, OneThreadIsNotInterrupted) {
  calls_->set_caller(&state_, 5);
  EXPECT_EQ(calls_->next_attention(), kForever);
  make("sched_yield");
  EXPECT_FALSE(calls_->attends());
}

TEST_F(ThreadTest, ASignalGoesToOneThreadOrToAnyThatDoesNotBlockIt) {
  handle(10, kHandler);
  start(kScratch + 0x8000);
  ASSERT_TRUE(user_->put(kBuffer, bit(10)));
  make("rt_sigprocmask", {0, kBuffer, 0, 8});  // thread 0 blocks it
  make("kill", {100, 10});
  EXPECT_EQ(state_.pc, kEcall + 12) << "thread 1 gets it";
  set(kWord, 0);
  wait();
  EXPECT_EQ(thread(), 1u);
  EXPECT_EQ(state_.pc, kHandler);
  EXPECT_EQ(state_.x[abi::kSp] % 16, 0u);
  EXPECT_LT(state_.x[abi::kSp], kScratch + 0x8000) << "on its own stack";
  make("tgkill", {100, 100, 10});
  EXPECT_EQ(result(), 0);
  EXPECT_EQ(state_.pc, kHandler + 4) << "thread 0 blocks it and waits";
  make("tgkill", {100, 105, 10});
  EXPECT_EQ(result(), -ESRCH);
}

TEST_F(ThreadTest, ASignalInterruptsAWaitUnlessItIsMadeAgain) {
  for (const uint64_t flags : {uint64_t{0}, abi::kRestartCall}) {
    begin();
    handle(10, kHandler, flags);
    start(kScratch + 0x8000);
    state_.x[abi::kA0] = kWord;
    const uint64_t at = state_.pc;
    set(kWord, 0);
    wait();
    EXPECT_EQ(thread(), 1u);
    make("tgkill", {100, 100, 10});
    make("sched_yield");
    EXPECT_EQ(thread(), 0u);
    EXPECT_EQ(state_.pc, kHandler);
    const auto frame = value<abi::SignalFrame>(state_.x[abi::kSp]);
    EXPECT_EQ(frame.pc, flags == 0 ? at + 4 : at);
    EXPECT_EQ(frame.x[9], flags == 0 ? static_cast<uint64_t>(-EINTR) : kWord) << "a0";
  }
}

TEST_F(ThreadTest, ARobustMutexTellsThatItsOwnerDied) {
  start(kScratch + 0x8000);
  set(kWord, 0);
  wait();
  ASSERT_EQ(thread(), 1u);
  // The head: the first entry, the distance of its futex, nothing pending. The entry leads back.
  const uint64_t head = kBuffer + 0x200, entry = kBuffer + 0x240;
  ASSERT_TRUE(user_->put(head, std::array<uint64_t, 3>{entry, 16, 0}));
  ASSERT_TRUE(user_->put(entry, head));
  set(entry + 16, 101);
  make("set_robust_list", {head, 24});
  EXPECT_EQ(result(), 0);
  make("get_robust_list", {0, kTime, kTime + 8});
  EXPECT_EQ(value<uint64_t>(kTime), head);
  make("futex", {kWord, kWake, 1});
  make("exit", {0});
  EXPECT_EQ(thread(), 0u) << error();
  EXPECT_EQ(value<uint32_t>(entry + 16), 0x40000000u);
}

TEST_F(ThreadTest, ADeadlockSaysWhatEachThreadWaitsFor) {
  start(kScratch + 0x8000);
  set(kWord, 0);
  wait();
  EXPECT_EQ(call("pipe2", {kBuffer, 0}), 0);
  make("read", {value<uint32_t>(kBuffer), kScratch, 1});
  EXPECT_EQ(error(),
            "deadlock: thread 0 (prog) waits for a wake-up at 0x7ff10100 (futex at pc 0x10478, "
            "called by an unknown function); thread 1 (prog) reads an empty pipe (read at pc "
            "0x10478, called by an unknown function); expected something that ends one of these "
            "waits; run it on Linux to see where it waits");
}

TEST_F(ThreadTest, ATimerThatWakesNobodyDoesNotRunForEver) {
  ASSERT_TRUE(user_->put(kBuffer, bit(14)));
  make("rt_sigprocmask", {0, kBuffer, 0, 8});
  ASSERT_TRUE(user_->put(kTime, std::array<int64_t, 4>{0, 1, 0, 1}));  // a microsecond, again
  make("setitimer", {0, kTime, 0});
  EXPECT_EQ(result(), 0);
  set(kWord, 0);
  wait();
  EXPECT_THAT(error(), HasSubstr("deadlock: thread 0"));
}

TEST_F(ThreadTest, ATimerThatOnlyWakesAReaderOfAnEmptyPipeDoesNotRunForEver) {
  for (const bool alone : {true, false}) {
    begin();
    if (!alone) start(kScratch + 0x8000);
    EXPECT_EQ(call("pipe2", {kBuffer, 0}), 0);
    const uint64_t pipe = value<uint32_t>(kBuffer);
    const int64_t timer = call("timerfd_create", {1, 0});
    ASSERT_TRUE(user_->put(kTime, std::array<int64_t, 4>{0, 1, 0, 1}));
    EXPECT_EQ(call("timerfd_settime", {static_cast<uint64_t>(timer), 0, kTime, 0}), 0);
    make("read", {pipe, kScratch, 1});
    if (!alone) make("read", {pipe, kScratch, 1});
    EXPECT_THAT(error(), HasSubstr("deadlock: thread 0 (prog) reads an empty pipe"));
  }
}

TEST_F(ThreadTest, ThreadsThatEndAtOnceOnTwoHartsEndTheProgram) {
  calls_->set_harts(2);
  calls_->use_hart(1);
  HartState second = state_;
  ASSERT_TRUE(calls_->begin_idle(second));
  calls_->use_hart(0);
  start(kScratch + 0x8000);
  calls_->use_hart(1);
  calls_->attend(second, 0);
  ASSERT_EQ(second.thread, 1u);
  calls_->set_caller(&second, 0);
  EXPECT_EQ(call("exit", {0}), 0);
  EXPECT_FALSE(calls_->stopped());
  calls_->use_hart(0);
  make("exit", {7});
  EXPECT_TRUE(calls_->exit().exited) << error();
  EXPECT_EQ(calls_->exit().code, 7);
}

TEST_F(ThreadTest, TheClockDoesNotOverflow) {
  constexpr uint64_t kMoment = kTime + 32;
  ASSERT_TRUE(user_->put(kTime, abi::Timespec{9'000'000'000, 0}));
  make("nanosleep", {kTime, 0});
  EXPECT_EQ(result(), 0) << error();
  ASSERT_TRUE(user_->put(kMoment, std::array<int64_t, 4>{9'000'000'000, 0, 9'000'000'000, 0}));
  const auto timer = static_cast<uint64_t>(call("timerfd_create", {1, 0}));
  EXPECT_EQ(call("timerfd_settime", {timer, 0, kMoment, 0}), 0);
  make("nanosleep", {kTime, 0});
  EXPECT_THAT(error(), HasSubstr("deadlock: thread 0 (prog) sleeps")) << "after 292 years";
}

TEST_F(ThreadTest, ATimerThatWakesInVainOnTwoHartsDoesNotRunForEver) {
  HartState harts[2] = {state_, state_};
  calls_->set_harts(2);
  calls_->use_hart(1);
  ASSERT_TRUE(calls_->begin_idle(harts[1]));
  calls_->use_hart(0);
  start(kScratch + 0x8000);
  EXPECT_EQ(call("pipe2", {kBuffer, 0}), 0);
  const auto timer = static_cast<uint64_t>(call("timerfd_create", {1, 0}));
  ASSERT_TRUE(user_->put(kTime, std::array<int64_t, 4>{0, 1, 0, 1}));
  EXPECT_EQ(call("timerfd_settime", {timer, 0, kTime, 0}), 0);
  calls_->use_hart(1);
  calls_->attend(harts[1], 0);
  for (const unsigned hart : {0, 1}) {
    calls_->use_hart(hart);
    calls_->set_caller(&harts[hart], 0);
    call("read", {value<uint32_t>(kBuffer), kScratch, 1});
  }
  for (unsigned turn = 0; turn < 10'000 && !calls_->stopped(); ++turn) {
    calls_->use_hart(turn % 2);
    calls_->attend(harts[turn % 2], 0);
  }
  EXPECT_THAT(error(), HasSubstr("deadlock: thread 0 (prog) reads an empty pipe"));
}

TEST_F(ThreadTest, ASleepEndsAfterVeryManyExpirationsThatWakeNobody) {
  ASSERT_TRUE(user_->put(kTime, std::array<int64_t, 4>{0, 1, 0, 1}));
  const int64_t timer = call("timerfd_create", {1, 0});
  EXPECT_EQ(call("timerfd_settime", {static_cast<uint64_t>(timer), 0, kTime, 0}), 0);
  ASSERT_TRUE(user_->put(kTime, abi::Timespec{3600, 0}));
  make("nanosleep", {kTime, 0});
  EXPECT_EQ(result(), 0) << error();
  make("read", {static_cast<uint64_t>(timer), kBuffer, 8});
  EXPECT_GE(value<uint64_t>(kBuffer), 3600 * abi::kSecond) << "no expiration is lost";
}

TEST_F(ThreadTest, ANameIsPrintableInMessagesAndResults) {
  constexpr uint64_t kSetName = 15, kGetName = 16;
  ASSERT_TRUE(user_->copy_out(kBuffer, "a\n\xff\\b", 6));
  EXPECT_EQ(call("prctl", {kSetName, kBuffer}), 0);
  EXPECT_EQ(call("prctl", {kGetName, kBuffer + 16}), 0);
  EXPECT_EQ(guest(kBuffer + 16, 5), "a\n\xff\\b") << "the program sees its own";
  EXPECT_EQ(calls_->threads().shares().at(0).name, "a\\x0a\\xff\\x5cb");
  set(kWord, 0);
  wait();
  EXPECT_THAT(error(), HasSubstr("deadlock: thread 0 (a\\x0a\\xff\\x5cb) waits for"));
}

TEST_F(ThreadTest, WhatCannotStartSaysWhy) {
  make("clone", {kThreadFlags, kScratch, kUnmapped, 0, kId});
  EXPECT_EQ(result(), -EFAULT);
  make("clone", {kThreadFlags & ~uint64_t{0x800}, kScratch, kId, 0, kId});
  EXPECT_EQ(result(), -EINVAL) << "a thread shares the handlers of signals";
  make("clone3", {kUnmapped, 88});
  EXPECT_EQ(result(), -EFAULT);
  make("clone3", {kBuffer, 8});
  EXPECT_EQ(result(), -EINVAL);
  EXPECT_FALSE(calls_->stopped());
  make("clone", {17});
  EXPECT_THAT(error(), HasSubstr("starts another process, called by"));
}

TEST_F(ThreadTest, TooManyThreadsEndTheRun) {
  for (unsigned i = 0; i < 2000 && !calls_->stopped(); ++i) start(kScratch);
  EXPECT_THAT(error(), HasSubstr("starts one thread more than the 1024 that may live at the same "
                                 "time"));
}

TEST_F(ThreadTest, AStackThatOverflowsIntoAnotherEndsTheRun) {
  const auto start_on = [&](uint64_t stack) {
    const std::array<uint64_t, 8> arguments{kThreadFlags, 0, kId, kId, 0, stack, 0x4000, kTls};
    ASSERT_TRUE(user_->put(kBuffer, arguments));
    make("clone3", {kBuffer, 64});
    ASSERT_GT(result(), 100) << error();
  };
  start_on(kScratch + 0x20000);
  start_on(kScratch + 0x24000);
  set(kWord, 0);
  wait();
  make("sched_yield");
  ASSERT_EQ(thread(), 2u);
  state_.x[abi::kSp] = kScratch + 0x23ff0;
  make("sched_yield");
  EXPECT_THAT(error(), HasSubstr("the stack of thread 2 has overflowed into that of thread 1: its "
                                 "stack pointer is 0x7ff23ff0; expected one within its own 16384 "
                                 "bytes"));
}

TEST_F(ThreadTest, AFutexAtABadAddressIsAnError) {
  make("futex", {kUnmapped, kWait, 0, 0});
  EXPECT_EQ(result(), -EFAULT);
  make("futex", {kWord + 1, kWait, 0, 0});
  EXPECT_EQ(result(), -EINVAL);
  make("futex", {kWord, 6 | 128, 0, 0});
  EXPECT_EQ(result(), -ENOSYS) << "priority inheritance";
  make("futex", {kUnmapped, kWait, 0, 0});
  ASSERT_EQ(calls_->suspects().size(), 2u) << "each once";
  EXPECT_EQ(
      calls_->suspects()[0],
      "futex at pc 0x10478, called by an unknown function: expected the address of an aligned "
      "word that the program may read, got 0x1000; the call returned EFAULT: look for a lock "
      "that is not initialized or has been freed");
}

}  // namespace
}  // namespace strobe::isa
