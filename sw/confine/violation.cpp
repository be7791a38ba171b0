#include "sw/confine/violation.h"

#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstring>

#include "sw/confine/confine.h"

namespace strobe::confine {
namespace {

constexpr int kNumbers = 512;
constexpr size_t kLongestName = 32;
// Filled before the signal handler is installed, because the handler may neither allocate nor lock.
char names[kNumbers][kLongestName];

/// A text that a signal handler builds.
class Line {
 public:
  void add(const char* text) {
    for (; *text != '\0' && size_ < sizeof text_; ++text) text_[size_++] = *text;
  }
  void add(int number) {
    if (number < 0) add("-");
    unsigned rest = number < 0 ? 0u - static_cast<unsigned>(number) : static_cast<unsigned>(number);
    char digits[12] = {};
    size_t at = sizeof digits - 1;
    do {
      digits[--at] = static_cast<char>('0' + rest % 10);
      rest /= 10;
    } while (rest != 0);
    add(digits + at);
  }
  void write_to(int fd) const { [[maybe_unused]] const ssize_t written = write(fd, text_, size_); }

 private:
  char text_[400];
  size_t size_ = 0;
};

void end(int, siginfo_t* info, void*) {
  const int number = info->si_syscall;
  Line line;
  line.add("\nstrobe: error: the simulator tried the host's system call ");
  if (number >= 0 && number < kNumbers && names[number][0] != '\0') {
    line.add(names[number]);
  } else {
    line.add("number ");
    line.add(number);
  }
  line.add(
      ", which no run needs, and was stopped before it: either the program exploits a fault of the "
      "simulator, or the simulator itself is at fault; please report it (--no-confine runs a "
      "program you trust)\n");
  line.write_to(STDERR_FILENO);
  _exit(kExitRefusedCall);
}

}  // namespace

void end_at_refused_calls(std::string (*name_of)(int number)) {
  for (int number = 0; number < kNumbers; ++number) {
    const std::string name = name_of(number);
    std::strncpy(names[number], name.c_str(), kLongestName - 1);
  }
  struct sigaction action {};
  action.sa_sigaction = end;
  action.sa_flags = SA_SIGINFO;
  sigfillset(&action.sa_mask);
  sigaction(SIGSYS, &action, nullptr);
}

}  // namespace strobe::confine
