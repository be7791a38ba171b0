// The threads of the program and the order in which they run: round robin, in the order of their
// creation, for a quantum of instructions each. With several harts, thread k runs on hart k modulo
// their number. Nothing here depends on time or on the host, so that on one hart the same program
// has the same interleaving in every mode.
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

  static constexpr unsigned kMostHarts = 2;

  explicit Threads(const SchedulerOptions& options);

  /// From now on everything is said of this hart, until the next call.
  void use_hart(unsigned hart) { hart_ = hart; }
  void set_harts(unsigned harts) { harts_ = harts; }
  unsigned harts() const { return harts_; }
  unsigned hart() const { return hart_; }
  unsigned hart_of(const Thread& thread) const { return thread.number % harts_; }

  /// Whether the hart has no thread: it idles.
  bool idles() const { return current_[hart_] == nullptr; }
  Thread& current() { return *current_[hart_]; }
  const Thread& current() const { return *current_[hart_]; }
  /// Whether a hart runs it.
  bool runs(const Thread& thread) const { return current_[hart_of(thread)] == &thread; }
  const std::vector<std::unique_ptr<Thread>>& all() const { return all_; }
  /// The thread with this id; nullptr if none lives.
  Thread* find(uint64_t id) const;
  unsigned living() const;         // how many have not ended
  unsigned ready() const;          // how many could run
  unsigned ready_on_hart() const;  // and how many of these on this hart

  /// Makes a new thread, which is ready, the last in the order. There are fewer than kMost.
  Thread& start();
  /// The next thread of the hart that is ready, after the current one, which comes last; nullptr if
  /// none is.
  Thread* next() const;
  /// From now on `thread` is the current one, and its quantum begins at `instructions`; nullptr:
  /// the hart idles. A current thread that has ended is no more.
  void run(Thread* thread, uint64_t instructions);

  /// The U-mode instruction at which the current thread's quantum ends.
  uint64_t quantum_end() const { return quantum_end_[hart_]; }
  void begin_quantum(uint64_t instructions);

  /// The current thread begins to wait.
  void wait(const Wait& wait);
  /// A wait is over.
  static void wake(Thread& thread) { thread.state = Thread::State::kReady; }

  /// U-mode instructions that each thread has executed up to its hart's last switch, also of those
  /// that have ended, by number; and their names. The last of very many threads are one.
  std::vector<ThreadShare> shares() const;
  /// The current thread runs on: what it has executed so far counts.
  void note_instructions(uint64_t instructions);
  uint64_t switches() const { return switches_; }

 private:
  size_t place_of(const Thread* thread) const;

  const SchedulerOptions options_;
  uint64_t random_;
  std::vector<std::unique_ptr<Thread>> all_;  // those that have not ended
  std::vector<ThreadShare> ended_;
  unsigned harts_ = 1, hart_ = 0;
  Thread* current_[kMostHarts] = {};
  size_t last_[kMostHarts] = {};  // the place in all_ of the last current one
  unsigned started_ = 0;
  uint64_t since_[kMostHarts] = {};  // the instruction up to which the current thread has counted
  uint64_t quantum_end_[kMostHarts] = {};
  uint64_t waits_ = 0;
  uint64_t switches_ = 0;
};

}  // namespace strobe::isa
