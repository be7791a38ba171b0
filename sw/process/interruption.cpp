#include "sw/process/interruption.h"

#include <unistd.h>

#include <cstring>

#include "sw/process/exit_code.h"
#include "sw/process/leftovers.h"

namespace strobe {
namespace {

pid_t speaker = 0;

/// Makes only calls that a signal handler may make.
void end(int /*signal*/) {
  remove_leftovers();
  if (getpid() == speaker) {
    const char* const said = has_placed() ? "\nstrobe: interrupted; what was written is whole\n"
                                          : "\nstrobe: interrupted; nothing was written\n";
    [[maybe_unused]] const ssize_t put = write(STDERR_FILENO, said, std::strlen(said));
  }
  _exit(kExitInterrupted);
}

}  // namespace

void handle_ending_signals(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  for (const int signal : kEndingSignals) sigaddset(&action.sa_mask, signal);
  for (const int signal : kEndingSignals) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (signal == SIGHUP && before.sa_handler == SIG_IGN) continue;
    sigaction(signal, &action, nullptr);
  }
}

void end_on_signals() {
  speaker = getpid();
  handle_ending_signals(end);
}

}  // namespace strobe
