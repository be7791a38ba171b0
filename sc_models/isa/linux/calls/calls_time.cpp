// System calls that ask for the time and sleep. A sleep takes no instructions: when every thread
// waits, the program's clock moves.
#include "sc_models/isa/linux/calls/system_calls.h"

namespace strobe::isa {
namespace {

constexpr uint64_t kSecond = abi::kSecond;
constexpr uint64_t kRealtime = 0, kProcessTime = 2, kThreadTime = 3, kRawMonotonic = 4,
                   kRealtimeCoarse = 5, kMonotonicCoarse = 6, kLastClock = 11, kTai = 11;

/// A clock of processor time that a process or a thread has: its id and what the clock counts, as
/// in Linux's include/linux/posix-timers.h.
struct ProcessorClock {
  explicit ProcessorClock(uint64_t clock)
      : id(static_cast<uint32_t>(~(static_cast<int32_t>(clock) >> 3))),
        what(clock & 3),
        of_thread((clock & 4) != 0) {}

  static bool is_one(uint64_t clock) { return static_cast<int32_t>(clock) < 0; }

  uint32_t id;    // 0: the caller
  uint64_t what;  // 0: all time, 1: that of the user, 2: what the scheduler counts
  bool of_thread;
};

/// Nothing can wait for a thread's own time, and Linux cannot for the clocks without a timer.
bool can_sleep(uint64_t clock) {
  if (ProcessorClock::is_one(clock)) return !ProcessorClock(clock).of_thread;
  return clock != kThreadTime && clock != kRawMonotonic && clock != kRealtimeCoarse &&
         clock != kMonotonicCoarse;
}

}  // namespace

/// The thread whose time a clock shows; nullptr for other clocks.
const Thread* SystemCalls::thread_of_clock(uint64_t clock) const {
  if (clock == kThreadTime) return &thread();
  if (!ProcessorClock::is_one(clock)) return nullptr;
  const ProcessorClock of(clock);
  if (!of.of_thread) return nullptr;
  return of.id == 0 ? &thread() : threads_.find(of.id);
}

/// What a clock shows beside the time on the clock that moves it. A negative error number when
/// there is no such clock.
int64_t SystemCalls::clock_offset(uint64_t clock, Timer::Clock* kind) const {
  *kind = Timer::Clock::kProcessor;
  if (ProcessorClock::is_one(clock)) {
    const ProcessorClock of(clock);
    constexpr uint64_t kMostKinds = 2;
    const bool known = of.of_thread
                           ? thread_of_clock(clock) != nullptr
                           : of.id == 0 || of.id == abi::kProcessId || of.id == thread().id();
    return known && of.what <= kMostKinds ? 0 : -EINVAL;
  }
  if (clock > kLastClock || clock == 10) return -EINVAL;
  const bool processor = clock == kProcessTime || clock == kThreadTime;
  *kind = processor ? Timer::Clock::kProcessor : Timer::Clock::kProgram;
  const bool wall = clock == kRealtime || clock == kRealtimeCoarse || clock == 8 || clock == kTai;
  return wall ? static_cast<int64_t>(abi::kWallClockStart * kSecond) : 0;
}

/// Nanoseconds that a thread has executed; of one that another hart runs, up to its last switch.
uint64_t SystemCalls::thread_time(const Thread& one) {
  threads_.note_instructions(instructions_);
  return one.instructions;
}

int64_t SystemCalls::clock_gettime(const Args& a) {
  Timer::Clock kind{};
  const int64_t offset = clock_offset(a[0], &kind);
  if (offset < 0) return offset;
  uint64_t time = time_on(kind) + static_cast<uint64_t>(offset);
  if (const Thread* const one = thread_of_clock(a[0])) time = thread_time(*one);
  return memory_.put(a[1], abi::timespec_of(time)) ? 0 : -EFAULT;
}

int64_t SystemCalls::clock_getres(const Args& a) {
  Timer::Clock kind{};
  if (clock_offset(a[0], &kind) < 0) return -EINVAL;
  return a[1] == 0 || memory_.put(a[1], abi::Timespec{0, 1}) ? 0 : -EFAULT;
}

int64_t SystemCalls::gettimeofday(const Args& a) {
  const uint64_t t = now();
  const abi::Timeval result{static_cast<int64_t>(abi::kWallClockStart + t / kSecond),
                            static_cast<int64_t>(t % kSecond / 1000)};
  const std::array<int32_t, 2> utc{};
  if (a[0] != 0 && !memory_.put(a[0], result)) return -EFAULT;
  return a[1] == 0 || memory_.put(a[1], utc) ? 0 : -EFAULT;
}

int64_t SystemCalls::times(const Args& a) {
  constexpr uint64_t kTick = kSecond / abi::kClockTicks;
  const std::array<int64_t, 4> result{static_cast<int64_t>(processor_time() / kTick), 0, 0,
                                      0};  // user, system, children's
  if (a[0] != 0 && !memory_.put(a[0], result)) return -EFAULT;
  return static_cast<int64_t>(now() / kTick);
}

int64_t SystemCalls::getrusage(const Args& a) {
  constexpr int kWhole = 0, kChildren = -1, kOneThread = 1;
  const int who = static_cast<int>(a[0]);
  if (who != kWhole && who != kChildren && who != kOneThread) return -EINVAL;
  abi::Rusage result{};
  if (who != kChildren) {
    const uint64_t t = who == kOneThread ? thread_time(thread()) : processor_time();
    result.user = {static_cast<int64_t>(t / kSecond), static_cast<int64_t>(t % kSecond / 1000)};
    result.counts[0] = static_cast<int64_t>(space_.used() / 1024);  // ru_maxrss
  }
  return memory_.put(a[1], result) ? 0 : -EFAULT;
}

int64_t SystemCalls::sleep(uint64_t clock, bool absolute, uint64_t request, uint64_t rest) {
  abi::Timespec time{};
  Timer::Clock kind{};
  const int64_t offset = clock_offset(clock, &kind);
  if (offset < 0) return -EINVAL;
  if (!can_sleep(clock)) return -EOPNOTSUPP;
  if (!memory_.get(time, request)) return -EFAULT;
  if (!abi::is_valid(time)) return -EINVAL;
  const uint64_t wanted = abi::nanoseconds(time), start = static_cast<uint64_t>(offset);
  uint64_t end = later(wanted);
  if (absolute) end = wanted > start ? wanted - start : 0;
  end = until(end);
  if (end <= now()) return 0;
  Wait why;
  why.what = "sleeps";
  why.until = end;
  const int64_t result = wait(why);
  if (result == 0 || absolute || rest == 0) return result;
  return memory_.put(rest, abi::timespec_of(end - now())) ? result : -EFAULT;
}

int64_t SystemCalls::nanosleep(const Args& a) { return sleep(1, false, a[0], a[1]); }

int64_t SystemCalls::clock_nanosleep(const Args& a) { return sleep(a[0], a[1] & 1, a[2], a[3]); }

}  // namespace strobe::isa
