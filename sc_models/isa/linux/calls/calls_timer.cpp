// System calls about timers, and what happens when one expires.
#include <algorithm>
#include <cstring>
#include <string>

#include "sc_models/isa/linux/calls/signals.h"
#include "sc_models/isa/linux/calls/system_calls.h"

namespace strobe::isa {
namespace {

constexpr uint64_t kReal = 0, kProfiling = 2;  // interval timers; the virtual one is between
constexpr uint64_t kMicrosecond = 1000;
constexpr uint64_t kAbsolute = 1;

struct Period {  // itimerspec
  abi::Timespec interval, value;
};
struct Interval {  // itimerval
  abi::Timeval interval, value;
};

struct SignalEvent {  // sigevent
  uint64_t value;
  int32_t signal, notify, thread, pad[11];
};
static_assert(sizeof(SignalEvent) == 64);
constexpr int32_t kNotifySignal = 0, kNotifyNone = 1, kNotifyThread = 4;

abi::Timeval timeval_of(uint64_t time) {
  return {static_cast<int64_t>(time / abi::kSecond),
          static_cast<int64_t>(time % abi::kSecond / kMicrosecond)};
}

bool get_microseconds(const abi::Timeval& time, uint64_t* nanoseconds) {
  const abi::Timespec exact{
      time.seconds, static_cast<int64_t>(static_cast<uint64_t>(time.microseconds) * kMicrosecond)};
  if (time.microseconds < 0 || time.microseconds >= 1'000'000 || !abi::is_valid(exact))
    return false;
  *nanoseconds = abi::nanoseconds(exact);
  return true;
}

uint64_t left(const Timer& timer, uint64_t now) {
  return timer.armed() ? std::max<uint64_t>(timer.due - std::min(timer.due, now), 1) : 0;
}

}  // namespace

void SystemCalls::expire_timers() {
  for (const Timer::Clock clock : {Timer::Clock::kProgram, Timer::Clock::kProcessor}) {
    while (Timer* const timer = stopped() ? nullptr : timers_.take_due(clock, time_on(clock))) {
      count_work();
      expire(*timer, time_on(clock));
    }
  }
}

/// What a timer does that is due.
void SystemCalls::expire(Timer& timer, uint64_t time) {
  const uint64_t times = timer.forward(time);
  timer.rests = timer.armed();
  if (timer.signal == 0) {
    timer.expirations += times;
    timer.expired = files_changed();
  } else if (timer.info.code == abi::kFromTimer) {
    expire_posix(timer, time, times);
  } else {
    timer.rests = timer.rests && timer.clock == Timer::Clock::kProgram;
    timers_.queue(timer);
    send_signal(timer.signal, timer.info, nullptr);
  }
}

void SystemCalls::expire_posix(Timer& timer, uint64_t time, uint64_t times) {
  Thread* const to = timer.thread == 0 ? nullptr : threads_.find(timer.thread);
  if (is_pending(timer.info)) {
    timer.missed += times;
  } else if ((timer.thread != 0 && to == nullptr) || would_ignore(timer.signal, to)) {
    // Nothing will take this up. Linux lets such a timer go on, in steps of no less than its tick.
    constexpr uint64_t kTick = 4'000'000;
    timer.rests = false;
    timer.missed += times;
    if (timer.interval < kTick) timer.missed += timer.forward(time + kTick);
    timers_.queue_later(timer);
  } else {
    timer.missed += times - 1;
    send_signal(timer.signal, timer.info, to);
  }
}

/// Whether the signal of a POSIX timer waits to be taken: a timer has one at a time.
bool SystemCalls::is_pending(const abi::SignalInfo& info) const {
  const auto is_it = [&info](const abi::SignalInfo& one) {
    return one.code == info.code && one.signal == info.signal && one.process == info.process;
  };
  const auto has = [&](const std::vector<abi::SignalInfo>& queue) {
    return std::any_of(queue.begin(), queue.end(), is_it);
  };
  return has(pending_) || std::any_of(threads_.all().begin(), threads_.all().end(),
                                      [&](const auto& one) { return has(one->pending); });
}

/// A signal is taken, or forgotten: the timer that has sent it goes on, and a POSIX timer's signal
/// tells how many expirations had none.
void SystemCalls::take_up(abi::SignalInfo* info) {
  if (info->signal == static_cast<int32_t>(kSigAlarm) && interval_timers_[kReal] != nullptr) {
    timers_.wake(*interval_timers_[kReal], now());
  }
  const auto found = posix_timers_.find(static_cast<uint64_t>(info->process));
  if (info->code != abi::kFromTimer || found == posix_timers_.end()) return;
  constexpr uint64_t kMost = 0x7fffffff;
  Timer& timer = *found->second;
  timer.missed += timers_.wake(timer, time_on(timer.clock));
  timer.overruns = std::min(timer.missed, kMost);
  timer.missed = 0;
  info->user = static_cast<int32_t>(timer.overruns);  // si_overrun
}

// ---- interval timers

int64_t SystemCalls::getitimer(const Args& a) {
  if (a[0] > kProfiling) return -EINVAL;
  const std::shared_ptr<Timer>& timer = interval_timers_[a[0]];
  Interval result{};
  if (timer != nullptr) {
    const uint64_t value = timer->rests ? 0 : left(*timer, time_on(timer->clock));
    result = {timeval_of(timer->interval), timeval_of(value)};
  }
  return memory_.put(a[1], result) ? 0 : -EFAULT;
}

int64_t SystemCalls::setitimer(const Args& a) {
  static constexpr uint64_t kSignalOf[] = {kSigAlarm, kSigVirtualAlarm, kSigProf};
  if (a[0] > kProfiling) return -EINVAL;
  Interval wanted{};
  uint64_t value = 0, interval = 0;
  if (a[1] != 0 && !memory_.get(wanted, a[1])) return -EFAULT;
  if (!get_microseconds(wanted.value, &value) || !get_microseconds(wanted.interval, &interval)) {
    return -EINVAL;
  }
  if (a[2] != 0) {
    if (const int64_t error = getitimer({a[0], a[2]})) return error;
  }
  std::shared_ptr<Timer>& timer = interval_timers_[a[0]];
  if (timer == nullptr) {
    timer = timers_.make(a[0] == kReal ? Timer::Clock::kProgram : Timer::Clock::kProcessor);
    timer->signal = kSignalOf[a[0]];
    timer->info = info_of(timer->signal, abi::kFromKernel);
  }
  const uint64_t now = time_on(timer->clock);
  timers_.set(*timer, value == 0 ? Timer::kDisarmed : now + value, interval);
  return 0;
}

// ---- what POSIX timers and timer descriptors share

int64_t SystemCalls::set_timer(Timer& timer, bool absolute, const Args& a) {
  Period wanted{};
  if (!memory_.get(wanted, a[2])) return -EFAULT;
  if (!abi::is_valid(wanted.value) || !abi::is_valid(wanted.interval)) return -EINVAL;
  if (a[3] != 0) {
    if (const int64_t error = tell_timer(timer, a[3])) return error;
  }
  const uint64_t value = abi::nanoseconds(wanted.value), now = time_on(timer.clock);
  uint64_t due = value == 0 ? Timer::kDisarmed : now + value;
  if (absolute && value != 0) due = value > timer.offset ? value - timer.offset : 0;
  timers_.set(timer, due, abi::nanoseconds(wanted.interval));
  return 0;
}

int64_t SystemCalls::tell_timer(Timer& timer, uint64_t address) {
  const uint64_t time = time_on(timer.clock);
  if (timer.silent || (timer.rests && timer.signal != 0)) timer.missed += timer.forward(time);
  if (timer.signal == 0) timer.expirations += timers_.wake(timer, time);
  const Period result{abi::timespec_of(timer.interval), abi::timespec_of(left(timer, time))};
  return memory_.put(address, result) ? 0 : -EFAULT;
}

// ---- POSIX timers

int64_t SystemCalls::timer_create(const Args& a) {
  constexpr uint64_t kRaw = 4, kCoarse = 6;  // clocks that no timer waits for, to the last of them
  if (a[0] >= kRaw && a[0] <= kCoarse) return -EOPNOTSUPP;
  Timer::Clock clock{};
  const int64_t offset = clock_offset(a[0], &clock);
  if (offset < 0) return -EINVAL;
  const uint64_t number = timers_made_;
  SignalEvent event{};
  event.signal = kSigAlarm;
  event.value = number;
  if (a[1] != 0 && !memory_.get(event, a[1])) return -EFAULT;
  const bool signals = event.notify == kNotifySignal || event.notify == kNotifyThread;
  const bool known = signals || event.notify == kNotifyNone;
  const auto signal = static_cast<uint64_t>(event.signal);
  if (!known || (signals && (signal < 1 || signal > abi::kSignals))) return -EINVAL;
  const auto thread = static_cast<uint64_t>(event.thread);
  if (event.notify == kNotifyThread && threads_.find(thread) == nullptr) return -EINVAL;
  if (posix_timers_.size() == Timers::kMost) return -EAGAIN;
  if (!memory_.put(a[2], static_cast<int32_t>(number))) return -EFAULT;
  ++timers_made_;
  const std::shared_ptr<Timer> timer = timers_.make(clock);
  timer->offset = static_cast<uint64_t>(offset);
  timer->signal = signals ? signal : 0;
  timer->silent = !signals;
  timer->thread = event.notify == kNotifyThread ? thread : 0;
  timer->info.signal = event.signal;
  timer->info.code = abi::kFromTimer;
  timer->info.process = static_cast<int32_t>(number);  // si_timerid
  timer->info.value = event.value;
  posix_timers_[number] = timer;
  return 0;
}

int64_t SystemCalls::timer_settime(const Args& a) {
  const auto found = posix_timers_.find(a[0]);
  return found == posix_timers_.end() ? -EINVAL
                                      : set_timer(*found->second, (a[1] & kAbsolute) != 0, a);
}

int64_t SystemCalls::timer_gettime(const Args& a) {
  const auto found = posix_timers_.find(a[0]);
  return found == posix_timers_.end() ? -EINVAL : tell_timer(*found->second, a[1]);
}

int64_t SystemCalls::timer_getoverrun(const Args& a) {
  const auto found = posix_timers_.find(a[0]);
  return found == posix_timers_.end() ? -EINVAL : static_cast<int64_t>(found->second->overruns);
}

int64_t SystemCalls::timer_delete(const Args& a) {
  return posix_timers_.erase(a[0]) == 0 ? -EINVAL : 0;
}

// ---- timer descriptors

int64_t SystemCalls::timerfd_create(const Args& a) {
  constexpr uint64_t kRealtimeClock = 0, kMonotonicClock = 1, kBootClock = 7;
  Timer::Clock clock{};
  const int64_t offset = clock_offset(a[0], &clock);
  if (a[0] != kRealtimeClock && a[0] != kMonotonicClock && a[0] != kBootClock) return -EINVAL;
  if ((a[1] & ~(abi::kCloseOnExec | abi::kNonblock)) != 0) return -EINVAL;
  std::shared_ptr<OpenFile> file;
  const int64_t fd = add_file(OpenFile::Kind::kTimer, a[1], &file);
  file->timer = timers_.make(clock);
  file->timer->offset = static_cast<uint64_t>(offset);
  return fd;
}

int64_t SystemCalls::timerfd_settime(const Args& a) {
  constexpr uint64_t kCancelOnSet = 2;
  Period wanted{};
  if (!memory_.get(wanted, a[2])) return -EFAULT;
  if (!abi::is_valid(wanted.value) || !abi::is_valid(wanted.interval)) return -EINVAL;
  if ((a[1] & ~(kAbsolute | kCancelOnSet)) != 0) return -EINVAL;
  const OpenFile* const file = files_.get(a[0]);
  if (file == nullptr) return -EBADF;
  if (file->kind != OpenFile::Kind::kTimer) return -EINVAL;
  return set_timer(*file->timer, (a[1] & kAbsolute) != 0, a);
}

int64_t SystemCalls::timerfd_gettime(const Args& a) {
  const OpenFile* const file = files_.get(a[0]);
  if (file == nullptr) return -EBADF;
  return file->kind == OpenFile::Kind::kTimer ? tell_timer(*file->timer, a[1]) : -EINVAL;
}

int64_t SystemCalls::read_timer(OpenFile& file, GuestVector& to) {
  Timer& timer = *file.timer;
  if (to.size() < sizeof timer.expirations) return -EINVAL;
  timer.expirations += timers_.wake(timer, now());
  const uint64_t expirations = timer.expirations;
  if (expirations == 0) {
    if ((file.flags & abi::kNonblock) != 0) return -EAGAIN;
    return wait_at_most(std::nullopt, "reads a timer that has not expired");
  }
  to.copy_out(reinterpret_cast<const uint8_t*>(&expirations), 0, sizeof expirations);
  timer.expirations = 0;
  return sizeof expirations;
}

}  // namespace strobe::isa
