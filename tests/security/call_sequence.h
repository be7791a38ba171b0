// A program that does nothing but system calls, as a hart and LinuxProcess run it, and what must
// hold after each of them.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/security/hostile_calls.h"

namespace strobe::security {

/// What the runs of a test have reached.
struct SequenceCounts {
  uint64_t calls = 0, threads = 0, most_threads = 0, waits = 0, switches = 0;
  uint64_t handlers = 0, returns = 0, exceptions = 0;
  std::map<std::string, uint64_t> ends;  // by kind, numbers left out

  void print() const {
    std::printf("%llu calls, %llu threads started, at most %llu alive, %llu waits, %llu switches\n",
                number(calls), number(threads), number(most_threads), number(waits),
                number(switches));
    std::printf("%llu handlers entered, %llu left, %llu exceptions\n", number(handlers),
                number(returns), number(exceptions));
    for (const auto& [end, count] : ends) std::printf("%8llu x %s\n", number(count), end.c_str());
  }

 private:
  static unsigned long long number(uint64_t value) { return value; }
};

class CallSequenceTest : public HostileCallTest {
 protected:
  static constexpr uint64_t kCode = 0x10000, kCodeEnd = kCode + 0xf00, kHandler = kCode + 0x100;
  static constexpr uint64_t kReturnPage = isa::AddressSpace::kLowestStack;
  // Thread stacks and alternate stacks.
  static constexpr uint64_t kStacks = 0x30000000, kStackSize = 0x8000, kStackCount = 64;
  static constexpr uint64_t kWholeRun = 4000;  // calls

  CallSequenceTest() {
    for (const isa::CallAnswer& answer : isa::SystemCalls::answers()) {
      numbers_[answer.name] = answer.number;
      const bool stops = answer.kind == isa::CallAnswer::Kind::kStopsTheRun;
      if (!stops) all_numbers_.push_back(answer.number);
    }
    std::signal(SIGALRM, &tell_endless_call);
  }
  ~CallSequenceTest() override {
    alarm(0);
    std::signal(SIGALRM, SIG_DFL);
  }

  uint64_t below(uint64_t limit) { return random_() % limit; }
  bool one_in(uint64_t limit) { return below(limit) == 0; }
  template <class T>
  T any_of(std::initializer_list<T> values) {
    return values.begin()[below(values.size())];
  }
  template <class T>
  void put(uint64_t address, const T& value) {
    user_->put(address, value);  // the program may have unmapped it
  }

  /// A new process whose choices follow `seed`.
  void begin(uint64_t seed) {
    constexpr uint64_t kSeconds = 30;
    seed_ = seed;
    random_.seed(seed);
    alarm(kSeconds);
    options_.scheduler = {1 + below(100), below(3)};
    start();
    calls_->set_clock([this] { return harts_[0].instructions + harts_[1].instructions; });
    time_ = calls_in_run_ = 0;
    harts_ = {};
    count_harts_ = 1;
    for (Hart& one : harts_) one.state.mode = PrivilegeMode::kUser;
    hart_ = &harts_[0];
    state().pc = kCode + 0x400;
    state().x[isa::abi::kSp] = kScratch;
    constexpr uint64_t kRead = 1, kWrite = 2, kExecute = 4, kPrivateFixedAnonymous = 0x32;
    call("mmap", {kCode, 4096, kRead | kExecute, kPrivateFixedAnonymous, 0, 0});
    call("mmap", {kStacks, kStackSize * kStackCount, kRead | kWrite, kPrivateFixedAnonymous, 0, 0});
  }

  /// The threads take turns on two harts from now on.
  void add_hart() {
    count_harts_ = 2;
    calls_->set_harts(count_harts_);
    calls_->use_hart(1);
    calls_->set_caller(&harts_[1].state, 0);
    ASSERT_TRUE(calls_->begin_idle(harts_[1].state));
    calls_->use_hart(0);
  }

  bool stopped() const { return calls_->stopped(); }
  isa::HartState& state() { return hart_->state; }
  const isa::HartState& state() const { return hart_->state; }
  bool idles() const { return calls_->threads().idles(); }

