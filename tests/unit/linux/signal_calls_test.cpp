// Handlers of signals: how they are entered and left, and what is said when that cannot be.
#include "tests/unit/linux/caller_fixture.h"

namespace strobe::isa {
namespace {

using testing::HasSubstr;

class SignalTest : public CallerTest {};

TEST_F(SignalTest, AHandlerIsEnteredWithItsFrameAndGivesEverythingBack) {
  handle(10, kHandler, 0, bit(12));
  make("kill", {100, 10});
  ASSERT_FALSE(calls_->stopped()) << error();
  EXPECT_EQ(state_.pc, kHandler);
  EXPECT_EQ(state_.x[abi::kA0], 10u);
  EXPECT_EQ(state_.x[abi::kRa], kReturnPage);
  EXPECT_EQ(state_.x[abi::kSp] % 16, 0u);
  EXPECT_EQ(blocked(), bit(10) | bit(12)) << "itself and sa_mask";
  const auto frame = value<abi::SignalFrame>(state_.x[abi::kSp]);
  EXPECT_EQ(state_.x[abi::kA1], state_.x[abi::kSp]);
  EXPECT_EQ(state_.x[abi::kA2], state_.x[abi::kSp] + 128);
  EXPECT_EQ(frame.info.signal, 10);
  EXPECT_EQ(frame.info.process, 100);
  EXPECT_EQ(frame.pc, kEcall + 4);
  EXPECT_EQ(frame.x[17], 1234u);
  EXPECT_EQ(value<uint64_t>(kReturnPage), uint64_t{0x73} << 32 | 0x08b00893) << "li a7, 139; ecall";

  state_.x[18] = state_.f[9] = 0;
  state_.fcsr = 0;
  state_.pc = kReturnPage + 4;
  make("rt_sigreturn");
  EXPECT_EQ(state_.pc, kEcall + 4);
  EXPECT_EQ(state_.x[abi::kA0], 0u) << "the result of kill";
  EXPECT_EQ(state_.x[abi::kSp], kScratch);
  EXPECT_EQ(state_.x[18], 1234u);
  EXPECT_EQ(state_.f[9], 0x400921fb54442d18u);
  EXPECT_EQ(state_.fcsr, 0x41u);
  EXPECT_EQ(blocked(), 0u);
}

TEST_F(SignalTest, OfTwoThatCameTheSecondRunsFirstAsUnderLinux) {
  handle(10, kHandler);
  handle(12, kHandler + 64);
  EXPECT_TRUE(user_->put(kBuffer, bit(10) | bit(12)));
  EXPECT_EQ(call("rt_sigprocmask", {0, kBuffer, 0, 8}), 0);
  make("kill", {100, 12});
  make("kill", {100, 10});
  EXPECT_EQ(state_.pc, kEcall + 8) << "both wait";
  EXPECT_TRUE(user_->put(kBuffer, uint64_t{0}));
  make("rt_sigprocmask", {2, kBuffer, 0, 8});
  EXPECT_EQ(state_.pc, kHandler + 64);
  EXPECT_EQ(value<abi::SignalFrame>(state_.x[abi::kSp]).pc, kHandler);
}

TEST_F(SignalTest, WhatCannotBeEnteredIsSaid) {
  handle(10, 0x12345678);
  make("kill", {100, 10});
  EXPECT_EQ(error(),
            "kill at pc 0x10478: signal 10: its handler at 0x12345678 is not in memory that can be "
            "executed; expected a function of the program, which sigaction sets");
  begin();
  handle(10, kHandler);
  state_.x[abi::kSp] = kUnmapped;
  make("tgkill", {100, 100, 10});
  EXPECT_EQ(calls_->exit().code, 128 + 11) << "as Linux does";
  begin();
  handle(10, kHandler);
  EXPECT_EQ(call("mmap", {kReturnPage, 4096, 3, 0x32, ~uint64_t{0}, 0}),
            static_cast<int64_t>(kReturnPage));
  make("kill", {100, 10});
  EXPECT_THAT(error(),
              HasSubstr("the program has mapped 0x7f700000, where handlers of signals return"));
  begin();
  state_.x[abi::kSp] = kUnmapped;
  make("rt_sigreturn");
  EXPECT_THAT(error(), HasSubstr("rt_sigreturn at pc 0x10478: no frame of a signal's handler is at "
                                 "the stack pointer 0x1000"));
}

// A handler that raises its own signal, which nothing blocks: the stack ends, and that is said.
TEST_F(SignalTest, HandlersWithoutEndEndTheRun) {
  handle(10, kHandler, abi::kDoNotBlock);
  for (int i = 0; i < 10000 && !calls_->stopped(); ++i) make("kill", {100, 10});
  EXPECT_EQ(calls_->exit().code, 128 + 11);
  ASSERT_EQ(calls_->suspects().size(), 1u);
  EXPECT_THAT(calls_->suspects()[0], HasSubstr("look for handlers that are entered without end"));
}

TEST_F(SignalTest, WaitingForASignalThatCannotComeIsADeadlock) {
  EXPECT_TRUE(user_->put(kBuffer, uint64_t{0}));
  make("rt_sigsuspend", {kBuffer, 8});
  EXPECT_THAT(error(), HasSubstr("deadlock: thread 0 (prog) waits for a signal (rt_sigsuspend at"));
  begin();
  EXPECT_TRUE(user_->put(kBuffer, bit(10)));
  make("rt_sigtimedwait", {kBuffer, 0, 0, 8});
  EXPECT_THAT(error(), HasSubstr("thread 0 (prog) waits for a signal of the set 0x200"));
}

TEST_F(SignalTest, QueuesAreBounded) {
  EXPECT_TRUE(user_->put(kBuffer, ~uint64_t{0}));
  EXPECT_EQ(call("rt_sigprocmask", {2, kBuffer, 0, 8}), 0);
  EXPECT_TRUE(user_->put(kBuffer, abi::SignalInfo{}));
  for (int i = 0; i < 1024; ++i) EXPECT_EQ(call("rt_sigqueueinfo", {100, 40, kBuffer}), 0);
  EXPECT_EQ(call("rt_sigqueueinfo", {100, 40, kBuffer}), -EAGAIN);
  EXPECT_EQ(call("rt_sigqueueinfo", {100, 40, kUnmapped}), -EFAULT);
}

TEST_F(SignalTest, OnlyTheProgramItselfMaySayThatTheKernelSentASignal) {
  EXPECT_TRUE(user_->put(kBuffer, abi::SignalInfo{}));
  EXPECT_EQ(call("rt_sigqueueinfo", {101, 40, kBuffer}), -EPERM);
  EXPECT_EQ(call("rt_tgsigqueueinfo", {101, 101, 40, kBuffer}), -EPERM);
  EXPECT_EQ(call("rt_tgsigqueueinfo", {101, 0, 40, kBuffer}), -EINVAL);
  abi::SignalInfo queued{};
  queued.code = abi::kFromQueue;
  EXPECT_TRUE(user_->put(kBuffer, queued));
  EXPECT_EQ(call("rt_sigqueueinfo", {101, 40, kBuffer}), -ESRCH);
  EXPECT_EQ(call("rt_tgsigqueueinfo", {101, 101, 40, kBuffer}), -ESRCH);
}

TEST_F(SignalTest, AFrameWithoutAValidAlternateStackLeavesThePresentOne) {
  ASSERT_TRUE(user_->put(kBuffer, abi::SignalStack{kScratch - 0x10000, 0, 0, 0x4000}));
  make("sigaltstack", {kBuffer, 0});
  EXPECT_EQ(result(), 0);
  abi::SignalFrame frame{};  // its alternate stack has no room
  frame.pc = kEcall;
  frame.x[abi::kSp - 1] = kScratch;
  ASSERT_TRUE(user_->put(kScratch - 0x2000, frame));
  state_.x[abi::kSp] = kScratch - 0x2000;
  make("rt_sigreturn");
  make("sigaltstack", {0, kBuffer});
  EXPECT_EQ(value<abi::SignalStack>(kBuffer).base, kScratch - 0x10000);
  EXPECT_EQ(value<abi::SignalStack>(kBuffer).size, 0x4000u);
}

TEST_F(SignalTest, AnOddAddressOfAHandlerIsRoundedDown) {
  handle(10, kHandler + 1);
  make("kill", {100, 10});
  EXPECT_EQ(state_.pc, kHandler);
}

TEST_F(SignalTest, AWaitThatAnIgnoredSignalInterruptsKeepsItsEnd) {
  constexpr uint64_t kTime = kBuffer + 16;
  handle(10, 1);
  EXPECT_TRUE(user_->put(kBuffer, bit(10)));
  make("rt_sigprocmask", {2, kBuffer, 0, 8});
  make("kill", {100, 10});  // it is pending although it is ignored
  EXPECT_TRUE(user_->put(kBuffer, uint64_t{0}));
  EXPECT_TRUE(user_->put(kTime, abi::Timespec{1, 0}));
  const uint64_t before = calls_->now();
  make("ppoll", {0, 0, kTime, kBuffer, 8});
  EXPECT_EQ(result(), 0) << error();
  EXPECT_GE(calls_->now(), before + abi::kSecond);
  EXPECT_LT(calls_->now(), before + 2 * abi::kSecond);
}

TEST_F(SignalTest, AThreadThatHasEndedGetsNoSignalOfTheProcess) {
  constexpr uint64_t kSharesEverything = 0x10f00;
  handle(14, kHandler);
  make("clone", {kSharesEverything, kScratch - 0x8000});
  ASSERT_TRUE(user_->put(kBuffer, std::array<int64_t, 4>{0, 0, 0, 1000}));
  make("setitimer", {0, kBuffer, 0});
  make("sched_yield");
  ASSERT_EQ(state_.thread, 1u);
  ASSERT_TRUE(user_->put(kBuffer, abi::Timespec{1, 0}));
  make("nanosleep", {kBuffer, 0});
  ASSERT_EQ(state_.thread, 0u);
  make("exit", {0});  // the timer expires while the other thread sleeps
  EXPECT_EQ(state_.thread, 1u);
  EXPECT_EQ(state_.pc, kHandler) << error();
}

TEST_F(SignalTest, AnIgnoredSignalIsForgotten) {
  EXPECT_TRUE(user_->put(kBuffer, bit(17) | bit(15)));
  EXPECT_EQ(call("rt_sigprocmask", {2, kBuffer, 0, 8}), 0);
  make("kill", {100, 17});
  make("kill", {100, 15});
  handle(15, 1);
  EXPECT_TRUE(user_->put(kBuffer, uint64_t{0}));
  make("rt_sigprocmask", {2, kBuffer, 0, 8});
  EXPECT_FALSE(calls_->stopped()) << "SIGCHLD is ignored by default, SIGTERM now";
}

}  // namespace
}  // namespace strobe::isa
