#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <map>
#include <stdexcept>
#include <thread>

#include "sw/explore/launch/launcher.h"
#include "sw/explore/launch/process_tree.h"

namespace strobe::explore {
namespace {

using Clock = std::chrono::steady_clock;

/// The text with a value for each mark. Marks inside the values, which are names that a user chose,
/// stay.
std::string replaced(const std::string& text, const std::map<std::string, std::string>& values) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const auto found = std::find_if(values.begin(), values.end(), [&](const auto& value) {
      return text.compare(at, value.first.size(), value.first) == 0;
    });
    out += found == values.end() ? std::string(1, text[at]) : found->second;
    at += found == values.end() ? 1 : found->first.size();
  }
  return out;
}

class LocalLauncher final : public Launcher {
 public:
  LocalLauncher(unsigned jobs, RunLimits limits, std::string command)
      : jobs_(std::max(1u, jobs)), limits_(limits), command_(std::move(command)) {}

  using Launcher::run;
  void run(const NextLaunch& next, const OnEnd& on_end, const std::atomic<int>& stop) override {
    std::vector<Child> children;
    for (;;) {
      while (stop == 0 && children.size() < jobs_) {
        std::optional<Launch> launch = next();
        if (!launch) break;
        children.push_back(start(std::move(*launch)));
      }
      if (children.empty()) return;
      if (stop > 1) return end_all(children);
      const size_t running = children.size();
      for (size_t i = 0; i < children.size();) {
        if (!ended(children[i], on_end)) {
          ++i;
          continue;
        }
        children.erase(children.begin() + static_cast<std::ptrdiff_t>(i));
      }
      if (children.size() == running) std::this_thread::sleep_for(kLook);
    }
  }

 private:
  static constexpr std::chrono::milliseconds kLook{5};      // between two looks at the children
  static constexpr std::chrono::seconds kTimeToCleanUp{5};  // until SIGKILL follows SIGTERM

  struct Child {
    Launch launch;
    pid_t process;
    Clock::time_point begin;
    std::string killed = {};       // the status when a limit ended it
    Clock::time_point asked = {};  // when it was told to end
  };

  Child start(Launch launch) const {
    std::vector<std::string> words = launch.command;
    if (!command_.empty()) {
      words = {"/bin/sh", "-c",
               replaced(command_, {{"{command}", shell_text(launch.command)},
                                   {"{log}", shell_text({launch.log.string()})},
                                   {"{name}", launch.id}})};
    }
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child < 0)
      throw std::runtime_error(fmt::format("cannot start a run: {}", std::strerror(errno)));
    if (child == 0) become(launch, argv, parent);
    setpgid(child, child);
    return {std::move(launch), child, Clock::now()};
  }

  /// Runs in a process group of its own. The terminal's Ctrl-C does not reach it, and a time-out
  /// kills the whole group.
  [[noreturn]] void become(const Launch& launch, const std::vector<char*>& argv,
                           pid_t parent) const {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);
    for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);
    const int log = open(launch.log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    const int out = launch.output.empty()
                        ? log
                        : open(launch.output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    const int null = open("/dev/null", O_RDONLY);
    dup2(null, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    execvp(argv[0], argv.data());
    const std::string text = fmt::format("cannot start {}: {}\n", argv[0], std::strerror(errno));
    [[maybe_unused]] const ssize_t put = write(STDERR_FILENO, text.data(), text.size());
    _exit(127);
  }

  bool ended(Child& child, const OnEnd& on_end) const {
    const std::chrono::duration<double> seconds = Clock::now() - child.begin;
    int status = 0;
    rusage usage{};
    const pid_t got = wait4(child.process, &status, WNOHANG, &usage);
    if (got == 0 || (got < 0 && errno == EINTR)) {
      if (child.killed.empty()) {
        if (limits_.seconds != 0 && seconds.count() > static_cast<double>(limits_.seconds)) {
          child.killed = "timeout";
        } else if (limits_.memory != 0 && resident_bytes(child.process) > limits_.memory) {
          child.killed = "out_of_memory";
        }
        if (!child.killed.empty()) ask_to_end(child);
      } else if (Clock::now() - child.asked > kTimeToCleanUp) {
        kill(-child.process, SIGKILL);
      }
      return false;
    }
    RunEnd end = end_of(WIFEXITED(status) ? WEXITSTATUS(status) : 0,
                        WIFSIGNALED(status) ? WTERMSIG(status) : 0, child.launch.log);
    if (!child.killed.empty()) {
      end.status = child.killed;
      end.reason =
          child.killed == "timeout"
              ? fmt::format("it took longer than limits.seconds, which is {}", limits_.seconds)
              : fmt::format("it held more than limits.memory, which is {} bytes", limits_.memory);
    }
    end.seconds = seconds.count();
    end.peak_rss_bytes = static_cast<uint64_t>(usage.ru_maxrss) * 1024;
    on_end(child.launch, end);
    return true;
  }

  static void ask_to_end(Child& child) {
    child.asked = Clock::now();
    kill(-child.process, SIGTERM);
  }

  /// Gives them the time to remove what they have begun to write.
  static void end_all(std::vector<Child>& children) {
    for (Child& child : children) ask_to_end(child);
    for (const Child& child : children) {
      while (waitpid(child.process, nullptr, WNOHANG) == 0) {
        if (Clock::now() - child.asked > kTimeToCleanUp) kill(-child.process, SIGKILL);
        std::this_thread::sleep_for(kLook);
      }
    }
  }

  unsigned jobs_;
  RunLimits limits_;
  std::string command_;
};

/// The last line with an error, or the last line that is not empty.
std::string last_words(const std::filesystem::path& log) {
  const std::string mark = "error: ";
  std::ifstream stream(log);
  std::string line, last, error;
  while (std::getline(stream, line)) {
    if (line.find_first_not_of(" \t\r") != std::string::npos) last = line;
    const size_t at = line.find(mark);
    if (at != std::string::npos) error = line.substr(at + mark.size());
  }
  return (error.empty() ? last : error).substr(0, 500);
}

}  // namespace

void Launcher::run(const std::vector<Launch>& launches, const OnEnd& on_end,
                   const std::atomic<int>& stop) {
  size_t next = 0;
  run(
      [&]() -> std::optional<Launch> {
        if (next == launches.size()) return std::nullopt;
        return launches[next++];
      },
      on_end, stop);
}

std::unique_ptr<Launcher> local_launcher(unsigned jobs, RunLimits limits,
                                         const std::string& command) {
  return std::make_unique<LocalLauncher>(jobs, limits, command);
}

RunEnd end_of(int exit_code, int signal, const std::filesystem::path& log) {
  constexpr int kTimeout = 4;  // the exit code of `strobe run` for max_cycles and max_instructions
  RunEnd end;
  end.exit_code = exit_code;
  end.signal = signal;
  if (exit_code == 0 && signal == 0) return end;
  const std::string line = last_words(log);
  end.status = exit_code == kTimeout ? "timeout" : "failed";
  if (line.find("out of memory") != std::string::npos || signal == SIGKILL)
    end.status = "out_of_memory";
  if (signal != 0) {
    end.reason = fmt::format("it was killed by signal {} ({}){}", signal, strsignal(signal),
                             signal == SIGKILL ? ", as the kernel does when memory is out" : "");
  } else {
    end.reason = fmt::format("exit code {}{}{}", exit_code, line.empty() ? "" : ": ", line);
  }
  return end;
}

}  // namespace strobe::explore
