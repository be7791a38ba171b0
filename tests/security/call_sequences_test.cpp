// Random sequences of system calls by many threads, with waits, timers, signals and handlers: no
// state that they lead to breaks the simulator or the rules of call_sequence.h.
#include <numeric>

#include "tests/security/canary.h"
#include "tests/security/nightly.h"
#include "tests/security/random_program.h"

namespace strobe::security {
namespace {

using isa::abi::SignalAction;
using isa::abi::SignalFrame;
using isa::abi::SignalInfo;
using isa::abi::SignalStack;

class CallSequences : public RandomProgramTest {
 protected:
  static constexpr uint64_t kSeed = 31;
  static constexpr uint64_t kFaults = 0x458;  // SIGILL, SIGTRAP, SIGBUS, SIGSEGV as a set

  struct Action {
    uint64_t weight;
    void (CallSequences::*act)();
  };

  // ---- signals

  void kill() { make("kill", {one_in(50) ? edge() : isa::abi::kProcessId, signal()}); }
  void thread_kill() { make("tgkill", {isa::abi::kProcessId, thread_id(), signal()}); }
  void old_thread_kill() { make("tkill", {thread_id(), signal()}); }
  void put_info() {
    SignalInfo info{};
    info.code = any_of<int32_t>({-1, -1, isa::abi::kFromTimer, isa::abi::kFromTgkill, 0x80});
    info.process = static_cast<int32_t>(below(12));
    put(kArguments, info);
  }
  void queue() {
    put_info();
    make("rt_sigqueueinfo", {isa::abi::kProcessId, signal(), kArguments});
  }
  void thread_queue() {
    put_info();
    make("rt_tgsigqueueinfo", {isa::abi::kProcessId, thread_id(), signal(), kArguments});
  }
  /// What a signal does: it runs a handler of any kind, or nothing; seldom it ends the program.
  void handle(uint64_t number) {
    constexpr uint64_t kInfo = 4;
    const bool of_fault = number - 1 < isa::abi::kSignals && (kFaults >> (number - 1) & 1) != 0;
    uint64_t handler = !of_fault && one_in(8) ? 1 : kHandler;
    if (one_in(400)) handler = any_of<uint64_t>({0, edge(), kData});
    uint64_t flags =
        kInfo | isa::abi::kRestartCall * below(2) | isa::abi::kUseSignalStack * below(2);
    if (one_in(4)) flags |= isa::abi::kDoNotBlock;
    if (one_in(300)) flags |= isa::abi::kResetHandler;
    put(kArguments, SignalAction{handler, flags, one_in(3) ? some_set() : 0});
    make("rt_sigaction", {number, one_in(100) ? edge() : kArguments, 0, kSet});
  }
  void handle_one() { handle(signal()); }
  void block() {
    put(kArguments, some_set() & some_set());
    make("rt_sigprocmask", {below(3), kArguments, one_in(2) ? kData : 0, kSet});
  }
  void unblock() {
    put(kArguments, ~uint64_t{0});
    make("rt_sigprocmask", {1, kArguments, 0, kSet});
  }
  void pending() { make("rt_sigpending", {kData, kSet}); }
  void suspend() {
    put(kArguments, some_set() & some_set());
    make("rt_sigsuspend", {kArguments, kSet});
  }
  void wait_for_signal() {
    put(kArguments, some_set());
    make("rt_sigtimedwait", {kArguments, one_in(2) ? kData : 0, time_out(), kSet});
  }
  void alternate_stack() {
    const bool wrong = one_in(150);
    put(kArguments, SignalStack{wrong ? edge() : stack_top() - kStackSize, one_in(5) ? 2 : 0, 0,
                                wrong ? edge() : kStackSize});
    make("sigaltstack", {kArguments, kData});
  }
  void return_from_handler() {
    SignalFrame frame{};
    user_->get(frame, state().x[isa::abi::kSp]);
    const bool good = frame.pc >= kCode && frame.pc < kCodeEnd;
    if (state().x[isa::abi::kRa] == kReturnPage && (good || one_in(50))) state().pc = kReturnPage;
  }
  bool has_stack() const {
    constexpr uint64_t kRoom = 2048;
    const uint64_t sp = state().x[isa::abi::kSp];
    return user_->accessible(sp - kRoom, kRoom, isa::GuestMemory::kWrite) == kRoom;
  }
  /// Out of handlers, as siglongjmp does, or of whatever has gone wrong.
  void jump() {
    state().pc = kCode + 0x400;
    state().x[isa::abi::kSp] = own_stack_top();
    state().x[isa::abi::kRa] = 0;
    unblock();
  }
  void forge_frame() {
    SignalFrame frame{};
    for (uint64_t& x : frame.x) x = edge();
    frame.x[isa::abi::kSp - 1] = one_in(10) ? edge() : own_stack_top();
    frame.x[isa::abi::kRa - 1] = one_in(2) ? kReturnPage : 0;
    frame.pc = one_in(8) ? edge() : any_of<uint64_t>({kCode + 0x401, kHandler, kReturnPage});
    frame.mask = some_set();
    frame.stack = {one_in(50) ? edge() : stack_top(),
                   one_in(4) ? static_cast<int32_t>(random_()) : 0, 0,
                   one_in(50) ? edge() : kStackSize};
    frame.fcsr = static_cast<uint32_t>(random_());
    state().x[isa::abi::kSp] -= sizeof frame;
    put(state().x[isa::abi::kSp], frame);
    make("rt_sigreturn");
  }
  bool blocks_faults() const { return (calls_->threads().current().blocked & kFaults) != 0; }
  void fault() {
    using isa::Cause;
    if (blocks_faults() && !one_in(20)) return unblock();
    trap(any_of({Cause::kIllegalInstruction, Cause::kBreakpoint, Cause::kLoadFault,
                 Cause::kStoreFault, Cause::kLoadMisaligned}),
         edge());
  }

