// A thread of the program: its registers while it does not run, its signals, and what it waits for.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sc_models/isa/hart/hart.h"
#include "sc_models/isa/linux/abi.h"

namespace strobe::isa {

constexpr uint64_t kForever = ~uint64_t{0};

/// What a thread has of a hart.
struct ThreadRegisters {
  std::array<uint64_t, 32> x{}, f{};
  uint64_t pc = 0;
  uint64_t position = 0;  // in a replacement sequence (DiseState::position)
  uint32_t fcsr = 0;

  void save(const HartState& state);
  void load(HartState& state) const;
};

/// Why a thread does not go on.
struct Wait {
  std::string what;           // "waits for a wake-up at 0x1000": for the sentence of a deadlock
  uint64_t until = kForever;  // nanoseconds on the program's clock
  uint64_t futex = 0;         // the address; 0: another kind of wait
  uint32_t bitset = 0;        // a wake-up of the futex needs one of these
  uint64_t signals = 0;       // those that end it, although they are blocked
  bool files = false;         // a descriptor that becomes ready ends it
  uint64_t order = 0;         // rises with each wait: the first to come is the first to be woken
  bool woken = false;         // another thread has woken it at its futex
};

/// A system call that a thread has made.
struct CallInProgress {
  uint64_t number = 0;
  std::array<uint64_t, 6> args{};
  uint64_t pc = 0;
  uint64_t done = 0;          // bytes of a write that has come so far and waits
  uint64_t until = kForever;  // the moment for which it waits, also when a signal interrupts it
};

/// Where a handler's frame interrupted a replacement sequence, whose position no frame holds.
struct InterruptedSequence {
  uint64_t frame = 0, pc = 0, position = 0;
};

struct Thread {
  enum class State : uint8_t { kReady, kWaiting, kEnded };

  uint64_t id() const { return abi::kProcessId + number; }
  bool waits() const { return state == State::kWaiting; }
  bool lives() const { return state != State::kEnded; }
  /// The name for messages and results.
  std::string printable_name() const;

  unsigned number = 0;  // in the order of creation; 0 is the first
  State state = State::kReady;
  ThreadRegisters registers;           // while it does not run
  uint64_t stack = 0, stack_size = 0;  // 0: not known
  std::string name;                    // any bytes
  uint64_t instructions = 0;           // in U-mode, up to the last time that it stopped running

  CallInProgress call;
  Wait wait;
  bool again = false;    // the call is being made again, after a wait
  int64_t restarts = 0;  // abi::kRestart or its like: a signal has interrupted the call
  bool yields = false;

  uint64_t clear_at = 0;     // CLONE_CHILD_CLEARTID: 0 is written there at the end
  uint64_t robust_list = 0;  // address of its head

  uint64_t blocked = 0;                         // bit n-1 is signal n
  std::vector<abi::SignalInfo> pending;         // in the order in which they came
  std::optional<uint64_t> mask_after_handlers;  // of rt_sigsuspend
  abi::SignalStack signal_stack{0, abi::kSignalStackDisabled, 0, 0};
  bool leaves_handler = false;  // by rt_sigreturn
  std::vector<InterruptedSequence> interrupted;
};

}  // namespace strobe::isa
