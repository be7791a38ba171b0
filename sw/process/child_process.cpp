#include "sw/process/child_process.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>

#include "sw/process/leftovers.h"
#include "sw/process/memory_limit.h"

namespace strobe {

void in_child(const std::string& what, const std::function<void()>& work) {
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot fork for " + what);
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);   // it must not outlive the command it belongs to
    if (getppid() != parent) _exit(1);  // which has ended before the call
    int code = 0;
    try {
      work();
    } catch (const std::bad_alloc&) {
      fmt::print(stderr, "strobe: error: {}: {}\n", what, out_of_memory());
      code = 1;
    } catch (const std::exception& error) {
      fmt::print(stderr, "strobe: error: {}: {}\n", what, error.what());
      code = 1;
    }
    std::fflush(stderr);
    _exit(code);
  }
  const EndedOnSignal ended(child);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (status != 0) throw std::runtime_error(what + " failed");
}

}  // namespace strobe
