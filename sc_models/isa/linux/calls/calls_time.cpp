// System calls that ask for the time and sleep. A sleep takes no instructions: when every thread
// waits, the program's clock moves.
#include "sc_models/isa/linux/calls/system_calls.h"

namespace strobe::isa {
namespace {

constexpr uint64_t kSecond = abi::kSecond;
constexpr uint64_t kRealtime = 0, kProcessTime = 2, kThreadTime = 3, kRealtimeCoarse = 5,
                   kLastClock = 11, kTai = 11;

}  // namespace

/// What a clock shows beside the time on the clock that moves it. A negative error number when
/// there is no such clock.
int64_t SystemCalls::clock_offset(uint64_t clock, Timer::Clock* kind) const {
  if (clock > kLastClock || clock == 10) return -EINVAL;
  const bool processor = clock == kProcessTime || clock == kThreadTime;
  *kind = processor ? Timer::Clock::kProcessor : Timer::Clock::kProgram;
  const bool wall = clock == kRealtime || clock == kRealtimeCoarse || clock == 8 || clock == kTai;
  return wall ? static_cast<int64_t>(abi::kWallClockStart * kSecond) : 0;
}

/// Nanoseconds that the current thread has executed.
uint64_t SystemCalls::thread_time() {
  threads_.note_instructions(instructions_);
  return thread().instructions;
}

int64_t SystemCalls::clock_gettime(const Args& a) {
  Timer::Clock kind{};
  const int64_t offset = clock_offset(a[0], &kind);
  if (offset < 0) return offset;
  uint64_t time = time_on(kind) + static_cast<uint64_t>(offset);
  if (a[0] == kThreadTime) time = thread_time();
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
  constexpr int kSelf = 0, kChildren = -1, kOneThread = 1;
  const int who = static_cast<int>(a[0]);
  if (who != kSelf && who != kChildren && who != kOneThread) return -EINVAL;
  abi::Rusage result{};
  if (who != kChildren) {
    const uint64_t t = who == kOneThread ? thread_time() : processor_time();
    result.user = {static_cast<int64_t>(t / kSecond), static_cast<int64_t>(t % kSecond / 1000)};
    result.counts[0] = static_cast<int64_t>(space_.used() / 1024);  // ru_maxrss
  }
  return memory_.put(a[1], result) ? 0 : -EFAULT;
}

int64_t SystemCalls::sleep(uint64_t clock, bool absolute, uint64_t request, uint64_t rest) {
  abi::Timespec time{};
  Timer::Clock kind{};
  const int64_t offset = clock_offset(clock, &kind);
  if (offset < 0 || clock == kThreadTime) return -EINVAL;
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
