// System calls about the process itself: identity, limits, surroundings.
#include <algorithm>
#include <cstring>

#include "sc_models/isa/linux/calls/system_calls.h"

namespace strobe::isa {
namespace {

// Options of waitid and wait4.
constexpr uint64_t kNoHang = 1, kStopped = 2, kExited = 4, kContinued = 8, kLeave = 0x1000000;
constexpr uint64_t kOfThreads = 0xe0000000;  // __WNOTHREAD, __WALL, __WCLONE

}  // namespace

int64_t SystemCalls::exit_process(const Args& a) {
  exit_.exited = true;
  exit_.code = static_cast<int>(a[0] & 0xff);
  return 0;
}

int64_t SystemCalls::execve(const Args&) {
  return fail("starts another program, called by " + callers_(caller_->x),
              "expected one that stays itself, without exec");
}

int64_t SystemCalls::waitid(const Args& a) {
  constexpr uint64_t kAll = 0, kOne = 1, kDescriptor = 3;
  const uint64_t options = static_cast<uint32_t>(a[3]);
  const auto id = static_cast<int64_t>(a[1]);
  constexpr uint64_t kEnds = kExited | kStopped | kContinued;
  if ((options & ~(kNoHang | kLeave | kEnds | kOfThreads)) != 0) return -EINVAL;
  if ((options & kEnds) == 0 || a[0] > kDescriptor) return -EINVAL;
  if (a[0] == kOne && id <= 0) return -EINVAL;
  if (a[0] != kAll && id < 0) return -EINVAL;
  if (a[0] == kDescriptor) return -EBADF;  // none is that of a process
  return -ECHILD;
}

int64_t SystemCalls::wait4(const Args& a) {
  const uint64_t options = static_cast<uint32_t>(a[2]);
  if ((options & ~(kNoHang | kStopped | kContinued | kOfThreads)) != 0) return -EINVAL;
  return static_cast<int64_t>(a[0]) == INT32_MIN ? -ESRCH : -ECHILD;
}

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
  constexpr uint64_t kFlags = 7, kContradiction = 6;  // GRND_RANDOM and GRND_INSECURE
  if ((a[2] & ~kFlags) != 0 || (a[2] & kContradiction) == kContradiction) return -EINVAL;
  const uint64_t wanted = std::min(a[1], GuestVector::kMostBytes);
  const uint64_t size = memory_.accessible(a[0], wanted, GuestMemory::kWrite);
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
  if (a[0] != 0 && threads_.find(a[0]) == nullptr) return -ESRCH;
  return exchange_limit(a[1], a[2], a[3]);
}

int64_t SystemCalls::getrlimit(const Args& a) {
  if (a[1] == 0 && a[0] < abi::kLimits) return -EFAULT;
  return exchange_limit(a[0], 0, a[1]);
}

int64_t SystemCalls::setrlimit(const Args& a) {
  return a[1] == 0 ? -EFAULT : exchange_limit(a[0], a[1], 0);
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
    thread().name = name;
    return 0;
  }
  if (a[0] == kGetName) {
    thread().name.copy(name, sizeof name - 1);
    return memory_.copy_out(a[1], name, sizeof name) ? 0 : -EFAULT;
  }
  return -EINVAL;
}

}  // namespace strobe::isa
