// System calls that start, end and place threads.
#include <algorithm>
#include <string>

#include "sc_models/isa/linux/calls/system_calls.h"

namespace strobe::isa {
namespace {

// Flags of clone and clone3.
constexpr uint64_t kVm = 0x100, kFs = 0x200, kFiles = 0x400, kSigHand = 0x800, kThread = 0x10000,
                   kSysVSem = 0x40000, kSetTls = 0x80000, kParentSetId = 0x100000,
                   kChildClearId = 0x200000, kDetached = 0x400000, kChildSetId = 0x1000000;
constexpr uint64_t kShared = kVm | kFs | kFiles | kSigHand | kThread;
constexpr uint64_t kKnown =
    kShared | kSysVSem | kSetTls | kParentSetId | kChildClearId | kDetached | kChildSetId;

constexpr unsigned kTp = 4;

// A futex that a robust list names: its owner, and what the owner's end leaves.
constexpr uint32_t kOwner = 0x3fffffff, kOwnerDied = 0x40000000, kWaiters = 0x80000000;
constexpr unsigned kMostRobust = 2048;

struct CloneArguments {  // of clone3
  uint64_t flags, pidfd, child_id, parent_id, exit_signal, stack, stack_size, tls;
};
constexpr uint64_t kSmallestArguments = sizeof(CloneArguments), kPage = 4096;

}  // namespace

int64_t SystemCalls::refuse_process() {
  return fail("starts another process, called by " + callers_(caller_->x),
              "expected a program of one process, without fork, vfork, posix_spawn, system and "
              "popen");
}

int64_t SystemCalls::clone(const Args& a) {
  if ((a[0] & kThread) == 0) return refuse_process();
  return start_thread({a[0] & ~uint64_t{0xff}, a[1], 0, a[2], a[4], a[3]});
}

int64_t SystemCalls::clone3(const Args& a) {
  if (a[1] < kSmallestArguments) return -EINVAL;
  if (a[1] > kPage) return -E2BIG;
  CloneArguments given{};
  if (!memory_.get(given, a[0])) return -EFAULT;
  if ((given.flags & kThread) == 0) return refuse_process();
  if (given.stack == 0 || given.stack_size == 0) return -EINVAL;
  return start_thread(
      {given.flags, given.stack, given.stack_size, given.parent_id, given.child_id, given.tls});
}

/// The bytes of a stack that ends at `top`, down to the first page that cannot be written.
uint64_t SystemCalls::stack_below(uint64_t top) const {
  constexpr uint64_t kMost = uint64_t{64} << 20;
  const uint64_t last = (top - 1) & ~(abi::kPageSize - 1);  // its last page
  uint64_t bytes = 0;
  while (bytes < kMost && bytes < last &&
         memory_.accessible(last - bytes, 1, GuestMemory::kWrite) == 1) {
    bytes += abi::kPageSize;
  }
  return bytes == 0 ? 0 : bytes - (last + abi::kPageSize - top);
}

int64_t SystemCalls::start_thread(const CloneRequest& request) {
  if ((request.flags & kShared) != kShared || (request.flags & ~kKnown) != 0) return -EINVAL;
  if (threads_.all().size() == Threads::kMost) {
    return fail("starts one thread more than the " + std::to_string(Threads::kMost) +
                    " that may live at the same time, called by " + callers_(caller_->x),
                "expected a program that joins threads before it starts others");
  }
  const auto may_tell = [&](uint64_t flag, uint64_t address) {
    return (request.flags & flag) == 0 || memory_.accessible(address, 4, GuestMemory::kWrite) == 4;
  };
  if (!may_tell(kParentSetId, request.parent_id) || !may_tell(kChildSetId, request.child_id)) {
    return -EFAULT;
  }
  const Thread& parent = thread();
  Thread& child = threads_.start();
  const auto id = static_cast<uint32_t>(child.id());
  if ((request.flags & kParentSetId) != 0) memory_.put(request.parent_id, id);
  if ((request.flags & kChildSetId) != 0) memory_.put(request.child_id, id);
  child.name = parent.name;
  child.blocked = parent.blocked;
  child.stack_size = request.stack_size != 0 ? request.stack_size : stack_below(request.stack);
  child.stack = request.stack + request.stack_size - child.stack_size;
  if ((request.flags & kChildClearId) != 0) child.clear_at = request.child_id;
  child.registers.save(*caller_);
  child.registers.pc += abi::kEcallBytes;
  child.registers.position = 0;
  child.registers.x[abi::kA0] = 0;
  if (request.stack != 0) child.registers.x[abi::kSp] = request.stack + request.stack_size;
  if ((request.flags & kSetTls) != 0) child.registers.x[kTp] = request.tls;
  return static_cast<int64_t>(child.id());
}

int64_t SystemCalls::exit_thread(const Args& a) {
  if (threads_.living() == 1) return exit_process(a);
  end_thread();
  return 0;
}

void SystemCalls::end_thread() {
  Thread& one = thread();
  for (const abi::SignalInfo& info : one.pending) {  // those of the process go to another thread
    const auto signal = static_cast<uint64_t>(info.signal);
    one.blocked |= uint64_t{1} << (signal - 1);
    if (info.code != abi::kFromTgkill) send_signal(signal, info, nullptr);
  }
  release_robust_list();
  if (one.clear_at != 0 && memory_.put(one.clear_at, uint32_t{0})) {
    wake_futex(one.clear_at, 1, ~uint32_t{0});
  }
  one.state = Thread::State::kEnded;
}

/// Marks the robust mutexes that the thread still holds, as the kernel does at a thread's end.
void SystemCalls::release_robust_list() {
  struct {
    uint64_t first, offset, pending;
  } head{};
  const uint64_t list = thread().robust_list;
  if (list == 0 || !memory_.get(head, list)) return;
  uint64_t entry = head.first & ~uint64_t{1};  // bit 0: with priority inheritance
  for (unsigned i = 0; i < kMostRobust && entry != list; ++i) {
    uint64_t next = 0;
    if (!memory_.get(next, entry)) return;
    if (entry != head.pending && !release_robust_futex(entry, head.offset)) return;
    entry = next & ~uint64_t{1};
  }
  if (head.pending != 0) release_robust_futex(head.pending & ~uint64_t{1}, head.offset);
}

bool SystemCalls::release_robust_futex(uint64_t entry, uint64_t offset) {
  const uint64_t address = entry + offset;
  uint32_t word = 0;
  if (address % 4 != 0 || !memory_.get(word, address)) return false;
  if ((word & kOwner) != thread().id()) return true;
  if (!memory_.put(address, (word & kWaiters) | kOwnerDied)) return false;
  if ((word & kWaiters) != 0) wake_futex(address, 1, ~uint32_t{0});
  return true;
}

int64_t SystemCalls::gettid(const Args&) { return static_cast<int64_t>(thread().id()); }

int64_t SystemCalls::set_tid_address(const Args& a) {
  thread().clear_at = a[0];
  return static_cast<int64_t>(thread().id());
}

int64_t SystemCalls::set_robust_list(const Args& a) {
  constexpr uint64_t kHead = 24;
  if (a[1] != kHead) return -EINVAL;
  thread().robust_list = a[0];
  return 0;
}

int64_t SystemCalls::get_robust_list(const Args& a) {
  const Thread* const one = a[0] == 0 ? &thread() : threads_.find(a[0]);
  if (one == nullptr) return -ESRCH;
  constexpr uint64_t kHead = 24;
  return memory_.put(a[1], one->robust_list) && memory_.put(a[2], kHead) ? 0 : -EFAULT;
}

int64_t SystemCalls::sched_yield(const Args&) {
  thread().yields = threads_.ready_on_hart() > 1;
  return 0;
}

}  // namespace strobe::isa
