#include "tests/security/amplification.h"

#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <exception>
#include <fstream>
#include <iostream>
#include <stdexcept>

namespace strobe::security {
namespace {

constexpr rlim_t kGuard = rlim_t{4} << 30;  // bytes: the machine is shared
constexpr time_t kGuardSeconds = 60;

/// A line of /proc/self/status, in bytes.
size_t status_of(const std::string& name) {
  std::ifstream file("/proc/self/status");
  for (std::string word; file >> word;) {
    size_t kib = 0;
    if (word == name && file >> kib) return kib * 1024;
  }
  throw std::runtime_error("/proc/self/status has no " + name);
}

[[noreturn]] void parse_here(const std::function<std::string()>& parse, int to) {
  rlimit memory{kGuard, RLIM_INFINITY}, no_core{0, 0};
  setrlimit(RLIMIT_AS, &memory);
  setrlimit(RLIMIT_CORE, &no_core);
  itimerval time{};
  time.it_value.tv_sec = kGuardSeconds;
  setitimer(ITIMER_PROF, &time, nullptr);
  try {
    const size_t before = status_of("VmRSS:");
    const std::string said = parse();
    const size_t used = status_of("VmHWM:") - before;
    if (write(to, &used, sizeof used) != sizeof used) _exit(1);
    for (size_t at = 0; at < said.size();) {
      const ssize_t put = write(to, said.data() + at, said.size() - at);
      if (put <= 0) _exit(1);
      at += static_cast<size_t>(put);
    }
  } catch (const std::exception& error) {
    _exit(1);
  }
  _exit(0);
}

std::string all_from(int from) {
  std::string text;
  char part[65536];
  for (ssize_t got = 0; (got = read(from, part, sizeof part)) > 0;) {
    text.append(part, static_cast<size_t>(got));
  }
  return text;
}

}  // namespace

Cost cost_of(const std::function<std::string()>& parse) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("pipe failed");
  malloc_trim(0);  // else the child could take what this process has freed
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) parse_here(parse, ends[1]);
  close(ends[1]);
  const std::string answer = all_from(ends[0]);
  close(ends[0]);
  int status = 0;
  rusage used{};
  wait4(child, &status, 0, &used);
  Cost cost;
  cost.time = static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
              static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
  if (WIFSIGNALED(status)) {
    cost.fault = WTERMSIG(status) == SIGPROF ? "it takes more than a minute"
                                             : std::string("signal ") + strsignal(WTERMSIG(status));
  } else if (WEXITSTATUS(status) != 0 || answer.size() < sizeof cost.memory) {
    cost.fault = "an exception left the parser, or memory ran out";
  } else {
    std::memcpy(&cost.memory, answer.data(), sizeof cost.memory);
    cost.said = answer.substr(sizeof cost.memory);
  }
  return cost;
}

void expect_cheap(const std::string& input, const std::function<std::string()>& parse,
                  const std::string& sentence) {
  const Cost cost = cost_of(parse);
  EXPECT_EQ(cost.fault, "") << input;
  EXPECT_LE(cost.memory, kMostMemory) << input;
  EXPECT_LE(cost.time, kMostTime * kNoise) << input;
  EXPECT_NE(cost.said.find(sentence), std::string::npos) << input << ": " << cost.said;
  if (sentence.empty()) EXPECT_EQ(cost.said, "") << input;
  std::cout << input << ": " << cost.memory / 1'000'000 << " MB, " << cost.time << " s\n";
}

std::string repeated(const std::string& part, size_t count) {
  std::string text;
  text.reserve(part.size() * count);
  for (size_t i = 0; i < count; ++i) text += part;
  return text;
}

}  // namespace strobe::security
