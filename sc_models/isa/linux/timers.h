// Timers of the program: interval timers, POSIX timers and timer descriptors, on the program's
// clock. Only those that are armed are looked at.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sc_models/isa/linux/abi.h"

namespace strobe::isa {

struct Timer {
  enum class Clock : uint8_t {
    kProgram,    // real, monotonic: it moves while the program sleeps
    kProcessor,  // it moves with the instructions of the process
  };
  static constexpr uint64_t kDisarmed = ~uint64_t{0};
  static constexpr uint64_t kLast = kDisarmed / 2;  // after 292 years no timer expires

  bool armed() const { return due != kDisarmed; }
  /// Arms it, or disarms it when `first` is kDisarmed.
  void set(uint64_t first, uint64_t every) {
    due = first > kLast ? kDisarmed : first;
    interval = every;
    expirations = missed = overruns = 0;
  }

  Clock clock = Clock::kProgram;
  uint64_t offset = 0;       // what a reader of the clock sees beside it, in nanoseconds
  uint64_t due = kDisarmed;  // nanoseconds
  uint64_t interval = 0;     // from one expiration to the next; 0: there is only one
  uint64_t expirations = 0;  // since it was set or read
  uint64_t missed = 0;       // expirations while its signal is pending
  uint64_t overruns = 0;     // those of the last signal that was taken
  uint64_t expired = 0;      // the change of files at the last one (files/edges.h)
  uint64_t signal = 0;       // that it sends; 0: none
  uint64_t thread = 0;       // id of the one that gets it; 0: the process
  uint64_t idle = 0;         // times it has expired since a thread last went on
  abi::SignalInfo info{};    // that the signal has
};

/// The timers of one process.
class Timers {
 public:
  static constexpr size_t kMost = 1024;
  /// A timer that has expired so often while every thread waits will end no wait.
  static constexpr uint64_t kMostIdle = 1000;

  /// A timer that is not armed. It takes part for as long as something else holds it.
  std::shared_ptr<Timer> make() {
    const auto timer = std::make_shared<Timer>();
    all_.push_back(timer);
    return timer;
  }

  /// The time on `clock` of the next expiration; Timer::kDisarmed if none will come.
  uint64_t next(Timer::Clock clock) {
    uint64_t least = Timer::kDisarmed;
    each([&](Timer& timer) {
      if (timer.clock == clock && timer.due < least) least = timer.due;
    });
    return least;
  }

  /// The same on the program's clock, of those that may end a wait.
  uint64_t next_of_use() {
    uint64_t least = Timer::kDisarmed;
    each([&](Timer& timer) {
      const bool counts = timer.clock == Timer::Clock::kProgram && timer.idle < kMostIdle;
      if (counts && timer.due < least) least = timer.due;
    });
    return least;
  }
  /// A thread has gone on.
  void forget_idle() {
    each([](Timer& timer) { timer.idle = 0; });
  }

  /// Calls fire(timer, times) for each that is due at `now` of its clock, in the order in which
  /// they were made, after noting that it has expired so often.
  template <class Fire>
  void expire(Timer::Clock clock, uint64_t now, const Fire& fire) {
    each([&](Timer& timer) {
      if (timer.clock != clock || timer.due > now) return;
      uint64_t times = 1;
      if (timer.interval == 0) {
        timer.due = Timer::kDisarmed;
      } else {
        times += (now - timer.due) / timer.interval;
        timer.due += times * timer.interval;
        if (timer.due > Timer::kLast) timer.due = Timer::kDisarmed;
      }
      timer.expirations += times;
      ++timer.idle;
      fire(timer, times);
    });
  }

 private:
  template <class Do>
  void each(const Do& act) {
    size_t kept = 0;
    for (size_t i = 0; i < all_.size(); ++i) {
      const std::shared_ptr<Timer> timer = all_[i].lock();
      if (timer == nullptr) continue;
      all_[kept++] = all_[i];
      act(*timer);
    }
    all_.resize(kept);
  }

  std::vector<std::weak_ptr<Timer>> all_;
};

}  // namespace strobe::isa