  // ---- memory, and everything else

  /// Changes memory that is in use: stacks, words, frames, the page to which handlers return.
  void change_memory() {
    const uint64_t page =
        any_of<uint64_t>({stack_top() - 4096, stack_top() - kStackSize, kLists, kReturnPage,
                          one_in(20) ? kWords : kLists, kStacks + edge() % (1u << 20)}) &
        ~uint64_t{4095};
    switch (below(5)) {
      case 0:
        return make("munmap", {page, 4096});
      case 1:
        return make("mprotect", {page, 4096, below(8)});
      case 2:
        return make("madvise", {page, 4096, 4});
      case 3:
        return make("mremap", {page, 4096, 4096 * (1 + below(3)), 1});
      default:
        return make("mmap", {page, 4096, 3, 0x32, ~uint64_t{0}, 0});
    }
  }
  void any_call() {
    std::vector<uint64_t> args;
    for (unsigned i = 0; i < 6; ++i) {
      args.push_back(any_of<uint64_t>(
          {edge(), below(20), kData, kArguments, word(), descriptor(), thread_id()}));
    }
    const uint64_t number = all_numbers_[below(all_numbers_.size())];
    const std::string name = isa::SystemCalls::name(number);
    const bool ends = name == "execve" || name == "exit_group" || name.rfind("clone", 0) == 0;
    if (!ends || one_in(100)) make(number, args);
  }

