// System calls about signals, and the handlers that they lead to: a handler is entered on the way
// back from a system call, as Linux does it.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>

#include "sc_models/isa/linux/calls/system_calls.h"
#include "sc_models/isa/linux/signal_frame.h"

namespace strobe::isa {
namespace {

constexpr uint64_t kSigKill = 9, kSigChild = 17, kSigCont = 18, kSigStop = 19, kSigTtou = 22,
                   kSigUrg = 23, kSigWinch = 28, kFirstRealTime = 32;
constexpr uint64_t kDefaultAction = 0, kIgnore = 1;
constexpr uint64_t kSignalSetSize = 8;
constexpr uint64_t kNeverBlocked = uint64_t{1} << (kSigKill - 1) | uint64_t{1} << (kSigStop - 1);
constexpr size_t kMostPending = 1024;  // real-time signals queue; Linux has a limit, too

// Handlers return to a page of its own that calls rt_sigreturn, where Linux has its vdso.
constexpr uint64_t kReturnPage = AddressSpace::kLowestStack;
constexpr uint32_t kReturnCode[] = {0x08b00893, 0x00000073};  // li a7, 139; ecall

constexpr uint64_t bit(uint64_t signal) { return uint64_t{1} << (signal - 1); }

bool is_ignored_by_default(uint64_t signal) {
  return signal == kSigChild || signal == kSigCont || signal == kSigUrg || signal == kSigWinch;
}

std::string hexadecimal(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "%#llx", static_cast<unsigned long long>(value));
  return text;
}

abi::SignalInfo info_of(uint64_t signal, int32_t code) {
  abi::SignalInfo info{};
  info.signal = static_cast<int32_t>(signal);
  info.code = code;
  info.process = static_cast<int32_t>(abi::kProcessId);
  info.user = static_cast<int32_t>(abi::kUserId);
  return info;
}

}  // namespace

int64_t SystemCalls::rt_sigaction(const Args& a) {
  const uint64_t signal = a[0];
  if (a[3] != kSignalSetSize || signal < 1 || signal > abi::kSignals) return -EINVAL;
  abi::SignalAction action{};
  if (a[1] != 0) {
    if ((bit(signal) & kNeverBlocked) != 0) return -EINVAL;
    if (!memory_.get(action, a[1])) return -EFAULT;
  }
  if (a[2] != 0 && !memory_.put(a[2], actions_[signal])) return -EFAULT;
  if (a[1] == 0) return 0;
  actions_[signal] = action;
  const bool ignored = action.handler == kIgnore ||
                       (action.handler == kDefaultAction && is_ignored_by_default(signal));
  if (!ignored) return 0;
  const auto is_it = [signal](const abi::SignalInfo& one) {
    return static_cast<uint64_t>(one.signal) == signal;
  };
  pending_.erase(std::remove_if(pending_.begin(), pending_.end(), is_it), pending_.end());
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
  if (a[2] != 0 && !memory_.put(a[2], blocked_)) return -EFAULT;
  if (a[1] == 0) return 0;
  if (a[0] == kBlock) blocked_ |= set;
  if (a[0] == kUnblock) blocked_ &= ~set;
  if (a[0] == kSet) blocked_ = set;
  blocked_ &= ~kNeverBlocked;
  return act_by_default();
}

int64_t SystemCalls::rt_sigpending(const Args& a) {
  if (a[1] > kSignalSetSize) return -EINVAL;
  const uint64_t set = pending_set();
  return memory_.copy_out(a[0], &set, a[1]) ? 0 : -EFAULT;
}

int64_t SystemCalls::sigaltstack(const Args& a) {
  constexpr uint64_t kSmallest = 2048;
  const bool on_it = on_signal_stack(signal_stack_, stack_pointer_);
  abi::SignalStack stack{};
  if (a[0] != 0) {
    if (!memory_.get(stack, a[0])) return -EFAULT;
    if (on_it) return -EPERM;
    if ((stack.flags & ~abi::kSignalStackDisabled) != 0) return -EINVAL;
    if (stack.flags == 0 && stack.size < kSmallest) return -ENOMEM;
    if (stack.flags != 0) stack = {0, abi::kSignalStackDisabled, 0, 0};
  }
  abi::SignalStack old = signal_stack_;
  if (on_it) old.flags |= abi::kOnSignalStack;
  if (a[1] != 0 && !memory_.put(a[1], old)) return -EFAULT;
  if (a[0] != 0) signal_stack_ = stack;
  return 0;
}

