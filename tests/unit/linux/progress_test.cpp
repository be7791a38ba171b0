// Nothing that the proxy does for a program goes on without end or takes long: timers that expire,
// handlers that are entered, waits that end.
#include "tests/unit/linux/caller_fixture.h"

namespace strobe::isa {
namespace {

using testing::HasSubstr;

class ProgressTest : public CallerTest {
 protected:
  static constexpr uint64_t kTime = kBuffer + 0x400, kId = kBuffer + 0x500,
                            kEvent = kBuffer + 0x600;
  static constexpr uint64_t kMonotonic = 1;
  using Period = std::array<int64_t, 4>;  // interval and value, seconds and nanoseconds each

  void block_all() {
    EXPECT_TRUE(user_->put(kBuffer, ~uint64_t{0}));
    make("rt_sigprocmask", {2, kBuffer, 0, 8});
  }
  /// A POSIX timer that sends `signal`. Returns its number.
  uint64_t posix_timer(int32_t signal, const Period& period) {
    struct {
      uint64_t value = 7;
      int32_t signal, notify = 0;
      uint64_t rest[6] = {};
    } event;
    event.signal = signal;
    EXPECT_TRUE(user_->put(kEvent, event));
    EXPECT_EQ(call("timer_create", {kMonotonic, kEvent, kId}), 0);
    const auto number = value<uint32_t>(kId);
    EXPECT_TRUE(user_->put(kTime, period));
    EXPECT_EQ(call("timer_settime", {number, 0, kTime, 0}), 0);
    return number;
  }
  uint64_t timer_file(const Period& period) {
    const auto fd = static_cast<uint64_t>(call("timerfd_create", {kMonotonic, 04000}));
    EXPECT_TRUE(user_->put(kTime, period));
    EXPECT_EQ(call("timerfd_settime", {fd, 0, kTime, 0}), 0);
    return fd;
  }
  void sleep(int64_t nanoseconds) {
    ASSERT_TRUE(
        user_->put(kTime, abi::Timespec{nanoseconds / 1'000'000'000, nanoseconds % 1'000'000'000}));
    make("nanosleep", {kTime, 0});
    EXPECT_EQ(result(), 0) << error();
  }
  int64_t overruns(uint64_t timer) { return call("timer_getoverrun", {timer}); }
};

// Each of the timers expires once, and is told the rest when that is taken up.
TEST_F(ProgressTest, ASleepWithTwoThousandTimersExpiresEachOfThemOnce) {
  options_.instruction_limit = 6000;  // an expiration counts as an instruction
  begin();
  block_all();
  std::vector<uint64_t> files;
  for (int i = 0; i < 1000; ++i) {
    posix_timer(40, {0, 1 + i, 0, 1 + i});
    files.push_back(timer_file({0, 1 + i, 0, 1 + i}));
  }
  sleep(abi::kSecond);
  ASSERT_FALSE(calls_->stopped()) << error();
  make("read", {files[999], kBuffer, 8});
  EXPECT_GE(value<uint64_t>(kBuffer), 1'000'000u) << "one each microsecond of a second";
  ASSERT_TRUE(user_->put(kBuffer, bit(40)));
  make("rt_sigtimedwait", {kBuffer, 0, 0, 8});
  EXPECT_EQ(result(), 40);
  EXPECT_GE(overruns(0), 999'999'999) << "the first, which expires every nanosecond";
}

TEST_F(ProgressTest, ATimerWhoseSignalIsIgnoredGoesOnInSteps) {
  handle(10, 1);
  const uint64_t timer = posix_timer(10, {0, 1, 0, 1});
  sleep(abi::kSecond);
  ASSERT_FALSE(calls_->stopped()) << error();
  handle(10, kHandler);
  ASSERT_TRUE(user_->put(kTime, abi::Timespec{0, 4'000'001}));
  make("nanosleep", {kTime, 0});
  EXPECT_EQ(state_.pc, kHandler) << error();
  EXPECT_GE(overruns(timer), 999'999'999) << "those that were ignored are told, too";
}

TEST_F(ProgressTest, AnIntervalTimerWhoseSignalIsBlockedGoesOnWhenItIsTaken) {
  handle(14, kHandler);
  block_all();
  ASSERT_TRUE(user_->put(kTime, std::array<int64_t, 4>{0, 5, 0, 5}));
  make("setitimer", {0, kTime, 0});
  sleep(abi::kSecond);
  ASSERT_TRUE(user_->put(kBuffer, bit(14)));
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(user_->put(kTime, abi::Timespec{1, 0}));
    make("rt_sigtimedwait", {kBuffer, 0, kTime, 8});
    EXPECT_EQ(result(), 14) << i;
  }
}

// A timer's descriptor that is told its time goes on although it has not been read.
TEST_F(ProgressTest, ATimersDescriptorCountsOnWhenItsTimeIsAsked) {
  const uint64_t fd = timer_file({0, 1000, 0, 1000});
  sleep(1'000'000);
  EXPECT_EQ(call("timerfd_gettime", {fd, kTime}), 0);
  EXPECT_LE(value<Period>(kTime)[3], 1000);
  EXPECT_GE(value<Period>(kTime)[3], 1);
  sleep(1'000'000);
  make("read", {fd, kBuffer, 8});
  EXPECT_GE(value<uint64_t>(kBuffer), 2000u);
}

TEST_F(ProgressTest, EntriesOfHandlersCountAsInstructions) {
  options_.instruction_limit = 100;
  begin();
  handle(4, kHandler, abi::kDoNotBlock);
  uint64_t entries = 0;
  calls_->set_caller(&state_, 0);
  while (!calls_->stopped() && entries < 1000) {
    EXPECT_TRUE(calls_->enter_exception(state_, Cause::kIllegalInstruction, 0));
    ++entries;
  }
  EXPECT_TRUE(calls_->exit().reached_limit);
  EXPECT_EQ(entries, 100u);
}

// What one hart has executed counts for the handlers that another enters.
TEST_F(ProgressTest, InstructionsOfEveryHartCountTowardsTheLimit) {
  options_.instruction_limit = 100;
  begin();
  handle(4, kHandler, abi::kDoNotBlock);
  HartState second;
  calls_->set_harts(2);
  calls_->use_hart(1);
  ASSERT_TRUE(calls_->begin_idle(second));
  calls_->set_caller(&second, 60);
  calls_->use_hart(0);
  calls_->set_caller(&state_, 30);
  uint64_t entries = 0;
  while (!calls_->stopped() && entries < 1000) {
    EXPECT_TRUE(calls_->enter_exception(state_, Cause::kIllegalInstruction, 0));
    ++entries;
  }
  EXPECT_TRUE(calls_->exit().reached_limit);
  EXPECT_EQ(entries, 10u);
}

// get_sigframe() of Linux's arch/riscv/kernel/signal.c: a frame that would leave the alternate
// stack ends the program.
TEST_F(ProgressTest, AFrameThatDoesNotFitItsAlternateStackEndsTheProgram) {
  ASSERT_TRUE(user_->put(kBuffer, abi::SignalStack{kScratch - 0x10000, 0, 0, 2048}));
  make("sigaltstack", {kBuffer, 0});
  handle(4, kHandler, abi::kDoNotBlock | abi::kUseSignalStack);
  calls_->set_caller(&state_, instructions_);
  EXPECT_TRUE(calls_->enter_exception(state_, Cause::kIllegalInstruction, 0));
  EXPECT_FALSE(calls_->stopped()) << "the first frame fits";
  EXPECT_TRUE(calls_->enter_exception(state_, Cause::kIllegalInstruction, 0));
  EXPECT_TRUE(calls_->exit().exited);
  EXPECT_EQ(calls_->exit().code, 128 + 11);
  ASSERT_EQ(calls_->suspects().size(), 1u);
  EXPECT_THAT(calls_->suspects()[0],
              HasSubstr("signal 4 at pc 0x10478, in thread 0: the frame of its handler, 1088 bytes "
                        "below the stack pointer 0x7fef03c0, does not fit the alternate stack of "
                        "2048 bytes at 0x7fef0000, so SIGSEGV ended the program; look for"));
}

TEST_F(ProgressTest, AFrameWithoutRoomIsASegmentationFaultThatAHandlerMayTake) {
  ASSERT_TRUE(user_->put(kBuffer, abi::SignalStack{kScratch - 0x10000, 0, 0, 0x4000}));
  make("sigaltstack", {kBuffer, 0});
  handle(11, kHandler + 16, abi::kUseSignalStack);
  handle(10, kHandler);
  state_.x[abi::kSp] = kUnmapped;
  make("tgkill", {100, 100, 10});
  EXPECT_EQ(state_.pc, kHandler + 16) << error();
  EXPECT_EQ(state_.x[abi::kA0], 11u);
  EXPECT_EQ(value<abi::SignalInfo>(state_.x[abi::kA1]).code, abi::kFromKernel);
}

}  // namespace
}  // namespace strobe::isa
