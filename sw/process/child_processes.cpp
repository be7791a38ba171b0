#include "sw/process/child_processes.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <exception>
#include <map>
#include <memory>
#include <new>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "sw/process/leftovers.h"
#include "sw/process/memory_limit.h"

namespace strobe {
namespace {

struct Child {
  size_t index = 0;  // the number of its work
  int reason = -1;   // reads why it failed
  std::unique_ptr<EndedOnSignal> ended;
};

std::runtime_error failed_to(const char* what) {
  return std::runtime_error(fmt::format("cannot {}: {}; end other programs and try again", what,
                                        std::generic_category().message(errno)));
}

/// What the work says of its failure; empty: it did not fail.
std::string failure_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

[[noreturn]] void be_child(pid_t parent, int reason, const std::function<void()>& work) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);   // it must not outlive the command it belongs to
  if (getppid() != parent) _exit(1);  // which has ended before the call
  const std::string failure = failure_of(work).substr(0, PIPE_BUF);  // fits without a reader
  if (write(reason, failure.data(), failure.size()) < 0) _exit(1);
  std::fflush(nullptr);
  _exit(failure.empty() ? 0 : 1);
}

pid_t start(const std::function<void()>& work, int* reason) {
  std::array<int, 2> ends = {};
  if (pipe(ends.data()) != 0) throw failed_to("open a pipe");
  std::fflush(nullptr);  // else the child writes it again
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) {
    const std::runtime_error error = failed_to("fork");
    close(ends[0]);
    close(ends[1]);
    throw error;
  }
  if (pid == 0) {
    close(ends[0]);
    be_child(parent, ends[1], work);
  }
  close(ends[1]);
  *reason = ends[0];
  return pid;
}

/// Why an ended child failed.
std::string reason_of(int status, int reason) {
  std::array<char, PIPE_BUF> text = {};
  const ssize_t size = read(reason, text.data(), text.size());
  close(reason);
  if (size > 0) return {text.data(), static_cast<size_t>(size)};
  if (WIFSIGNALED(status)) return fmt::format("it was ended by signal {}", WTERMSIG(status));
  if (status != 0) return "it ended without a reason";
  return "";
}

}  // namespace

std::vector<std::string> in_children(const std::vector<std::function<void()>>& work,
                                     unsigned at_once, const std::function<void(size_t)>& ended) {
  std::vector<std::string> failures(work.size());
  std::map<pid_t, Child> running;
  size_t done = 0;
  for (size_t next = 0; next < work.size() || !running.empty();) {
    if (next < work.size() && running.size() < std::max(at_once, 1u)) {
      Child child;
      child.index = next;
      const pid_t pid = start(work[next++], &child.reason);
      child.ended = std::make_unique<EndedOnSignal>(pid);
      running[pid] = std::move(child);
      continue;
    }
    int status = 0;
    const pid_t pid = waitpid(-1, &status, 0);
    if (pid < 0 && errno == EINTR) continue;
    if (pid < 0) throw failed_to("wait for a child");
    const auto found = running.find(pid);
    if (found == running.end()) continue;
    failures[found->second.index] = reason_of(status, found->second.reason);
    running.erase(found);
    ended(++done);
  }
  return failures;
}

}  // namespace strobe
