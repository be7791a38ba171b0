// bin/strobe: runs one command; what goes wrong outside of it is said here.
#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <system_error>
#include <systemc>

#include "sw/files/advice.h"
#include "sw/process/exit_code.h"
#include "sw/process/interruption.h"
#include "sw/process/memory_limit.h"
#include "sw/strobe/command_line.h"
#include "sw/text/terminal.h"

namespace strobe {
namespace {

/// An answer that did not arrive, for example on a full device, is an error.
int unwritten_output(int reason) {
  fmt::print(stderr, "strobe: error: cannot write to the standard output: {}; {}\n",
             std::strerror(reason), files::advice_for(reason));
  return kExitUsage;
}

/// @return the exit code of a command that ended with `code`
int after_output(int code) {
  const bool written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  return written || code != kExitOk ? code : unwritten_output(errno);
}

}  // namespace
}  // namespace strobe

/// libsystemc has a main of its own; this one keeps its banner off stdout.
int main(int argc, char** argv) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", /*overwrite=*/1);
  return sc_core::sc_elab_and_sim(argc, argv);
}

int sc_main(int argc, char** argv) {
  // A file that reaches the limit of its size is an error of that write, which says so, and no
  // reason to die.
  std::signal(SIGXFSZ, SIG_IGN);
  strobe::end_on_signals();
  try {
    strobe::text::escape_what_is_printed();
    return strobe::after_output(strobe::run_command_line(strobe::kCommands, argc, argv));
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "strobe: error: {}\n", strobe::out_of_memory());
    return strobe::kExitSimulation;
  } catch (const std::system_error& error) {
    if (std::ferror(stdout) != 0) return strobe::unwritten_output(error.code().value());
    fmt::print(stderr, "strobe: error: {}\n", error.what());
    return strobe::kExitSimulation;
  } catch (const std::exception& error) {
    fmt::print(stderr, "strobe: error: {}\n", error.what());
    return strobe::kExitSimulation;
  }
}