  /// Another hart goes on, at random. It attends to what is due.
  void choose_hart() {
    hart_ = &harts_[below(count_harts_)];
    use_hart();
    if (hart_->due <= hart_->instructions) attend();
    if (!stopped() && idles()) ++hart_->instructions;
  }

  /// The ECALL at the pc, and instructions after it.
  void make(const std::string& name, std::vector<uint64_t> args = {}) {
    make(numbers_.at(name), std::move(args));
  }
  void make(uint64_t number, std::vector<uint64_t> args) {
    args.resize(6);
    std::copy(args.begin(), args.end(), state().x + isa::abi::kA0);
    state().x[isa::abi::kA7] = last_number = number;
    state().dise.position = one_in(30) ? kInSequence | below(8) : 0;
    use_hart();
    const uint64_t before = calls_->now();
    const int64_t result = call(number, std::move(args));
    ++counts_.calls;
    ++calls_in_run_;
    const std::string name = isa::SystemCalls::name(number);
    ASSERT_NO_FATAL_FAILURE(check_call(result, name));
    if (calls_->stopped()) return;
    count(name, result, calls_->now() != before);
    calls_->finish(state(), static_cast<uint64_t>(result));
    state().pc += isa::abi::kEcallBytes;
    ++hart_->instructions;
    const bool attends = calls_->attends();
    ASSERT_TRUE(attends || is_ready(calls_->threads().current())) << name;
    hart_->due = attends ? 0 : calls_->next_attention();
    if (!attends) execute();
    tell_other();
  }

  /// The instruction at the pc has trapped. Without a handler the run ends.
  void trap(isa::Cause cause, uint64_t value) {
    ++counts_.exceptions;
    use_hart();
    faulted_ = !calls_->enter_exception(state(), cause, value);
    ++hart_->instructions;
    count_handlers();
    if (faulted_) calls_->fail_by_exception(cause, value);
    tell_other();
  }

  /// Whether the hart can fetch at the pc.
  bool can_fetch() const {
    return user_->accessible(hart_->state.pc, 4, isa::GuestMemory::kExecute) == 4;
  }

  /// Counts the run and checks what it leaves.
  void end() {
    ASSERT_NO_FATAL_FAILURE(check_memory("at the end"));
    const isa::ProcessExit& exit = calls_->exit();
    counts_.switches += calls_->threads().switches();
    std::string kind = "went on";
    if (exit.exited) kind = exit.code > 128 ? "signal without a handler" : "exit";
    if (exit.failed) {
      ASSERT_FALSE(exit.exited);
      ASSERT_FALSE(exit.error.empty());
      ASSERT_EQ(exit.error.find(": ;"), std::string::npos) << exit.error;
      const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' '; };
      ASSERT_TRUE(std::none_of(exit.error.begin(), exit.error.end(), is_control)) << exit.error;
      kind = faulted_ ? "exception without a handler" : kind_of(exit.error);
    }
    ++counts_.ends[kind];
    faulted_ = false;
  }

  std::mt19937_64 random_;
  std::map<std::string, uint64_t> numbers_;
  std::vector<uint64_t> all_numbers_;  // of calls that do not always stop the run
  SequenceCounts counts_;
  uint64_t calls_in_run_ = 0;

 private:
  struct Hart {
    isa::HartState state;
    uint64_t instructions = 0;
    uint64_t due = isa::kForever;  // the instruction before which it attends
  };
  static constexpr uint64_t kInSequence = uint64_t{1} << 63;

  static bool is_ready(const isa::Thread& one) { return one.state == isa::Thread::State::kReady; }

  [[noreturn]] static void tell_endless_call(int) {
    std::fprintf(stderr, "system call %llu does not end: STROBE_SEED=%llu\n", last_number, seed_);
    std::abort();
  }

