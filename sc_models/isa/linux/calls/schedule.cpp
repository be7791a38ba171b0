// How threads wait, how one takes over from another, and how the clock moves when all of them wait.
#include <algorithm>
#include <numeric>
#include <string>

#include "sc_models/isa/linux/calls/system_calls.h"

namespace strobe::isa {
namespace {

constexpr unsigned kMostNamed = 8;  // threads in the sentence of a deadlock

}  // namespace

int64_t SystemCalls::wait(Wait why, int64_t interrupted) {
  why.until = thread().call.until = until(why.until);
  if (deliverable(thread()) != 0) return -interrupted;
  threads_.wait(why);
  return 0;
}

int64_t SystemCalls::get_deadline(uint64_t address, uint64_t* until) const {
  *until = kForever;
  if (address == 0) return 0;
  abi::Timespec time{};
  if (!memory_.get(time, address)) return -EFAULT;
  if (!abi::is_valid(time)) return -EINVAL;
  *until = later(abi::nanoseconds(time));
  return 0;
}

uint64_t SystemCalls::later(uint64_t nanoseconds) const {
  const uint64_t time = now();
  const bool never = nanoseconds != 0 && time + nanoseconds > Timer::kLast;
  return never ? kForever : time + nanoseconds;
}

void SystemCalls::count_work() {
  ++work_;
  if (instruction_limit_ == 0 || stopped()) return;
  const uint64_t executed = std::accumulate(executed_.begin(), executed_.end(), uint64_t{0});
  exit_.reached_limit = executed + work_ >= instruction_limit_;
}

/// The current thread, whose wait may be over, makes its call again.
int64_t SystemCalls::make_again() {
  Thread& caller = thread();
  count_work();
  if (stopped()) return 0;
  caller.state = Thread::State::kReady;
  caller.restarts = 0;
  caller.again = true;
  const int64_t result = handle();
  caller.again = false;
  return result;
}

/// Every thread waits: the clock moves to the first moment for which one does. False: to none.
bool SystemCalls::pass_time() {
  for (;;) {
    uint64_t next = timers_.next(Timer::Clock::kProgram);
    for (const auto& one : threads_.all()) {
      if (one->waits()) next = std::min(next, one->wait.until);
    }
    if (next == kForever) return false;
    slept_ += next > now() ? next - now() : 0;
    expire_timers();
    wake_sleepers();
    if (stopped() || threads_.ready() != 0) return true;
  }
}

void SystemCalls::wake_sleepers() {
  const uint64_t time = now();
  for (const auto& one : threads_.all()) {
    if (one->waits() && one->wait.until <= time) Threads::wake(*one);
  }
}

void SystemCalls::finish(HartState& state, uint64_t result) {
  Thread& caller = thread();
  if (caller.state != Thread::State::kReady || caller.leaves_handler) return;
  const int64_t code = -static_cast<int64_t>(result);
  if (code == abi::kRestart || code == abi::kRestartWithoutHandler) {
    caller.restarts = code;
    return;
  }
  state.x[abi::kA0] = result;
}

bool SystemCalls::attends() const {
  if (threads_.idles()) return threads_.next() != nullptr;
  const Thread& one = thread();
  return one.state != Thread::State::kReady || one.leaves_handler || one.restarts != 0 ||
         one.yields || one.mask_after_handlers.has_value() || deliverable(one) != 0;
}

uint64_t SystemCalls::next_attention() {
  uint64_t next = kForever;
  if (!threads_.idles() && threads_.ready_on_hart() > 1) {
    if (threads_.quantum_end() <= instructions_) threads_.begin_quantum(instructions_);
    next = threads_.quantum_end();
  }
  // An instruction of any hart is a nanosecond; where the clock is slower, it is looked at again.
  const auto at = [&](uint64_t due, uint64_t time) {
    if (due == kForever) return;
    const uint64_t left = due > time ? (due - time) / threads_.harts() : 0;
    next = std::min(next, instructions_ + std::max<uint64_t>(left, 1));
  };
  for (const auto& one : threads_.all()) {
    if (one->waits()) at(one->wait.until, now());
  }
  at(timers_.next(Timer::Clock::kProgram), now());
  at(timers_.next(Timer::Clock::kProcessor), processor_time());
  return next;
}

void SystemCalls::attend(HartState& state, uint64_t instructions) {
  set_caller(&state, instructions);
  if (!threads_.idles() && thread().leaves_handler) leave_handler(state);
  expire_timers();
  wake_sleepers();
  bool goes_on = false;
  while (!goes_on && !stopped()) {
    if (must_switch()) switch_thread(state);
    if (stopped() || threads_.idles()) return;
    deliver_signals(state);
    goes_on = thread().state == Thread::State::kReady;
  }
  timers_.go_on();
}

bool SystemCalls::must_switch() const {
  if (threads_.idles()) return true;
  const Thread& one = thread();
  const bool in_call = one.state != Thread::State::kReady || one.wait.order != 0;
  const bool over = threads_.quantum_end() <= instructions_ && threads_.ready_on_hart() > 1;
  return in_call || one.yields || over;
}

/// The current thread stops running, and the next one that is ready and does not wait again goes
/// on. Where there is none, but on another hart, this one idles.
void SystemCalls::switch_thread(HartState& state) {
  if (!threads_.idles()) {
    thread().yields = false;
    check_stacks(state);
    if (stopped()) return;
    thread().registers.save(state);
  }
  for (;;) {
    Thread* const next = threads_.next();
    if (next == nullptr && threads_.ready() != 0) return idle(state);
    if (next == nullptr) {
      if (!pass_time()) deadlock();
      if (stopped()) return;
      continue;
    }
    const bool in_call = next->wait.order != 0;
    threads_.run(next, instructions_);
    next->registers.load(state);
    state.thread = static_cast<uint16_t>(std::min<unsigned>(next->number, UINT16_MAX));
    if (!in_call) return;
    const int64_t result = make_again();
    if (stopped()) return;
    if (next->waits()) continue;
    next->wait = Wait();
    finish(state, static_cast<uint64_t>(result));
    return;
  }
}

void SystemCalls::idle(HartState& state) {
  if (!map_return_page()) return;
  threads_.run(nullptr, instructions_);
  state.pc = kIdle;
  state.dise.position = 0;
  state.thread = UINT16_MAX;
}

/// A stack pointer in another thread's stack: the current thread's has no more room.
void SystemCalls::check_stacks(const HartState& state) {
  const Thread& one = thread();
  const uint64_t sp = state.x[abi::kSp];
  // An empty stack has its pointer at the end, a full one at the start.
  if (one.stack_size == 0 || sp - one.stack <= one.stack_size) return;
  for (const auto& other : threads_.all()) {
    if (other.get() == &one || sp - other->stack - 1 >= other->stack_size) continue;
    fail("the stack of thread " + std::to_string(one.number) +
             " has overflowed into that of thread " + std::to_string(other->number) +
             ": its stack pointer is " + hexadecimal(sp),
         "expected one within its own " + std::to_string(one.stack_size) +
             " bytes; give the thread a larger stack, or look for endless recursion");
    return;
  }
}

std::string SystemCalls::what_waits(const Thread& one) const {
  const bool runs = !threads_.idles() && &one == &thread();
  const uint64_t* const x = runs ? caller_->x : one.registers.x.data();
  std::string text = "thread " + std::to_string(one.number);
  if (!one.name.empty()) text += " (" + one.printable_name() + ")";
  return text + " " + one.wait.what + " (" + call_name(one.call) + " at pc " + place(one.call.pc) +
         ", called by " + callers_(x) + ")";
}

/// No thread can go on, and none ever will.
int64_t SystemCalls::deadlock() {
  std::string text;
  unsigned named = 0;
  for (const auto& one : threads_.all()) {
    if (!one->waits()) continue;
    if (named < kMostNamed) text += (text.empty() ? "" : "; ") + what_waits(*one);
    ++named;
  }
  if (named > kMostNamed) text += "; and " + std::to_string(named - kMostNamed) + " more";
  exit_.failed = true;
  exit_.error = "deadlock: " + text +
                "; expected something that ends one of these waits; run it on Linux to see where "
                "it waits";
  return 0;
}

}  // namespace strobe::isa
