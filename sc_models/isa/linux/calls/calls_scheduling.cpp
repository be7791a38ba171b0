// Priorities and scheduling classes, of which there is one, processors, of which there is one too,
// and the identities of the process.
#include <algorithm>

#include "sc_models/isa/linux/calls/system_calls.h"

namespace strobe::isa {
namespace {

constexpr uint64_t kOther = 0, kFifo = 1, kRoundRobin = 2, kBatch = 3, kIdle = 5, kDeadline = 6;
constexpr int32_t kHighestPriority = 99;

bool is_real_time(uint64_t policy) { return policy == kFifo || policy == kRoundRobin; }
bool is_policy(uint64_t policy) {
  return is_real_time(policy) || policy == kOther || policy == kBatch || policy == kIdle ||
         policy == kDeadline;
}

/// Whether the process is meant by `which`, a kind of number, and `who`. Returns 0, EINVAL or
/// ESRCH as a negative number.
int64_t check_who(uint64_t which, uint64_t who, bool own_thread) {
  constexpr uint64_t kUser = 2;
  if (which > kUser) return -EINVAL;
  const auto number = static_cast<uint32_t>(who);
  const bool own = which == kUser ? number == 0 || number == abi::kUserId : own_thread;
  return own ? 0 : -ESRCH;
}

}  // namespace

bool SystemCalls::is_own_thread(uint64_t id) const {
  return static_cast<uint32_t>(id) == 0 || threads_.find(static_cast<uint32_t>(id)) != nullptr;
}

int64_t SystemCalls::getresuid(const Args& a) {
  const auto user = static_cast<uint32_t>(abi::kUserId);
  return memory_.put(a[0], user) && memory_.put(a[1], user) && memory_.put(a[2], user) ? 0
                                                                                       : -EFAULT;
}

/// The process has one identity, and no right to take another.
int64_t SystemCalls::set_own_id(const Args& a) {
  constexpr uint64_t kNone = UINT32_MAX;
  if (a[0] == kNone) return -EINVAL;
  return a[0] == abi::kUserId ? 0 : -EPERM;
}

int64_t SystemCalls::set_own_ids(const Args& a) { return set_three_own_ids({a[0], a[1], a[1]}); }

int64_t SystemCalls::set_three_own_ids(const Args& a) {
  constexpr uint64_t kUnchanged = UINT32_MAX;
  const bool own = std::all_of(a.begin(), a.begin() + 3,
                               [](uint64_t id) { return id == kUnchanged || id == abi::kUserId; });
  return own ? 0 : -EPERM;
}

/// Linux asks for a right even when nothing would change; programs that drop rights need none here.
int64_t SystemCalls::setgroups(const Args& a) {
  uint32_t group = 0;
  if (a[0] != 1) return -EPERM;
  if (!memory_.get(group, a[1])) return -EFAULT;
  return group == abi::kUserId ? 0 : -EPERM;
}

/// The process leads its session, and so stays in its group.
int64_t SystemCalls::setpgid(const Args& a) {
  if (static_cast<int64_t>(a[1] == 0 ? a[0] : a[1]) < 0) return -EINVAL;
  if (a[0] != 0 && a[0] != abi::kProcessId) return is_own_thread(a[0]) ? -EINVAL : -ESRCH;
  return -EPERM;
}

int64_t SystemCalls::getpgid(const Args& a) {
  return is_own_thread(a[0]) ? static_cast<int64_t>(abi::kProcessId) : -ESRCH;
}

int64_t SystemCalls::getpriority(const Args& a) {
  constexpr int64_t kTop = 20;  // the system call tells 20 - nice, which is not negative
  const int64_t error = check_who(a[0], a[1], is_own_thread(a[1]));
  return error != 0 ? error : kTop - nice_;
}

int64_t SystemCalls::setpriority(const Args& a) {
  constexpr int64_t kLowest = -20, kHighest = 19;
  if (const int64_t error = check_who(a[0], a[1], is_own_thread(a[1]))) return error;
  const int64_t nice = std::clamp<int64_t>(static_cast<int32_t>(a[2]), kLowest, kHighest);
  if (nice < nice_) return -EACCES;
  nice_ = nice;
  return 0;
}

int64_t SystemCalls::sched_setscheduler(const Args& a) {
  constexpr uint64_t kResetOnFork = 0x40000000;
  const uint64_t policy = static_cast<uint32_t>(a[1]) & ~kResetOnFork;
  int32_t priority = 0;
  if (static_cast<int32_t>(a[0]) < 0 || static_cast<int32_t>(a[1]) < 0 || a[2] == 0) return -EINVAL;
  if (!memory_.get(priority, a[2])) return -EFAULT;
  if (!is_own_thread(a[0])) return -ESRCH;
  if (!is_policy(policy) || policy == kDeadline) return -EINVAL;
  const int32_t least = is_real_time(policy) ? 1 : 0;
  if (priority < least || priority > (least == 0 ? 0 : kHighestPriority)) return -EINVAL;
  return policy == kOther ? 0 : -EPERM;
}

int64_t SystemCalls::sched_getscheduler(const Args& a) {
  if (static_cast<int32_t>(a[0]) < 0) return -EINVAL;
  return is_own_thread(a[0]) ? static_cast<int64_t>(kOther) : -ESRCH;
}

int64_t SystemCalls::sched_setparam(const Args& a) {
  return sched_setscheduler({a[0], kOther, a[1], 0, 0, 0});
}

int64_t SystemCalls::sched_getparam(const Args& a) {
  const int32_t priority = 0;
  if (static_cast<int32_t>(a[0]) < 0 || a[1] == 0) return -EINVAL;
  if (!is_own_thread(a[0])) return -ESRCH;
  return memory_.put(a[1], priority) ? 0 : -EFAULT;
}

int64_t SystemCalls::sched_get_priority_max(const Args& a) {
  if (!is_policy(a[0])) return -EINVAL;
  return is_real_time(a[0]) ? kHighestPriority : 0;
}

int64_t SystemCalls::sched_get_priority_min(const Args& a) {
  if (!is_policy(a[0])) return -EINVAL;
  return is_real_time(a[0]) ? 1 : 0;
}

int64_t SystemCalls::sched_rr_get_interval(const Args& a) {
  constexpr abi::Timespec kSlice{0, 4'000'000};
  if (static_cast<int32_t>(a[0]) < 0) return -EINVAL;
  if (!is_own_thread(a[0])) return -ESRCH;
  return memory_.put(a[1], kSlice) ? 0 : -EFAULT;
}

int64_t SystemCalls::sched_getaffinity(const Args& a) {
  const uint64_t mask = 1;
  if (a[1] < sizeof mask || a[1] % sizeof mask != 0) return -EINVAL;
  if (!is_own_thread(a[0])) return -ESRCH;
  return memory_.put(a[2], mask) ? static_cast<int64_t>(sizeof mask) : -EFAULT;
}

int64_t SystemCalls::sched_setaffinity(const Args& a) {
  if (!is_own_thread(a[0])) return -ESRCH;
  uint8_t first = 0;
  if (a[1] == 0) return -EINVAL;
  if (!memory_.get(first, a[2])) return -EFAULT;
  return (first & 1) != 0 ? 0 : -EINVAL;
}

}  // namespace strobe::isa
