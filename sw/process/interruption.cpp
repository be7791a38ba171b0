#include "sw/process/interruption.h"

#include <csignal>

namespace strobe {
namespace {

volatile std::sig_atomic_t interrupted = 0;

}  // namespace

void catch_interrupts() {
  std::signal(SIGINT, [](int) { interrupted = 1; });
}

void throw_if_interrupted() {
  if (interrupted != 0) throw Interrupted();
}

}  // namespace strobe
