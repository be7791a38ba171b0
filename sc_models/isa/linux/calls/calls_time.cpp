// System calls that ask for the time. All clocks run on simulated time; sleeping takes none.
#include "sc_models/isa/linux/calls/system_calls.h"

namespace strobe::isa {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;
constexpr uint64_t kRealtime = 0, kRealtimeCoarse = 5, kLastClock = 7;

}  // namespace

// Without a clock, every system call takes a microsecond, so that a loop that waits for time to
// pass ends.
uint64_t SystemCalls::now() const { return clock_ ? clock_() : count_ * 1000; }

int64_t SystemCalls::clock_gettime(const Args& a) {
  if (a[0] > kLastClock) return -EINVAL;
  const bool wall = a[0] == kRealtime || a[0] == kRealtimeCoarse;
  const uint64_t t = now() + (wall ? abi::kWallClockStart * kSecond : 0);
  const abi::Timespec result{static_cast<int64_t>(t / kSecond), static_cast<int64_t>(t % kSecond)};
  return memory_.put(a[1], result) ? 0 : -EFAULT;
}

int64_t SystemCalls::clock_getres(const Args& a) {
  if (a[0] > kLastClock) return -EINVAL;
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
  const auto ticks = static_cast<int64_t>(now() / (kSecond / abi::kClockTicks));
  const std::array<int64_t, 4> result{ticks, 0, 0, 0};  // user, system, children's
  if (a[0] != 0 && !memory_.put(a[0], result)) return -EFAULT;
  return ticks;
}

int64_t SystemCalls::getrusage(const Args& a) {
  constexpr int kSelf = 0, kChildren = -1, kThread = 1;
  const int who = static_cast<int>(a[0]);
  if (who != kSelf && who != kChildren && who != kThread) return -EINVAL;
  abi::Rusage result{};
  if (who != kChildren) {
    const uint64_t t = now();
    result.user = {static_cast<int64_t>(t / kSecond), static_cast<int64_t>(t % kSecond / 1000)};
    result.counts[0] = static_cast<int64_t>(space_.used() / 1024);  // ru_maxrss
  }
  return memory_.put(a[1], result) ? 0 : -EFAULT;
}

int64_t SystemCalls::sleep(uint64_t request) const {
  abi::Timespec time{};
  if (!memory_.get(time, request)) return -EFAULT;
  const bool valid = time.seconds >= 0 && time.nanoseconds >= 0 &&
                     time.nanoseconds < static_cast<int64_t>(kSecond);
  return valid ? 0 : -EINVAL;
}

int64_t SystemCalls::nanosleep(const Args& a) { return sleep(a[0]); }

int64_t SystemCalls::clock_nanosleep(const Args& a) {
  return a[0] > kLastClock ? -EINVAL : sleep(a[2]);
}

}  // namespace strobe::isa
