// Signals that end a command: something is said, and nothing is left half-written.
#pragma once

#include <array>
#include <csignal>

namespace strobe {

/// The signals that end a command.
inline constexpr std::array<int, 3> kEndingSignals = {SIGHUP, SIGINT, SIGTERM};

/// Has `handler` called for every ending signal. SIGHUP stays ignored where it is, as nohup wants
/// it. A system call that waits then fails with EINTR.
void handle_ending_signals(void (*handler)(int));

/// From now on an ending signal calls remove_leftovers(), says so and ends this process with
/// kExitInterrupted. A process that is forked later ends alike, without a word.
void end_on_signals();

}  // namespace strobe
