// Timers of the program: interval timers, POSIX timers and timer descriptors, on the program's
// clocks.
//
// As on Linux, a timer that repeats and has expired rests until what it did is taken up: the signal
// is taken, the descriptor is read. Then it is told how often it would have expired meanwhile.
// Therefore no timer expires without end while the program does nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>

#include "sc_models/isa/linux/abi.h"

namespace strobe::isa {

class Timers;

struct Timer {
  enum class Clock : uint8_t {
    kProgram,    // real, monotonic: it moves while the program sleeps
    kProcessor,  // it moves with the instructions of the process
  };
  static constexpr uint64_t kDisarmed = ~uint64_t{0};
  static constexpr uint64_t kLast = kDisarmed / 2;  // after 292 years no timer expires

  Timer(Timers& of, Clock on, uint64_t the_number) : clock(on), number(the_number), timers_(of) {}
  ~Timer();
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  bool armed() const { return due != kDisarmed; }
  /// Moves `due` past `now`. Returns how often the timer expires on the way.
  uint64_t forward(uint64_t now);

  const Clock clock;
  const uint64_t number;     // in the order in which they were made
  uint64_t offset = 0;       // what a reader of the clock sees beside it, in nanoseconds
  uint64_t due = kDisarmed;  // nanoseconds
  uint64_t interval = 0;     // from one expiration to the next; 0: there is only one
  bool rests = false;        // it has expired, and goes on when that is taken up
  uint64_t expirations = 0;  // a descriptor's, since it was set or read
  uint64_t missed = 0;       // expirations for which the pending signal stands, beside its first
  uint64_t overruns = 0;     // those of the last signal that was taken
  uint64_t expired = 0;      // the change of files at the last one (files/edges.h)
  uint64_t signal = 0;       // that it sends; 0: none
  bool silent = false;       // a POSIX timer that tells nothing by itself
  uint64_t thread = 0;       // id of the one that gets it; 0: the process
  abi::SignalInfo info{};    // that the signal has

 private:
  Timers& timers_;
};

/// The timers of one process, in the order in which they expire. They must not outlive it.
class Timers {
 public:
  static constexpr size_t kMost = 1024;

  /// A timer that is not armed.
  std::shared_ptr<Timer> make(Timer::Clock clock) {
    return std::make_shared<Timer>(*this, clock, made_++);
  }

  /// Arms it, or disarms it when `first` is kDisarmed; it has not expired yet.
  void set(Timer& timer, uint64_t first, uint64_t every) {
    forget(timer);
    timer.due = first > Timer::kLast ? Timer::kDisarmed : first;
    timer.interval = every;
    timer.rests = false;
    timer.expirations = timer.missed = timer.overruns = 0;
    queue(timer);
  }

  /// The time on `clock` of the next expiration; Timer::kDisarmed if none will come.
  uint64_t next(Timer::Clock clock) const {
    const auto& queue = queue_of(clock);
    return queue.empty() ? Timer::kDisarmed : queue.begin()->first.first;
  }

  /// Takes out the first that is due at `now`, until queue() has it back; nullptr: none is.
  Timer* take_due(Timer::Clock clock, uint64_t now) {
    auto& queue = queue_of(clock);
    if (queue.empty() || queue.begin()->first.first > now) return nullptr;
    Timer* const timer = queue.begin()->second;
    queue.erase(queue.begin());
    return timer;
  }
  /// The timer expires when it is due, unless it rests.
  void queue(Timer& timer) {
    if (timer.armed() && !timer.rests && !timer.silent) {
      queue_of(timer.clock).insert({{timer.due, timer.number}, &timer});
    }
  }
  /// The same when a thread goes on: until then, its expirations would change nothing.
  void queue_later(Timer& timer) {
    if (timer.armed()) resting_.insert({{timer.due, timer.number}, &timer});
  }
  /// A thread goes on.
  void go_on() {
    for (const auto& [key, timer] : std::exchange(resting_, {})) queue(*timer);
  }
  /// What a timer did at its last expiration is taken up at `now`. Returns how often it would have
  /// expired since.
  uint64_t wake(Timer& timer, uint64_t now) {
    if (!timer.rests) return 0;
    const uint64_t times = timer.forward(now);
    timer.rests = false;
    queue(timer);
    return times;
  }

  void forget(const Timer& timer) {
    queue_of(timer.clock).erase({timer.due, timer.number});
    resting_.erase({timer.due, timer.number});
  }

 private:
  using Queue = std::map<std::pair<uint64_t, uint64_t>, Timer*>;  // by `due` and `number`

  Queue& queue_of(Timer::Clock clock) { return queues_[static_cast<unsigned>(clock)]; }
  const Queue& queue_of(Timer::Clock clock) const { return queues_[static_cast<unsigned>(clock)]; }

  Queue queues_[2], resting_;
  uint64_t made_ = 0;
};

inline Timer::~Timer() { timers_.forget(*this); }

inline uint64_t Timer::forward(uint64_t now) {
  if (!armed() || due > now) return 0;
  if (interval == 0) {
    due = kDisarmed;
    return 1;
  }
  const uint64_t times = (now - due) / interval + 1;
  due += times * interval;
  if (due > kLast) due = kDisarmed;
  return times;
}

}  // namespace strobe::isa
