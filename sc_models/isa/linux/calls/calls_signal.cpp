// System calls about signals. signal_delivery.cpp has what becomes of one that is sent.
#include <algorithm>

#include "sc_models/isa/linux/calls/signals.h"
#include "sc_models/isa/linux/calls/system_calls.h"
#include "sc_models/isa/linux/signal_frame.h"

namespace strobe::isa {
int64_t SystemCalls::rt_sigaction(const Args& a) {
  const uint64_t signal = a[0];
  abi::SignalAction action{};
  if (a[3] != kSignalSetSize) return -EINVAL;
  if (a[1] != 0 && !memory_.get(action, a[1])) return -EFAULT;
  if (signal < 1 || signal > abi::kSignals) return -EINVAL;
  if (a[1] != 0 && (signal_bit(signal) & kNeverBlocked) != 0) return -EINVAL;
  if (a[2] != 0 && !memory_.put(a[2], actions_[signal])) return -EFAULT;
  if (a[1] == 0) return 0;
  actions_[signal] = action;
  if (!ignores(signal)) return 0;
  const auto forget = [&](std::vector<abi::SignalInfo>& queue) {
    const auto rest = std::stable_partition(queue.begin(), queue.end(), [&](const auto& one) {
      return static_cast<uint64_t>(one.signal) != signal;
    });
    std::vector<abi::SignalInfo> forgotten(rest, queue.end());
    queue.erase(rest, queue.end());
    for (abi::SignalInfo& one : forgotten) take_up(&one);
  };
  forget(pending_);
  for (const auto& one : threads_.all()) forget(one->pending);
  return 0;
}

int64_t SystemCalls::rt_sigprocmask(const Args& a) {
  constexpr uint64_t kBlock = 0, kUnblock = 1, kSet = 2;
  if (a[3] != kSignalSetSize) return -EINVAL;
  uint64_t set = 0;
  if (a[1] != 0) {
    if (!memory_.get(set, a[1])) return -EFAULT;
    if (a[0] > kSet) return -EINVAL;
  }
  uint64_t& blocked = thread().blocked;
  if (a[2] != 0 && !memory_.put(a[2], blocked)) return -EFAULT;
  if (a[1] == 0) return 0;
  if (a[0] == kBlock) blocked |= set;
  if (a[0] == kUnblock) blocked &= ~set;
  if (a[0] == kSet) blocked = set;
  blocked &= ~kNeverBlocked;
  return act_by_default();
}

int64_t SystemCalls::rt_sigpending(const Args& a) {
  if (a[1] > kSignalSetSize) return -EINVAL;
  const uint64_t set = pending_set(thread()) & thread().blocked;
  return memory_.copy_out(a[0], &set, a[1]) ? 0 : -EFAULT;
}

int64_t SystemCalls::sigaltstack(const Args& a) {
  const abi::SignalStack& present = thread().signal_stack;
  const bool on_it = on_signal_stack(present, caller_->x[abi::kSp]);
  abi::SignalStack stack{}, old = present;
  if (on_it) old.flags |= abi::kOnSignalStack;
  if (a[0] != 0) {
    if (!memory_.get(stack, a[0])) return -EFAULT;
    if (on_it) return -EPERM;
    if (const int64_t error = set_signal_stack(stack)) return error;
  }
  return a[1] == 0 || memory_.put(a[1], old) ? 0 : -EFAULT;
}

int64_t SystemCalls::set_signal_stack(abi::SignalStack stack) {
  constexpr uint64_t kSmallest = 2048;
  if ((stack.flags & ~abi::kSignalStackDisabled) != 0) return -EINVAL;
  if (stack.flags == 0 && stack.size < kSmallest) return -ENOMEM;
  if (stack.flags != 0) stack = {0, abi::kSignalStackDisabled, 0, 0};
  thread().signal_stack = stack;
  return 0;
}

/// Waits with another mask until a handler has run.
int64_t SystemCalls::rt_sigsuspend(const Args& a) {
  if (a[1] != kSignalSetSize) return -EINVAL;
  if (a[0] == 0) return -EFAULT;
  if (const int64_t error = use_mask(a[0], a[1])) return error;
  Wait why;
  why.what = "waits for a signal";
  return stopped() ? 0 : wait(why);
}

/// Takes a signal of a set out of those that are pending.
int64_t SystemCalls::rt_sigtimedwait(const Args& a) {
  uint64_t set = 0;
  if (a[3] != kSignalSetSize) return -EINVAL;
  if (!memory_.get(set, a[0])) return -EFAULT;
  abi::SignalInfo info{};
  if (take_pending(set & ~kNeverBlocked, &info)) {
    if (a[1] != 0 && !memory_.put(a[1], info)) return -EFAULT;
    return info.signal;
  }
  uint64_t end = kForever;
  if (const int64_t error = get_deadline(a[2], &end)) return error;
  Wait why;
  why.what = "waits for a signal of the set " + hexadecimal(set);
  why.until = until(end);
  why.signals = set;
  return why.until <= now() ? -EAGAIN : wait(why);
}

int64_t SystemCalls::rt_sigreturn(const Args&) {
  thread().leaves_handler = true;
  return 0;
}

int64_t SystemCalls::kill(const Args& a) {
  const auto target = static_cast<int32_t>(a[0]);
  const bool itself =
      target == 0 || target == -1 || target == static_cast<int32_t>(abi::kProcessId);
  return itself ? send_signal(a[1], info_of(a[1], abi::kFromKill), nullptr) : -ESRCH;
}

int64_t SystemCalls::tkill(const Args& a) { return tgkill({abi::kProcessId, a[0], a[1]}); }

int64_t SystemCalls::tgkill(const Args& a) {
  if (static_cast<int32_t>(a[0]) <= 0 || static_cast<int32_t>(a[1]) <= 0) return -EINVAL;
  Thread* const to = a[0] == abi::kProcessId ? threads_.find(a[1]) : nullptr;
  return to != nullptr ? send_signal(a[2], info_of(a[2], abi::kFromTgkill), to) : -ESRCH;
}

int64_t SystemCalls::rt_sigqueueinfo(const Args& a) {
  const bool own = a[0] == abi::kProcessId;
  return queue_signal(a[1], a[2], own, own, nullptr);
}

int64_t SystemCalls::rt_tgsigqueueinfo(const Args& a) {
  if (static_cast<int64_t>(a[0]) <= 0 || static_cast<int64_t>(a[1]) <= 0) return -EINVAL;
  Thread* const to = a[0] == abi::kProcessId ? threads_.find(a[1]) : nullptr;
  return queue_signal(a[2], a[3], to != nullptr, a[1] == thread().id(), to);
}

/// @param exists  whether there is a receiver
/// @param own  whether it is the caller, which alone may say that the kernel sent the signal
int64_t SystemCalls::queue_signal(uint64_t signal, uint64_t address, bool exists, bool own,
                                  Thread* to) {
  abi::SignalInfo info{};
  if (!memory_.get(info, address)) return -EFAULT;
  if (!own && (info.code >= 0 || info.code == abi::kFromTgkill)) return -EPERM;
  if (!exists) return -ESRCH;
  info.signal = static_cast<int32_t>(signal);
  return send_signal(signal, info, to);
}

}  // namespace strobe::isa