/// Waits with another mask until a handler has run.
int64_t SystemCalls::rt_sigsuspend(const Args& a) {
  uint64_t set = 0;
  if (a[1] != kSignalSetSize) return -EINVAL;
  if (!memory_.get(set, a[0])) return -EFAULT;
  mask_after_handlers_ = blocked_;
  blocked_ = set & ~kNeverBlocked;
  act_by_default();
  if (stopped() || (pending_set() & ~blocked_) != 0) return -EINTR;
  return fail("deadlock: the only thread waits for a signal (rt_sigsuspend)",
              "expected one that is pending; run it on Linux to see where it waits");
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
  if (a[2] != 0) {
    abi::Timespec time{};
    return memory_.get(time, a[2]) ? -EAGAIN : -EFAULT;
  }
  return fail("deadlock: the only thread waits for a signal (rt_sigtimedwait)",
              "expected one that is pending; run it on Linux to see where it waits");
}

int64_t SystemCalls::rt_sigreturn(const Args&) {
  leaves_handler_ = true;
  return 0;
}

int64_t SystemCalls::kill(const Args& a) {
  const auto target = static_cast<int32_t>(a[0]);
  const bool itself =
      target == 0 || target == -1 || target == static_cast<int32_t>(abi::kProcessId);
  return itself ? send_signal(a[1], info_of(a[1], abi::kFromKill)) : -ESRCH;
}

int64_t SystemCalls::tgkill(const Args& a) {
  const bool itself = a[0] == abi::kProcessId && a[1] == abi::kProcessId;
  return itself ? send_signal(a[2], info_of(a[2], abi::kFromTgkill)) : -ESRCH;
}

int64_t SystemCalls::rt_sigqueueinfo(const Args& a) { return queue_signal(a[0], a[1], a[2]); }

int64_t SystemCalls::rt_tgsigqueueinfo(const Args& a) {
  return a[0] == abi::kProcessId ? queue_signal(a[1], a[2], a[3]) : -ESRCH;
}

int64_t SystemCalls::queue_signal(uint64_t target, uint64_t signal, uint64_t address) {
  abi::SignalInfo info{};
  if (!memory_.get(info, address)) return -EFAULT;
  info.signal = static_cast<int32_t>(signal);
  return target == abi::kProcessId ? send_signal(signal, info) : -ESRCH;
}

uint64_t SystemCalls::pending_set() const {
  uint64_t set = 0;
  for (const abi::SignalInfo& info : pending_) set |= bit(static_cast<uint64_t>(info.signal));
  return set;
}

/// Takes the pending signal with the least number in `set`, of several the oldest; false if there
/// is none.
bool SystemCalls::take_pending(uint64_t set, abi::SignalInfo* info) {
  auto least = pending_.end();
  for (auto one = pending_.begin(); one != pending_.end(); ++one) {
    if ((set & bit(static_cast<uint64_t>(one->signal))) == 0) continue;
    if (least == pending_.end() || one->signal < least->signal) least = one;
  }
  if (least == pending_.end()) return false;
  *info = *least;
  pending_.erase(least);
  return true;
}

/// A pending signal without a handler ends the program as soon as nothing blocks it.
int64_t SystemCalls::act_by_default() {
  for (uint64_t signal = 1; signal <= abi::kSignals && !stopped(); ++signal) {
    if ((pending_set() & ~blocked_ & bit(signal)) == 0) continue;
    const bool ends = actions_[signal].handler == kDefaultAction && !is_ignored_by_default(signal);
    if (ends) end_by_signal(signal);
  }
  return 0;
}

int64_t SystemCalls::send_signal(uint64_t signal, const abi::SignalInfo& info) {
  if (signal > abi::kSignals) return -EINVAL;
  if (signal == 0) return 0;
  const uint64_t handler = actions_[signal].handler;
  const bool blocked = (blocked_ & bit(signal)) != 0;
  const bool ignored =
      handler == kIgnore || (handler == kDefaultAction && is_ignored_by_default(signal));
  if (ignored && !blocked) return 0;
  if (!blocked && handler == kDefaultAction) return end_by_signal(signal);
  if (signal < kFirstRealTime && (pending_set() & bit(signal)) != 0) return 0;
  if (pending_.size() == kMostPending) return -EAGAIN;
  pending_.push_back(info);
  return 0;
}

