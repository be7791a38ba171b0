// Launchers run commands, many at a time, and say how each ended.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sw/explore/record.h"

namespace strobe::explore {

struct Launch {
  std::string id;
  std::vector<std::string> command;
  std::filesystem::path log;     // what it prints
  std::filesystem::path output;  // its standard output goes here instead; empty: to the log
};

using OnEnd = std::function<void(const Launch&, const RunEnd&)>;

class Launcher {
 public:
  virtual ~Launcher() = default;
  /// Runs all and tells of each end, in the order of the ends, from this thread. When `stop` rises
  /// it starts no more and waits for those that run; at 2 it ends them: those and the ones not
  /// started have no end. Throws std::runtime_error when it cannot start anything.
  virtual void run(const std::vector<Launch>& launches, const OnEnd& on_end,
                   const std::atomic<int>& stop) = 0;
};

/// What a run may take; 0: no limit.
struct RunLimits {
  uint64_t memory = 0;   // bytes
  uint64_t seconds = 0;  // wall-clock time
};

/// Processes of this machine, `jobs` at a time. With a `command` ("bsub -K {command}") each is a
/// shell that runs it: {command} is the run's command, {log} where it prints to, {name} its id.
std::unique_ptr<Launcher> local_launcher(unsigned jobs, RunLimits limits,
                                         const std::string& command = "");

/// Job arrays of Slurm; the folder is shared by its nodes. @param options  more for sbatch
std::unique_ptr<Launcher> slurm_launcher(const Folder& folder, RunLimits limits,
                                         std::vector<std::string> options);

/// How a command ended that exited or was killed: what its log's last line says is the reason.
RunEnd end_of(int exit_code, int signal, const std::filesystem::path& log);

}  // namespace strobe::explore
