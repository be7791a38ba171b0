// The threads of the program and the order in which they run: round robin, in the order of their
// creation, for a quantum of instructions each. Nothing here depends on time or on the host, so
// that the same program has the same interleaving in every mode.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sc_models/isa/linux/threads/scheduler_options.h"
#include "sc_models/isa/linux/threads/thread.h"

namespace strobe::isa {

/// What a thread has executed.
struct ThreadShare {
  unsigned number = 0;
  std::string name;
  uint64_t instructions = 0;
};

class Threads {
 public:
  static constexpr unsigned kMost = 1024;        // at the same time
  static constexpr unsigned kMostShares = 4096;  // those after them have one share

  explicit Threads(const SchedulerOptions& options);

  Thread& current() { return *all_[current_]; }
  const Thread& current() const { return *all_[current_]; }
  const std::vector<std::unique_ptr<Thread>>& all() const { return all_; }
  /// The thread with this id; nullptr if there is none.
  Thread* find(uint64_t id) const;
  unsigned ready() const;  // how many could run

  /// Makes a new thread, which is ready, the last in the order. There are fewer than kMost.
  Thread& start();
  /// The next thread that is ready, after the current one, which comes last; nullptr if none is.
  Thread* next() const;
  /// From now on `thread` is the current one, and its quantum begins at `instructions`. A current
  /// thread that has ended is no more.
  void run(Thread* thread, uint64_t instructions);

  /// The U-mode instruction at which the current thread's quantum ends.
  uint64_t quantum_end() const { return quantum_end_; }
  void begin_quantum(uint64_t instructions);

  /// The current thread begins to wait.
  void wait(const Wait& wait);
  /// A wait is over.
  static void wake(Thread& thread) { thread.state = Thread::State::kReady; }

  /// U-mode instructions that each thread has executed when there are `instructions` in all, also
  /// of those that have ended, by number; and their names. The last of very many threads are one.
  std::vector<ThreadShare> shares(uint64_t instructions) const;
  uint64_t instructions_of_current(uint64_t instructions) const {
    return current().instructions + (instructions - since_);
  }
  uint64_t switches() const { return switches_; }

 private:
  const SchedulerOptions options_;
  uint64_t random_;
  std::vector<std::unique_ptr<Thread>> all_;  // those that have not ended
  std::vector<ThreadShare> ended_;
  size_t current_ = 0;
  unsigned started_ = 0;
  uint64_t since_ = 0;  // the instruction at which the current thread began to run
  uint64_t quantum_end_ = 0;
  uint64_t waits_ = 0;
  uint64_t switches_ = 0;
};

}  // namespace strobe::isa
