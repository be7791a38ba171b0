// The frame of a signal's handler on the program's stack, as Linux lays it out on RISC-V.
#pragma once

#include <cstdint>
#include <optional>

#include "sc_models/isa/hart/hart.h"
#include "sc_models/isa/linux/abi.h"
#include "sc_models/isa/linux/user_memory.h"

namespace strobe::isa {

/// What a handler is entered with, beside the registers.
struct SignalEntry {
  abi::SignalInfo info{};
  abi::SignalAction action{};
  abi::SignalStack stack{};     // the alternate one
  uint64_t mask = 0;            // the signals that are blocked again after the handler
  uint64_t next_pc = 0;         // where the program goes on after it
  uint64_t return_address = 0;  // where the handler returns to: code that calls rt_sigreturn
};

/// Whether `sp` is on the alternate stack.
bool on_signal_stack(const abi::SignalStack& stack, uint64_t sp);

/// Where the frame of a handler will be; nothing when `sp` is on the alternate stack and the frame
/// would end below it, as in get_sigframe() of Linux's arch/riscv/kernel/signal.c.
std::optional<uint64_t> signal_frame_address(const SignalEntry& entry, uint64_t sp);

/// Writes the frame at `at` and makes the registers those of a handler that is entered, but for the
/// pc. False, and nothing is changed, if the frame's memory cannot be written.
bool enter_signal_handler(UserMemory& memory, const SignalEntry& entry, uint64_t at,
                          HartState& state);

/// Reads the frame at the stack pointer and makes the registers those in it, the pc included. False
/// if it cannot be read.
/// @param[out] mask, stack  blocked signals and alternate stack of the frame
bool leave_signal_handler(const UserMemory& memory, HartState& state, uint64_t* mask,
                          abi::SignalStack* stack);

}  // namespace strobe::isa
