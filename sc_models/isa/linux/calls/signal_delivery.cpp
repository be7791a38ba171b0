// Signals on their way: the thread that gets one, what ends the program, and the handlers that are
// entered before an instruction of the program.
#include <algorithm>
#include <cstring>
#include <string>

#include "sc_models/isa/decode/extensions.h"
#include "sc_models/isa/linux/calls/signals.h"
#include "sc_models/isa/linux/calls/system_calls.h"
#include "sc_models/isa/linux/signal_frame.h"

namespace strobe::isa {
namespace {

constexpr size_t kMostPending = 1024;     // real-time signals queue; Linux has a limit, too
constexpr size_t kMostInterrupted = 256;  // replacement sequences that handlers have interrupted

constexpr uint32_t kReturnCode[] = {0x08b00893, 0x00000073,   // li a7, 139; ecall
                                    0x10500073, 0xffdff06f};  // wfi; j .-4

bool has(const std::vector<abi::SignalInfo>& queue, uint64_t signal) {
  return std::any_of(queue.begin(), queue.end(), [signal](const abi::SignalInfo& one) {
    return static_cast<uint64_t>(one.signal) == signal;
  });
}

uint64_t set_of(const std::vector<abi::SignalInfo>& queue) {
  uint64_t set = 0;
  for (const abi::SignalInfo& info : queue) set |= signal_bit(static_cast<uint64_t>(info.signal));
  return set;
}

/// Takes the signal with the least number in `set`, of several the oldest; false if there is none.
bool take(std::vector<abi::SignalInfo>* queue, uint64_t set, abi::SignalInfo* info) {
  auto least = queue->end();
  for (auto one = queue->begin(); one != queue->end(); ++one) {
    if ((set & signal_bit(static_cast<uint64_t>(one->signal))) == 0) continue;
    if (least == queue->end() || one->signal < least->signal) least = one;
  }
  if (least == queue->end()) return false;
  *info = *least;
  queue->erase(least);
  return true;
}

struct Fault {
  uint64_t signal;
  int32_t code;
};

/// What Linux makes of an exception.
Fault fault_of(Cause cause, bool mapped) {
  constexpr int32_t kNotMapped = 1, kNoPermission = 2, kIllegalOpcode = 1, kBreakpointCode = 1,
                    kMisaligned = 1;
  switch (cause) {
    case Cause::kIllegalInstruction:
      return {kSigIll, kIllegalOpcode};
    case Cause::kBreakpoint:
      return {kSigTrap, kBreakpointCode};
    case Cause::kFetchMisaligned:
    case Cause::kLoadMisaligned:
    case Cause::kStoreMisaligned:
      return {kSigBus, kMisaligned};
    default:
      return {kSigSegv, mapped ? kNoPermission : kNotMapped};
  }
}

}  // namespace

uint64_t SystemCalls::pending_set(const Thread& one) const {
  return set_of(one.pending) | set_of(pending_);
}

/// Takes a pending signal of the current thread, or of the process.
bool SystemCalls::take_pending(uint64_t set, abi::SignalInfo* info) {
  if (!take(&thread().pending, set, info) && !take(&pending_, set, info)) return false;
  take_up(info);
  return true;
}

bool SystemCalls::ignores(uint64_t signal) const {
  const uint64_t handler = actions_[signal].handler;
  return handler == kIgnore || (handler == kDefaultAction && is_ignored_by_default(signal));
}

/// Whether a signal to a thread, or to the process when `to` is null, has no effect now.
bool SystemCalls::would_ignore(uint64_t signal, const Thread* to) const {
  if (to != nullptr) return ignores(signal) && (to->blocked & signal_bit(signal)) == 0;
  return ignores(signal) && taker_of(signal) != nullptr;
}

/// The first thread that lives and does not block a signal; nullptr if none does.
Thread* SystemCalls::taker_of(uint64_t signal) const {
  for (const auto& one : threads_.all()) {
    if (one->lives() && (one->blocked & signal_bit(signal)) == 0) return one.get();
  }
  return nullptr;
}

/// A pending signal without a handler ends the program as soon as nothing blocks it.
int64_t SystemCalls::act_by_default() {
  for (uint64_t signal = 1; signal <= abi::kSignals && !stopped(); ++signal) {
    if ((deliverable(thread()) & signal_bit(signal)) == 0) continue;
    if (actions_[signal].handler == kDefaultAction && !ignores(signal)) end_by_signal(signal);
  }
  return 0;
}

int64_t SystemCalls::send_signal(uint64_t signal, const abi::SignalInfo& info, Thread* to) {
  if (signal > abi::kSignals) return -EINVAL;
  if (signal == 0) return 0;
  const bool to_process = to == nullptr;
  if (to_process) to = taker_of(signal);
  const bool blocked = to == nullptr || (to->blocked & signal_bit(signal)) != 0;
  if (!blocked && ignores(signal)) return 0;
  if (!blocked && actions_[signal].handler == kDefaultAction) return end_by_signal(signal);
  std::vector<abi::SignalInfo>& queue = to == nullptr ? pending_ : to->pending;
  const bool of_timer = info.code == abi::kFromTimer;  // each has a place of its own
  if (!of_timer && signal < kFirstRealTime && has(queue, signal)) return 0;
  size_t waiting = pending_.size();
  for (const auto& one : threads_.all()) waiting += one->pending.size();
  if (waiting >= kMostPending + (of_timer ? Timers::kMost : 0)) return -EAGAIN;
  queue.push_back(info);
  if (!blocked && to->waits()) Threads::wake(*to);
  if (!blocked) return 0;
  for (const auto& one : threads_.all()) {
    const bool wants = one->waits() && (one->wait.signals & signal_bit(signal)) != 0;
    if (!wants || (!to_process && one.get() != to)) continue;
    Threads::wake(*one);
    break;
  }
  return 0;
}

void SystemCalls::send_signal_to_itself(uint64_t signal) {
  send_signal(signal, info_of(signal, abi::kFromKill), &thread());
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

/// Enters the handlers of all signals that the current thread does not block, and settles what a
/// signal has interrupted.
void SystemCalls::deliver_signals(HartState& state) {
  Thread& one = thread();
  abi::SignalInfo info{};
  while (!stopped() && one.state == Thread::State::kReady && take_pending(~one.blocked, &info)) {
    const auto signal = static_cast<uint64_t>(info.signal);
    if (ignores(signal)) continue;
    if (actions_[signal].handler == kDefaultAction) {
      end_by_signal(signal);
      return;
    }
    const bool again =
        one.restarts == abi::kRestart && (actions_[signal].flags & abi::kRestartCall) != 0;
    if (again) {
      state.pc = one.call.pc;
      state.dise.position = 0;
    } else if (one.restarts != 0) {
      state.x[abi::kA0] = static_cast<uint64_t>(-EINTR);
    }
    one.restarts = 0;
    enter_handler(state, info);
  }
  if (stopped() || one.state != Thread::State::kReady) return;
  if (one.restarts != 0) {  // there was no handler
    const int64_t result = make_again();
    if (stopped() || one.waits()) return;
    one.wait = Wait();
    finish(state, static_cast<uint64_t>(result));
  }
  if (one.mask_after_handlers && one.restarts == 0) {
    one.blocked = *one.mask_after_handlers;
    one.mask_after_handlers.reset();
  }
}

int64_t SystemCalls::use_mask(uint64_t address, uint64_t size) {
  Thread& one = thread();
  uint64_t set = 0;
  if (address == 0 || one.again) return 0;
  if (size != kSignalSetSize) return -EINVAL;
  if (!memory_.get(set, address)) return -EFAULT;
  one.mask_after_handlers = one.blocked;
  one.blocked = set & ~kNeverBlocked;
  return act_by_default();
}

bool SystemCalls::enter_exception(HartState& state, Cause cause, uint64_t value) {
  const bool mapped = value < STROBE_USER_TOP &&
                      memory_.guest().permissions()[value >> GuestMemory::kPageBits] != 0;
  const Fault fault = fault_of(cause, mapped);
  const uint64_t handler = actions_[fault.signal].handler;
  const bool blocked = (thread().blocked & signal_bit(fault.signal)) != 0;
  if (handler == kDefaultAction || handler == kIgnore || blocked) return false;
  caller_ = &state;
  abi::SignalInfo info{};
  info.signal = static_cast<int32_t>(fault.signal);
  info.code = fault.code;
  const bool at_pc = cause == Cause::kIllegalInstruction || cause == Cause::kBreakpoint;
  info.set_address(at_pc ? state.pc : value);
  enter_handler(state, info);
  return true;
}

void SystemCalls::fail_by_exception(Cause cause, uint64_t value) {
  const bool illegal = cause == Cause::kIllegalInstruction;
  fail("thread " + std::to_string(thread().number) + ": " + cause_name(cause) + ", " +
           hexadecimal(value) +
           (illegal ? about_foreign_extension(static_cast<uint32_t>(value)) : ""),
       "expected an instruction that does not trap, or a handler of its signal; run the program on "
       "Linux to see where it fails");
}

void SystemCalls::leave_handler(HartState& state) {
  Thread& one = thread();
  one.leaves_handler = false;
  const uint64_t frame = state.x[abi::kSp];
  uint64_t mask = 0;
  abi::SignalStack stack{};
  if (!leave_signal_handler(memory_, state, &mask, &stack)) {
    fail("no frame of a signal's handler is at the stack pointer " + hexadecimal(frame),
         "expected the one that the handler was entered with; look for a handler that changes its "
         "stack pointer");
    return;
  }
  state.dise.position = 0;
  const auto is_it = [&](const InterruptedSequence& s) { return s.frame == frame; };
  const auto found = std::find_if(one.interrupted.begin(), one.interrupted.end(), is_it);
  if (found != one.interrupted.end()) {
    if (found->pc == state.pc) state.dise.position = found->position;
    one.interrupted.erase(found);
  }
  one.blocked = mask & ~kNeverBlocked;
  set_signal_stack(stack);  // one that is not valid changes nothing, as on Linux
  act_by_default();
}

void SystemCalls::enter_handler(HartState& state, const abi::SignalInfo& info) {
  Thread& one = thread();
  const auto signal = static_cast<uint64_t>(info.signal);
  SignalEntry entry;
  entry.info = info;
  entry.action = actions_[signal];
  const std::string text = "signal " + std::to_string(signal) + ": ";
  if (memory_.accessible(entry.action.handler, 2, GuestMemory::kExecute) != 2) {
    fail(text + "its handler at " + hexadecimal(entry.action.handler) +
             " is not in memory that can be executed",
         "expected a function of the program, which sigaction sets");
    return;
  }
  count_work();
  if (stopped() || !map_return_page()) return;
  entry.stack = one.signal_stack;
  entry.mask = one.mask_after_handlers.value_or(one.blocked);
  entry.next_pc = state.pc;
  entry.return_address = kReturnPage;
  const uint64_t sp = state.x[abi::kSp];
  const std::optional<uint64_t> frame = signal_frame_address(entry, sp);
  if (!frame || !enter_signal_handler(memory_, entry, *frame, state)) {
    refuse_frame(state, signal);
    return;
  }
  if (state.dise.position != 0) {
    if (one.interrupted.size() == kMostInterrupted) one.interrupted.erase(one.interrupted.begin());
    one.interrupted.push_back({*frame, state.pc, state.dise.position});
    state.dise.position = 0;
  }
  one.mask_after_handlers.reset();
  state.pc = entry.action.handler & ~uint64_t{1};  // as sepc has it
  one.blocked |= entry.action.mask;
  if ((entry.action.flags & abi::kDoNotBlock) == 0) one.blocked |= signal_bit(signal);
  one.blocked &= ~kNeverBlocked;
  if ((entry.action.flags & abi::kResetHandler) != 0) actions_[signal].handler = kDefaultAction;
}

/// There is no room for the frame of a handler: the program gets SIGSEGV, and ends if that has no
/// handler that can be entered either, as in Linux's force_sigsegv().
void SystemCalls::refuse_frame(HartState& state, uint64_t signal) {
  const Thread& one = thread();
  const uint64_t sp = state.x[abi::kSp];
  const bool blocked = (one.blocked & signal_bit(kSigSegv)) != 0;
  if (signal != kSigSegv && !blocked && actions_[kSigSegv].handler > kIgnore) {
    abi::SignalInfo info{};
    info.signal = kSigSegv;
    info.code = abi::kFromKernel;
    enter_handler(state, info);
    return;
  }
  const std::string stack = on_signal_stack(one.signal_stack, sp)
                                ? "the alternate stack of " +
                                      std::to_string(one.signal_stack.size) + " bytes at " +
                                      hexadecimal(one.signal_stack.base)
                                : "the stack";
  note_suspect("signal " + std::to_string(signal) + " at pc " + place(state.pc) + ", in thread " +
               std::to_string(one.number) + ": the frame of its handler, " +
               std::to_string(sizeof(abi::SignalFrame)) + " bytes below the stack pointer " +
               hexadecimal(sp) + ", does not fit " + stack +
               ", so SIGSEGV ended the program; look for handlers that are entered without end, or "
               "give sigaltstack more");
  end_by_signal(kSigSegv);
}

bool SystemCalls::map_return_page() {
  if (has_return_page_) return true;
  const int64_t mapped =
      space_.map(kReturnPage, GuestMemory::kPageSize, abi::kProtRead | abi::kProtExec,
                 abi::kMapFixedNoreplace | abi::kMapPrivate | abi::kMapAnonymous);
  if (mapped < 0) {
    fail("the program has mapped " + hexadecimal(kReturnPage) +
             ", where handlers of signals return to the proxy, and where harts idle",
         "expected no mapping between 0x7f700000 and the stack");
    return false;
  }
  std::memcpy(memory_.at(kReturnPage), kReturnCode, sizeof kReturnCode);
  memory_.wrote(kReturnPage, sizeof kReturnCode);
  memory_.code_changed(kReturnPage, sizeof kReturnCode);
  has_return_page_ = true;
  return true;
}

}  // namespace strobe::isa
