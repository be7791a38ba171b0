// What a random program asks for: arguments for its system calls, and calls on threads, futexes,
// descriptors and time. call_sequences_test.cpp has those on signals and memory.
#pragma once

#include "tests/security/call_sequence.h"

namespace strobe::security {

class RandomProgramTest : public CallSequenceTest {
 protected:
  using Timespec = isa::abi::Timespec;

  // What calls get and tell lies in these places, a page each.
  static constexpr uint64_t kWords = kBuffer, kArguments = kBuffer + 0x1000,
                            kMore = kBuffer + 0x2000, kTime = kBuffer + 0x3000,
                            kLists = kBuffer + 0x4000, kData = kBuffer + 0x5000;
  static constexpr uint64_t kDescriptors = 40;
  static constexpr uint64_t kSet = 8;  // bytes of a set of signals

  // ---- arguments

  uint64_t edge() {
    static const std::vector<uint64_t> edges = edge_values();
    return edges[below(edges.size())];
  }
  uint64_t word() { return one_in(40) ? edge() : kWords + 4 * below(6); }
  uint64_t descriptor() { return one_in(60) ? edge() : below(kDescriptors); }
  uint64_t signal() {
    if (one_in(400)) return any_of<uint64_t>({0, 9, 19, 20, 65, edge()});
    return any_of<uint64_t>({1, 4, 10, 11, 12, 14, 17, 23, 27, 32 + below(33), 34, 35, 36});
  }
  uint64_t thread_id() {
    const auto& all = calls_->threads().all();
    return one_in(60) ? edge() : all[below(all.size())]->id();
  }
  uint64_t some_set() {
    return any_of<uint64_t>({0, random_(), random_() & random_(), ~uint64_t{0}, 1u << below(31)});
  }
  uint64_t own_stack_top() {
    const isa::Thread& one = calls_->threads().current();
    return one.stack_size == 0 || one_in(100) ? stack_top() : one.stack + one.stack_size;
  }
  uint64_t stack_top() { return kStacks + kStackSize * (1 + below(kStackCount)); }