void SystemCalls::send_signal_to_itself(uint64_t signal) {
  send_signal(signal, info_of(signal, abi::kFromKill));
}

int64_t SystemCalls::end_by_signal(uint64_t signal) {
  if (signal >= kSigStop && signal <= kSigTtou) {
    return fail("signal " + std::to_string(signal) + " stopped the program",
                "no other process could continue it");
  }
  exit_.exited = true;
  exit_.code = 128 + static_cast<int>(signal);
  return 0;
}

void SystemCalls::resume(HartState& state, uint64_t result,
                         const std::function<std::string()>& where) {
  const std::string place = leaves_handler_ || !pending_.empty() ? where() : "";
  if (leaves_handler_) {
    leaves_handler_ = false;
    leave_handler(state);
  } else {
    state.x[abi::kA0] = result;
    state.pc += abi::kEcallBytes;
  }
  while (!stopped() && (pending_set() & ~blocked_) != 0) enter_handler(state);
  mask_after_handlers_.reset();
  if (exit_.failed) exit_.error = std::string(current_) + " at pc " + place + ": " + exit_.error;
}

void SystemCalls::leave_handler(HartState& state) {
  uint64_t mask = 0;
  abi::SignalStack stack{};
  if (!leave_signal_handler(memory_, state, &mask, &stack)) {
    fail("no frame of a signal's handler is at the stack pointer " + hexadecimal(state.x[abi::kSp]),
         "expected the one that the handler was entered with; look for a handler that changes its "
         "stack pointer");
    return;
  }
  blocked_ = mask & ~kNeverBlocked;
  signal_stack_ = stack;
  act_by_default();
}

void SystemCalls::enter_handler(HartState& state) {
  SignalEntry entry;
  if (!take_pending(~blocked_, &entry.info)) return;
  const auto signal = static_cast<uint64_t>(entry.info.signal);
  entry.action = actions_[signal];
  if (entry.action.handler == kIgnore) return;
  if (entry.action.handler == kDefaultAction) {
    if (!is_ignored_by_default(signal)) end_by_signal(signal);
    return;
  }
  const std::string text = "signal " + std::to_string(signal) + ": ";
  if (memory_.accessible(entry.action.handler, 2, GuestMemory::kExecute) != 2) {
    fail(text + "its handler at " + hexadecimal(entry.action.handler) +
             " is not in memory that can be executed",
         "expected a function of the program, which sigaction sets");
    return;
  }
  if (!map_return_page()) {
    fail(text + "the program has mapped " + hexadecimal(kReturnPage) +
             ", where handlers return to the proxy",
         "expected no mapping between 0x7f700000 and the stack");
    return;
  }
  entry.stack = signal_stack_;
  entry.mask = mask_after_handlers_.value_or(blocked_);
  entry.next_pc = state.pc;
  entry.return_address = kReturnPage;
  if (!enter_signal_handler(memory_, entry, state)) {
    fail(text + "no room on the stack for the frame of its handler at " +
             hexadecimal(signal_frame_address(entry, state.x[abi::kSp])),
         "expected " + std::to_string(sizeof(abi::SignalFrame)) +
             " bytes; look for handlers that are entered without end, or give sigaltstack more");
    return;
  }
  mask_after_handlers_.reset();
  state.pc = entry.action.handler;
  blocked_ |= entry.action.mask;
  if ((entry.action.flags & abi::kDoNotBlock) == 0) blocked_ |= bit(signal);
  blocked_ &= ~kNeverBlocked;
  if ((entry.action.flags & abi::kResetHandler) != 0) actions_[signal].handler = kDefaultAction;
}

bool SystemCalls::map_return_page() {
  if (has_return_page_) return true;
  const int64_t mapped =
      space_.map(kReturnPage, GuestMemory::kPageSize, abi::kProtRead | abi::kProtExec,
                 abi::kMapFixedNoreplace | abi::kMapPrivate | abi::kMapAnonymous);
  if (mapped < 0) return false;
  std::memcpy(memory_.at(kReturnPage), kReturnCode, sizeof kReturnCode);
  memory_.wrote(kReturnPage, sizeof kReturnCode);
  memory_.code_changed(kReturnPage, sizeof kReturnCode);
  has_return_page_ = true;
  return true;
}

}  // namespace strobe::isa