  /// What a message says after its call and place, up to the first number.
  static std::string kind_of(const std::string& error) {
    const size_t place = error.find(": ");
    if (error.rfind("deadlock", 0) == 0) return "deadlock";
    std::string kind = error.substr(place + 2);
    if (kind.rfind("signal ", 0) == 0) kind.erase(0, kind.find(' ', 7) + 1);
    return kind.substr(0, std::min<size_t>(kind.find_first_of("0123456789"), 50));
  }

  void count(const std::string& name, int64_t result, bool slept) {
    const isa::Threads& threads = calls_->threads();
    counts_.waits += slept || threads.current().waits() ? 1 : 0;
    counts_.threads += name.rfind("clone", 0) == 0 && result > 0 ? 1 : 0;
    counts_.most_threads = std::max<uint64_t>(counts_.most_threads, threads.all().size());
    counts_.returns += threads.current().leaves_handler ? 1 : 0;
  }

  /// Counts the frames that have been written.
  void count_handlers() {
    for (const auto& [address, size] : user_->written()) {
      counts_.handlers += size == sizeof(isa::abi::SignalFrame) ? 1 : 0;
    }
  }

  /// What is called next is about this hart.
  void use_hart() {
    calls_->use_hart(static_cast<unsigned>(hart_ - harts_.data()));
    calls_->set_caller(&hart_->state, hart_->instructions);
    user_->forget_written();
  }

  /// The other hart sees that it has a thread now, or that its thread has a signal.
  void tell_other() {
    if (count_harts_ == 1 || stopped()) return;
    Hart& other = harts_[hart_ == harts_.data() ? 1 : 0];
    calls_->use_hart(static_cast<unsigned>(&other - harts_.data()));
    if (calls_->attends()) other.due = 0;
    calls_->use_hart(static_cast<unsigned>(hart_ - harts_.data()));
  }

  /// Executes instructions that are no calls: none, a few, or all up to the next attention.
  void execute() {
    constexpr uint64_t kMost = 1'000'000'000'000;
    uint64_t& executed = hart_->instructions;
    executed += one_in(4) ? below(20) : 0;
    if (one_in(50) && hart_->due > executed && hart_->due - executed < kMost) executed = hart_->due;
  }

  void attend() {
    calls_->attend(state(), hart_->instructions);
    count_handlers();
    if (calls_->stopped()) return;
    hart_->due = calls_->next_attention();
    ASSERT_GT(hart_->due, hart_->instructions) << "no instruction would be executed";
    check_state();
    tell_other();
  }

  void check_state() {
    const isa::Threads& threads = calls_->threads();
    SCOPED_TRACE("after system call " + std::to_string(last_number));
    ASSERT_EQ(state().x[0], 0u);
    ASSERT_EQ(state().mode, PrivilegeMode::kUser);
    ASSERT_EQ(state().pc % 2, 0u);
    if (!threads.idles()) {
      ASSERT_TRUE(is_ready(threads.current()));
      ASSERT_EQ(state().thread, threads.current().number);
      const auto a0 = static_cast<int64_t>(state().x[isa::abi::kA0]);
      ASSERT_NE(a0, -isa::abi::kRestart);
      ASSERT_NE(a0, -isa::abi::kRestartWithoutHandler);
    }
    ASSERT_LE(threads.all().size(), isa::Threads::kMost);
    size_t pending = 0;
    for (const auto& one : threads.all()) {
      const bool ended = one->state == isa::Thread::State::kEnded;
      const bool on_other = threads.runs(*one) && threads.hart_of(*one) != threads.hart();
      ASSERT_TRUE(!ended || on_other) << "thread " << one->number << " stays";
      ASSERT_TRUE(!one->waits() || one->wait.until > calls_->now()) << "thread " << one->number;
      pending += one->pending.size();
    }
    ASSERT_LE(pending, 1024u);
    ASSERT_GE(calls_->now(), time_) << "the clock went back";
    time_ = calls_->now();
  }

  static inline unsigned long long seed_ = 0, last_number = 0;
  std::array<Hart, 2> harts_{};
  Hart* hart_ = harts_.data();
  unsigned count_harts_ = 1;
  uint64_t time_ = 0;
  bool faulted_ = false;
};

}  // namespace strobe::security