  /// A time: mostly short, in a few of a hundred cases without an end or invalid.
  Timespec time() {
    constexpr int64_t kLongest = INT64_MAX;
    if (one_in(60)) return {any_of<int64_t>({kLongest, kLongest / 1'000'000'000, -1}), 0};
    if (one_in(60)) return {0, any_of<int64_t>({-1, 1'000'000'000})};
    return {one_in(20) ? 1 : 0,
            static_cast<int64_t>(below(any_of<uint64_t>({1, 50, 5000, 1u << 20})))};
  }
  /// The address of a time-out, or 0, which is none.
  uint64_t time_out() {
    put(kTime, time());
    return one_in(patience_) ? 0 : one_in(200) ? edge() : kTime;
  }
  /// A moment on the monotonic clock or near to it.
  uint64_t moment() {
    const uint64_t at = calls_->now() + below(any_of<uint64_t>({1, 100, 10'000}));
    put(kTime, isa::abi::timespec_of(at));
    return kTime;
  }
  uint64_t mask_or_none() {
    put(kMore, some_set());
    return one_in(3) ? kMore : 0;
  }

  // ---- threads

  uint64_t clone_flags() {
    constexpr uint64_t kAll = 0x3d0f00, kChildSetId = 0x1000000, kThread = 0x10000;
    if (one_in(50)) return (random_() & 0xffffffff) | (one_in(20) ? 0 : kThread);
    return kAll | (one_in(2) ? kChildSetId : 0);
  }
  bool enough_threads() const { return calls_->threads().all().size() >= goal_; }
  void clone() {
    if (enough_threads()) return yield();
    make("clone", {clone_flags(), one_in(60) ? edge() : stack_top(), word(), kStacks, word()});
  }
  void clone3() {
    if (enough_threads()) return yield();
    const uint64_t size = one_in(60) ? edge() : kStackSize;
    const std::array<uint64_t, 11> given = {
        clone_flags(), 0, word(), word(), 0, stack_top() - kStackSize, size, kStacks, 0, 0, 0};
    put(kArguments, given);
    make("clone3", {one_in(80) ? edge() : kArguments, one_in(80) ? edge() : 88 - 8 * below(4)});
  }
  void yield() { make("sched_yield"); }
  void exit_thread() {
    if (calls_->threads().all().size() == 1 && !one_in(10)) return clone();
    make("exit", {0});
  }
  void exit_program() {
    if (one_in(30)) make("exit_group", {below(256)});
  }
  void set_tid_address() { make("set_tid_address", {word()}); }
  /// A robust list of a few entries that may go round or lead nowhere.
  void robust_list() {
    constexpr uint64_t kEntry = 64;
    const uint64_t head = kLists + 512 * below(4), count = below(5);
    for (uint64_t i = 0; i < count; ++i) {
      const uint64_t next = one_in(10)   ? edge()
                            : one_in(10) ? head + kEntry
                                         : head + kEntry * (i + 2);
      put(head + kEntry * (i + 1), i + 1 == count ? head : next);
      put(head + kEntry * (i + 1) + 8, static_cast<uint32_t>(thread_id() | random_() << 31));
    }
    const uint64_t offset = one_in(10) ? edge() : 8;
    put(head, std::array<uint64_t, 3>{count == 0 ? head : head + kEntry, offset,
                                      one_in(3) ? head + kEntry * below(6) : 0});
    make("set_robust_list", {head, 24});
  }
  void get_robust_list() { make("get_robust_list", {thread_id(), kData, kData + 8}); }
  void name_thread() {
    put(kData, std::array<uint64_t, 2>{random_(), random_()});
    make("prctl", {15, kData});
  }

  // ---- futexes

  uint64_t futex_value(uint64_t address) {
    uint32_t value = 0;
    user_->get(value, address);
    return one_in(10) ? value + 1 : value;
  }
  void futex_wait() {
    const uint64_t address = word(), operation = any_of<uint64_t>({0, 128});
    make("futex", {address, operation, futex_value(address), time_out()});
  }
  void futex_wait_bitset() {
    const uint64_t address = word(), until = one_in(patience_) ? 0 : moment();
    make("futex",
         {address, any_of<uint64_t>({9, 137, 393}), futex_value(address), until, 0, some_set()});
  }
  void futex_wake() {
    make("futex", {word(), any_of<uint64_t>({1, 129, 10}), below(4), 0, 0, some_set()});
  }
  void futex_requeue() {
    const uint64_t from = word();
    make("futex",
         {from, any_of<uint64_t>({3, 4, 131, 132}), below(3), below(5), word(), futex_value(from)});
  }
  void futex_wake_operation() { make("futex", {word(), 5, below(3), below(3), word(), random_()}); }
  void futex_of_any_kind() { make("futex", {word(), below(16), edge(), edge(), word(), edge()}); }

  // ---- descriptors

  void make_file() {
    constexpr uint64_t kNonblock = 04000;
    const uint64_t flags = one_in(4) ? 0 : kNonblock;
    switch (below(6)) {
      case 0:
        return make("pipe2", {kData, flags});
      case 1:
        return make("socketpair", {1, any_of<uint64_t>({1, 2, 5}) | flags, 0, kData});
      case 2:
        return make("eventfd2", {below(3), flags | below(2)});
      case 3:
        return make("epoll_create1");
      case 4:
        return make("timerfd_create", {below(2), flags});
      default:
        return make("memfd_create", {kData, 0});
    }
  }
  uint64_t length() { return any_of<uint64_t>({1, 8, 100, 4096, 70'000, 300'000}); }
  void read() { make("read", {descriptor(), kData, length()}); }
  void write() {
    put(kData, below(4));
    make("write", {descriptor(), kData, length()});
  }
  void close() { make("close", {descriptor()}); }
  void dup() { make("dup3", {descriptor(), below(kDescriptors), 0}); }
  void message() {
    const uint64_t flags = any_of<uint64_t>({0, 0, 0x40, 0x4000, 0x100, 2});
    make(one_in(2) ? "sendto" : "recvfrom", {descriptor(), kData, length(), flags, 0, 0});
  }
  void shutdown() { make("shutdown", {descriptor(), below(3)}); }
  void copy_file() { make("sendfile", {descriptor(), descriptor(), 0, length()}); }
  void poll() {
    const uint64_t count = below(5);
    for (uint64_t i = 0; i < count; ++i) {
      put(kArguments + 8 * i, static_cast<uint64_t>(below(kDescriptors) | below(32) << 32));
    }
    make("ppoll", {kArguments, count, time_out(), mask_or_none(), kSet});
  }
  void select() {
    for (const uint64_t set : {kArguments, kArguments + 8}) put(set, uint64_t{1} << below(20));
    put(kArguments + 64, std::array<uint64_t, 2>{mask_or_none(), kSet});
    make("pselect6",
         {20, kArguments, kArguments + 8, 0, time_out(), one_in(3) ? kArguments + 64 : 0});
  }
  void epoll_control() {
    put(kArguments,
        isa::abi::EpollEvent{static_cast<uint32_t>(below(16) | random_() << 28), 0, random_()});
    make("epoll_ctl", {descriptor(), 1 + below(3), descriptor(), kArguments});
  }
  void epoll_wait() {
    const uint64_t most = one_in(patience_) ? ~uint64_t{0} : below(3);
    make("epoll_pwait", {descriptor(), kData, 1 + below(4), most, mask_or_none(), kSet});
  }
  void epoll_wait_exactly() {
    make("epoll_pwait2", {descriptor(), kData, 1 + below(4), time_out(), mask_or_none(), kSet});
  }

  // ---- time

  void sleep() { make("nanosleep", {time_out(), one_in(2) ? kData : 0}); }
  void sleep_on_clock() {
    const uint64_t absolute = below(2), until = absolute != 0 ? moment() : time_out();
    make("clock_nanosleep", {any_of<uint64_t>({0, 1, 1, 7, below(13)}), absolute, until, kData});
  }
  void put_period() {
    put(kArguments, std::array<Timespec, 2>{one_in(3) ? time() : Timespec{}, time()});
  }
  void set_interval_timer() {
    put_period();
    make("setitimer", {below(4), kArguments, one_in(2) ? kData : 0});
  }
  void make_timer() {
    const int64_t notify = any_of<int64_t>({0, 0, 4, 4, 1, 2});
    put(kArguments, std::array<uint64_t, 8>{
                        random_(), signal() | static_cast<uint64_t>(notify) << 32, thread_id()});
    make("timer_create", {below(4), one_in(5) ? 0 : kArguments, kData});
  }
  uint64_t timer() { return one_in(40) ? edge() : below(12); }
  void set_timer() {
    put_period();
    make("timer_settime", {timer(), below(2), kArguments, one_in(2) ? kData : 0});
  }
  void ask_timer() { make(one_in(2) ? "timer_gettime" : "timer_getoverrun", {timer(), kData}); }
  void delete_timer() { make("timer_delete", {timer()}); }
  void set_timer_file() {
    put_period();
    make("timerfd_settime", {descriptor(), below(2), kArguments, one_in(2) ? kData : 0});
  }

  uint64_t goal_ = 0;      // threads that live at the same time
  uint64_t patience_ = 2;  // one of so many waits has no time-out
};

}  // namespace strobe::security
