// Futexes: what mutexes, condition variables, barriers and joins of every library are made of. All
// threads are of one process, so that private and shared futexes are the same.
#include <algorithm>
#include <iterator>
#include <vector>

#include "sc_models/isa/linux/calls/system_calls.h"

namespace strobe::isa {
namespace {

constexpr uint64_t kPrivate = 128, kClockRealtime = 256;
enum Operation : uint64_t {
  kWait = 0,
  kWake = 1,
  kRequeue = 3,
  kCompareRequeue = 4,
  kWakeOperation = 5,
  kWaitBitset = 9,
  kWakeBitset = 10
};
constexpr uint32_t kAnyBit = ~uint32_t{0};

bool is_operation(uint64_t number) {
  constexpr Operation kAll[] = {kWait,          kWake,       kRequeue,   kCompareRequeue,
                                kWakeOperation, kWaitBitset, kWakeBitset};
  return std::find(std::begin(kAll), std::end(kAll), number) != std::end(kAll);
}

}  // namespace

/// Wakes at most `most` threads that wait at `address` for one of the bits, the longest waiting
/// first. Returns how many.
uint64_t SystemCalls::wake_futex(uint64_t address, uint64_t most, uint32_t bitset) {
  std::vector<Thread*> waiting;
  for (const auto& one : threads_.all()) {
    const Wait& wait = one->wait;
    if (one->waits() && wait.futex == address && !wait.woken && (wait.bitset & bitset) != 0) {
      waiting.push_back(one.get());
    }
  }
  std::sort(waiting.begin(), waiting.end(),
            [](const Thread* a, const Thread* b) { return a->wait.order < b->wait.order; });
  if (waiting.size() > most) waiting.resize(most);
  for (Thread* const one : waiting) {
    one->wait.woken = true;
    Threads::wake(*one);
  }
  return waiting.size();
}

int64_t SystemCalls::futex(const Args& a) {
  const uint64_t operation = a[1] & ~(kPrivate | kClockRealtime);
  const bool timed = operation == kWait || operation == kWaitBitset;
  // With priority inheritance there are none, which glibc reports as ENOTSUP.
  if (!is_operation(operation) || ((a[1] & kClockRealtime) != 0 && !timed)) return -ENOSYS;
  if (a[0] % 4 != 0) return suspect_futex(a[0], EINVAL);
  if (memory_.accessible(a[0], 4, GuestMemory::kRead) != 4) return suspect_futex(a[0], EFAULT);
  const auto most = static_cast<uint64_t>(std::max<int64_t>(0, static_cast<int32_t>(a[2])));
  const auto bits = static_cast<uint32_t>(a[5]);
  switch (operation) {
    case kWait:
      return wait_for_futex(a, operation, kAnyBit);
    case kWaitBitset:
      return bits == 0 ? -EINVAL : wait_for_futex(a, operation, bits);
    case kWake:
      return static_cast<int64_t>(wake_futex(a[0], std::max<uint64_t>(most, 1), kAnyBit));
    case kWakeBitset:
      if (bits == 0) return -EINVAL;
      return static_cast<int64_t>(wake_futex(a[0], std::max<uint64_t>(most, 1), bits));
    case kRequeue:
    case kCompareRequeue:
      return requeue_futex(a);
    case kWakeOperation:
      return wake_by_operation(a);
    default:
      return -ENOSYS;
  }
}

int64_t SystemCalls::suspect_futex(uint64_t address, int error) {
  const std::string name = error == EFAULT ? "EFAULT" : "EINVAL";
  suspect("expected the address of an aligned word that the program may read, got " +
          hexadecimal(address) + "; the call returned " + name +
          ": look for a lock that is not initialized or has been freed");
  return -error;
}

int64_t SystemCalls::wait_for_futex(const Args& a, uint64_t operation, uint32_t bitset) {
  Thread& caller = thread();
  if (caller.again && caller.wait.woken) return 0;
  uint32_t value = 0;
  if (!memory_.get(value, a[0])) return -EFAULT;
  uint64_t end = kForever;
  if (const int64_t error = get_deadline(a[3], &end)) return error;
  if (operation == kWaitBitset && a[3] != 0) {  // absolute
    abi::Timespec time{};
    memory_.get(time, a[3]);
    const uint64_t wall = (a[1] & kClockRealtime) != 0 ? abi::kWallClockStart * abi::kSecond : 0;
    const uint64_t moment = abi::nanoseconds(time);
    end = moment > wall ? moment - wall : 0;
  }
  end = until(end);
  if (!caller.again && value != static_cast<uint32_t>(a[2])) return -EAGAIN;
  if (end <= now()) return -ETIMEDOUT;
  Wait why;
  why.what = "waits for a wake-up at " + hexadecimal(a[0]);
  why.until = end;
  why.futex = a[0];
  why.bitset = bitset;
  return wait(why, a[3] == 0 ? abi::kRestart : abi::kRestartWithoutHandler);
}

int64_t SystemCalls::requeue_futex(const Args& a) {
  const uint64_t operation = a[1] & ~(kPrivate | kClockRealtime);
  const auto wakes = static_cast<int32_t>(a[2]), moves = static_cast<int32_t>(a[3]);
  if (wakes < 0 || moves < 0 || a[4] % 4 != 0) return -EINVAL;
  uint32_t value = 0;
  if (!memory_.get(value, a[4]) || !memory_.get(value, a[0])) return -EFAULT;
  if (operation == kCompareRequeue && value != static_cast<uint32_t>(a[5])) return -EAGAIN;
  const uint64_t woken = wake_futex(a[0], static_cast<uint64_t>(wakes), kAnyBit);
  std::vector<Thread*> waiting;
  for (const auto& one : threads_.all()) {
    if (one->waits() && one->wait.futex == a[0]) waiting.push_back(one.get());
  }
  std::sort(waiting.begin(), waiting.end(),
            [](const Thread* x, const Thread* y) { return x->wait.order < y->wait.order; });
  if (waiting.size() > static_cast<size_t>(moves)) waiting.resize(static_cast<size_t>(moves));
  for (Thread* const one : waiting) one->wait.futex = a[4];
  return static_cast<int64_t>(woken + (operation == kCompareRequeue ? waiting.size() : 0));
}

/// FUTEX_WAKE_OP: changes a second word, and wakes those who wait there if it was as asked for.
int64_t SystemCalls::wake_by_operation(const Args& a) {
  const auto code = static_cast<uint32_t>(a[5]);
  const uint32_t operation = code >> 28 & 7, comparison = code >> 24 & 15;
  const auto sign_extended = [](uint32_t field) {
    return static_cast<int32_t>(field << 20) >> 20;  // 12 bits
  };
  int32_t operand = sign_extended(code >> 12 & 0xfff);
  const int32_t compared = sign_extended(code & 0xfff);
  if ((code >> 31) != 0) operand = static_cast<int32_t>(1u << (operand & 31));
  if (a[4] % 4 != 0) return -EINVAL;
  uint32_t old = 0;
  if (!memory_.get(old, a[4])) return -EFAULT;
  const auto change = static_cast<uint32_t>(operand);
  const uint32_t results[] = {change, old + change, old | change, old & ~change, old ^ change};
  const auto before = static_cast<int32_t>(old);
  const bool answers[] = {before == compared, before != compared,
                          before<compared, before <= compared, before> compared,
                          before >= compared};
  if (operation >= std::size(results) || comparison >= std::size(answers)) return -ENOSYS;
  if (!memory_.put(a[4], results[operation])) return -EFAULT;
  const auto most = [](uint64_t count) {
    return static_cast<uint64_t>(std::max(1, static_cast<int32_t>(count)));
  };
  uint64_t woken = wake_futex(a[0], most(a[2]), kAnyBit);
  if (answers[comparison]) woken += wake_futex(a[4], most(a[3]), kAnyBit);
  return static_cast<int64_t>(woken);
}

}  // namespace strobe::isa
