// System calls about the process itself: identity, limits, the one thread it has.
#include <algorithm>
#include <cstring>

#include "sc_models/isa/linux/calls/system_calls.h"

namespace strobe::isa {

uint64_t SeededBytes::next() {
  uint64_t z = state_ += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

void SeededBytes::fill(uint8_t* to, size_t size) {
  while (size > 0) {
    const uint64_t word = next();
    const size_t n = std::min(size, sizeof word);
    std::memcpy(to, &word, n);
    to += n;
    size -= n;
  }
}

int64_t SystemCalls::exit_process(const Args& a) {
  exit_.exited = true;
  exit_.code = static_cast<int>(a[0] & 0xff);
  return 0;
}

int64_t SystemCalls::refuse_clone(uint64_t flags) {
  constexpr uint64_t kThread = 0x10000;  // CLONE_THREAD
  const bool thread = (flags & kThread) != 0;
  return fail(std::string(thread ? "starts a thread" : "starts another process") + ", called by " +
                  callers_(),
              thread
                  ? "expected a program of one thread"
                  : "expected a program of one process, without fork, vfork, posix_spawn, system "
                    "and popen");
}

int64_t SystemCalls::clone(const Args& a) { return refuse_clone(a[0]); }

int64_t SystemCalls::clone3(const Args& a) {
  uint64_t flags = 0;  // the first word of clone_args
  return memory_.get(flags, a[0]) ? refuse_clone(flags) : -EFAULT;
}

int64_t SystemCalls::execve(const Args&) {
  return fail("starts another program, called by " + callers_(),
              "expected one that stays itself, without exec");
}

int64_t SystemCalls::no_child(const Args&) { return -ECHILD; }

int64_t SystemCalls::getpid(const Args&) { return abi::kProcessId; }
int64_t SystemCalls::getppid(const Args&) { return abi::kParentId; }
int64_t SystemCalls::getuid(const Args&) { return abi::kUserId; }

int64_t SystemCalls::getgroups(const Args& a) {
  if (static_cast<int32_t>(a[0]) < 0) return -EINVAL;
  const auto group = static_cast<uint32_t>(abi::kUserId);
  if (a[0] != 0 && !memory_.put(a[1], group)) return -EFAULT;
  return 1;
}

int64_t SystemCalls::umask(const Args& a) {
  const uint64_t old = umask_;
  umask_ = a[0] & 0777;
  return static_cast<int64_t>(old);
}

int64_t SystemCalls::uname(const Args& a) {
  abi::Utsname result{};
  const char* const texts[] = {"Linux", "strobe", "6.1.0", "#1 Strobe", "riscv64", "(none)"};
  for (size_t i = 0; i < 6; ++i) {
    std::strncpy(result.fields[i], texts[i], sizeof result.fields[i] - 1);
  }
  return memory_.put(a[0], result) ? 0 : -EFAULT;
}

int64_t SystemCalls::sysinfo(const Args& a) {
  abi::Sysinfo result{};
  result.uptime = static_cast<int64_t>(now() / 1'000'000'000);
  result.total = memory_limit_;
  result.free = memory_limit_ - std::min(memory_limit_, space_.used());
  result.processes = 1;
  result.unit = 1;
  return memory_.put(a[0], result) ? 0 : -EFAULT;
}

int64_t SystemCalls::getrandom(const Args& a) {
  constexpr uint64_t kFlags = 7;
  if ((a[2] & ~kFlags) != 0) return -EINVAL;
  const uint64_t size = memory_.accessible(a[0], a[1], GuestMemory::kWrite);
  if (size == 0) return a[1] == 0 ? 0 : -EFAULT;
  random_.fill(memory_.at(a[0]), size);
  memory_.wrote(a[0], size);
  return static_cast<int64_t>(size);
}

int64_t SystemCalls::exchange_limit(uint64_t resource, uint64_t new_limit, uint64_t old_limit) {
  if (resource >= abi::kLimits) return -EINVAL;
  abi::Limit& limit = limits_[resource];
  abi::Limit wanted{};
  if (new_limit != 0) {
    if (!memory_.get(wanted, new_limit)) return -EFAULT;
    if (wanted.soft > wanted.hard) return -EINVAL;
    if (wanted.hard > limit.hard) return -EPERM;
  }
  if (old_limit != 0 && !memory_.put(old_limit, limit)) return -EFAULT;
  if (new_limit != 0) limit = wanted;
  return 0;
}

int64_t SystemCalls::prlimit64(const Args& a) {
  if (a[0] != 0 && a[0] != abi::kProcessId) return -ESRCH;
  return exchange_limit(a[1], a[2], a[3]);
}

int64_t SystemCalls::getrlimit(const Args& a) { return exchange_limit(a[0], 0, a[1]); }

int64_t SystemCalls::setrlimit(const Args& a) {
  return a[1] == 0 ? -EFAULT : exchange_limit(a[0], a[1], 0);
}

int64_t SystemCalls::futex(const Args& a) {
  constexpr uint64_t kPrivate = 128, kClockRealtime = 256;
  constexpr uint64_t kWait = 0, kWake = 1, kRequeue = 3, kCompareRequeue = 4, kWaitBitset = 9,
                     kWakeBitset = 10;
  const uint64_t operation = a[1] & ~(kPrivate | kClockRealtime);
  if (a[0] % 4 != 0) return -EINVAL;
  uint32_t value = 0;
  switch (operation) {
    case kWake:
    case kWakeBitset:
    case kRequeue:
      return 0;  // there is no other thread to wake
    case kCompareRequeue:
      if (!memory_.get(value, a[0])) return -EFAULT;
      return value == static_cast<uint32_t>(a[5]) ? 0 : -EAGAIN;
    case kWait:
    case kWaitBitset:
      break;
    default:
      return -ENOSYS;
  }
  if (!memory_.get(value, a[0])) return -EFAULT;
  if (value != static_cast<uint32_t>(a[2])) return -EAGAIN;
  if (a[3] != 0) {
    abi::Timespec time{};
    return memory_.get(time, a[3]) ? -ETIMEDOUT : -EFAULT;
  }
  return fail("deadlock: the only thread waits for a wake-up (futex)",
              "expected a program with one thread; run it on Linux to see where it waits");
}

int64_t SystemCalls::sched_getaffinity(const Args& a) {
  const uint64_t mask = 1;
  if (a[0] != 0 && a[0] != abi::kProcessId) return -ESRCH;
  if (a[1] < sizeof mask || a[1] % sizeof mask != 0) return -EINVAL;
  return memory_.put(a[2], mask) ? static_cast<int64_t>(sizeof mask) : -EFAULT;
}

int64_t SystemCalls::getcpu(const Args& a) {
  const uint32_t zero = 0;
  for (size_t i = 0; i < 2; ++i) {
    if (a[i] != 0 && !memory_.put(a[i], zero)) return -EFAULT;
  }
  return 0;
}

int64_t SystemCalls::membarrier(const Args& a) {
  constexpr uint64_t kSupported = 1 | 8 | 16;  // global, private expedited, its registration
  if (a[0] == 0) return kSupported;
  return (a[0] & (a[0] - 1)) == 0 && (a[0] & ~kSupported) == 0 ? 0 : -EINVAL;
}

int64_t SystemCalls::prctl(const Args& a) {
  constexpr uint64_t kSetName = 15, kGetName = 16;
  char name[16] = {};
  if (a[0] == kSetName) {
    const uint64_t size = memory_.accessible(a[1], sizeof name - 1, GuestMemory::kRead);
    if (size == 0) return -EFAULT;
    memory_.copy_in(name, a[1], size);
    thread_name_ = name;
    return 0;
  }
  if (a[0] == kGetName) {
    thread_name_.copy(name, sizeof name - 1);
    return memory_.copy_out(a[1], name, sizeof name) ? 0 : -EFAULT;
  }
  return -EINVAL;
}

}  // namespace strobe::isa