  static const std::vector<Action>& actions() {
    using C = CallSequences;
    static const std::vector<Action> all = {{60, &C::clone},
                                            {40, &C::clone3},
                                            {15, &C::exit_thread},
                                            {1, &C::exit_program},
                                            {20, &C::yield},
                                            {5, &C::set_tid_address},
                                            {15, &C::robust_list},
                                            {3, &C::get_robust_list},
                                            {4, &C::name_thread},
                                            {50, &C::futex_wait},
                                            {25, &C::futex_wait_bitset},
                                            {60, &C::futex_wake},
                                            {20, &C::futex_requeue},
                                            {15, &C::futex_wake_operation},
                                            {4, &C::futex_of_any_kind},
                                            {25, &C::make_file},
                                            {40, &C::read},
                                            {40, &C::write},
                                            {12, &C::close},
                                            {4, &C::dup},
                                            {25, &C::message},
                                            {3, &C::shutdown},
                                            {5, &C::copy_file},
                                            {25, &C::poll},
                                            {10, &C::select},
                                            {25, &C::epoll_control},
                                            {20, &C::epoll_wait},
                                            {8, &C::epoll_wait_exactly},
                                            {20, &C::sleep},
                                            {20, &C::sleep_on_clock},
                                            {10, &C::set_interval_timer},
                                            {8, &C::make_timer},
                                            {20, &C::set_timer},
                                            {6, &C::ask_timer},
                                            {3, &C::delete_timer},
                                            {15, &C::set_timer_file},
                                            {20, &C::kill},
                                            {40, &C::thread_kill},
                                            {6, &C::old_thread_kill},
                                            {12, &C::queue},
                                            {30, &C::thread_queue},
                                            {15, &C::handle_one},
                                            {40, &C::block},
                                            {25, &C::unblock},
                                            {4, &C::pending},
                                            {8, &C::suspend},
                                            {20, &C::wait_for_signal},
                                            {8, &C::alternate_stack},
                                            {200, &C::return_from_handler},
                                            {10, &C::jump},
                                            {5, &C::forge_frame},
                                            {8, &C::fault},
                                            {6, &C::change_memory},
                                            {20, &C::any_call}};
    return all;
  }

  /// The next thing that the current thread does.
  void step() {
    choose_hart();
    if (stopped() || idles()) return;
    if (!has_stack() && !one_in(20)) return jump();
    if (!can_fetch()) {
      if (blocks_faults() && !one_in(20)) return jump();
      trap(isa::Cause::kFetchFault, state().pc);
      return stopped() || one_in(4) ? void() : jump();
    }
    if (state().pc == kReturnPage) {
      state().pc += 4;  // li a7, 139
      return make("rt_sigreturn");
    }
    if (state().pc >= kCodeEnd) state().pc = kCode + 0x400;
    static const uint64_t total =
        std::accumulate(actions().begin(), actions().end(), uint64_t{0},
                        [](uint64_t sum, const Action& action) { return sum + action.weight; });
    uint64_t chosen = below(total);
    for (const Action& action : actions()) {
      if (chosen < action.weight) return (this->*action.act)();
      chosen -= action.weight;
    }
  }

  void run(uint64_t seed) {
    begin(seed);
    if (one_in(2)) add_hart();
    goal_ = one_in(100) ? 1100 : any_of<uint64_t>({3, 10, 30, 100});
    patience_ = any_of<uint64_t>({10, 50, 1000});
    for (uint64_t number = 1; number <= isa::abi::kSignals; ++number) handle(number);
    for (unsigned i = 0; i < 12; ++i) make_file();
    while (!stopped() && calls_in_run_ < kWholeRun && !HasFatalFailure()) step();
    if (!HasFatalFailure()) end();
  }
};

TEST_F(CallSequences, LeadToNoStateThatBreaksTheRules) {
  const Canary canary(top_ / "secret");
  const std::string before = canary.print();
  const uint64_t count = rounds(100'000, 10'000'000);
  for (uint64_t one = seed(kSeed); counts_.calls < count; ++one) {
    run(one);
    ASSERT_FALSE(HasFatalFailure())
        << "STROBE_SEED=" << one << " begins with this run, which failed at its call "
        << calls_in_run_;
  }
  counts_.print();
  EXPECT_GT(counts_.threads, count / 100);
  EXPECT_GT(counts_.waits, count / 20);
  EXPECT_GT(counts_.switches, count / 20);
  EXPECT_GT(counts_.handlers, count / 50);
  EXPECT_GT(counts_.returns, count / 100);
  EXPECT_EQ(canary.print(), before);
}

}  // namespace
}  // namespace strobe::security
