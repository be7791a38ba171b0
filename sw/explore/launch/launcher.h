// Launchers run commands, many at a time, and report how each ended.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sw/explore/store/record.h"

namespace strobe::explore {

struct Launch {
  std::string id;
  std::vector<std::string> command;
  std::filesystem::path log;     // the file for its messages
  std::filesystem::path output;  // the file for its standard output; empty: the log
};

/// The next command to start. Nothing: none is ready. It is asked again later; when no command
/// runs, nothing means that there are no more.
using NextLaunch = std::function<std::optional<Launch>()>;

using OnEnd = std::function<void(const Launch&, const RunEnd&)>;

class Launcher {
 public:
  virtual ~Launcher() = default;
  /// Takes commands while it can start them, and reports each end, in the order of the ends; both
  /// from this thread. When `stop` rises, it starts no more commands and waits for the running
  /// ones; at 2 it ends them. Commands that it ended or did not start have no end. Throws
  /// std::runtime_error when it cannot start anything.
  virtual void run(const NextLaunch& next, const OnEnd& on_end, const std::atomic<int>& stop) = 0;
  /// The same for commands that are known.
  void run(const std::vector<Launch>& launches, const OnEnd& on_end, const std::atomic<int>& stop);
};

/// The resources that a run may use; 0: no limit.
struct RunLimits {
  uint64_t memory = 0;   // bytes
  uint64_t seconds = 0;  // wall-clock time
};

/// Runs processes on this machine, `jobs` at a time. With a `command` ("bsub -K {command}") each
/// process is a shell that runs it: {command} stands for the run's command, {log} for the file that
/// it prints to, and {name} for its id.
std::unique_ptr<Launcher> local_launcher(unsigned jobs, RunLimits limits,
                                         const std::string& command = "");

/// Runs job arrays of Slurm, whose nodes share the folder.
/// @param options  further options for sbatch
/// @param warn  is called with one sentence for each reason for which tasks cannot start
std::unique_ptr<Launcher> slurm_launcher(const Folder& folder, RunLimits limits,
                                         std::vector<std::string> options,
                                         std::function<void(const std::string&)> warn);

/// The end of a command that exited or was killed. The reason is what the last line of its log
/// says.
RunEnd end_of(int exit_code, int signal, const std::filesystem::path& log);

}  // namespace strobe::explore
