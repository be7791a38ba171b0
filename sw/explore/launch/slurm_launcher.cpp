#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "sw/explore/launch/launcher.h"

namespace strobe::explore {
namespace {

namespace fs = std::filesystem;

struct Said {
  std::string text;
  int status = 0;
};

/// The output of a command of Slurm, its errors included.
Said ask(const std::vector<std::string>& command) {
  const std::string text = shell_text(command) + " 2>&1";
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(
      popen(text.c_str(), "r"), [](std::FILE* file) { return file == nullptr ? 0 : pclose(file); });
  Said said;
  if (pipe == nullptr) throw std::runtime_error("cannot start " + command[0]);
  std::array<char, 4096> block{};
  for (size_t got; (got = std::fread(block.data(), 1, block.size(), pipe.get())) > 0;) {
    said.text.append(block.data(), got);
  }
  return said;
}

/// The value of "Key=value" or "Key   = value" in the output of scontrol; "" when it is not there.
std::string field(const std::string& text, const std::string& key) {
  for (size_t at = text.find(key); at != std::string::npos; at = text.find(key, at + 1)) {
    if (at > 0 && text[at - 1] != ' ' && text[at - 1] != '\n') continue;
    size_t from = text.find_first_not_of(' ', at + key.size());
    if (from == std::string::npos || text[from] != '=') continue;
    from = text.find_first_not_of(' ', from + 1);
    if (from == std::string::npos) return "";
    return text.substr(from, text.find_first_of(" \n", from) - from);
  }
  return "";
}

/// Whether a reason for which a task waits does not pass by itself, as a full queue does.
bool needs_someone(const std::string& reason) {
  const std::array<const char*, 5> marks = {"DRAIN", "DOWN", "NotAvail", "Held", "Partition"};
  return std::any_of(marks.begin(), marks.end(), [&reason](const char* mark) {
    return reason.find(mark) != std::string::npos;
  });
}

class SlurmLauncher final : public Launcher {
 public:
  SlurmLauncher(Folder folder, RunLimits limits, std::vector<std::string> options,
                std::function<void(const std::string&)> warn)
      : folder_(std::move(folder)),
        limits_(limits),
        options_(std::move(options)),
        warn_(std::move(warn)) {}

  using Launcher::run;
  void run(const NextLaunch& next, const OnEnd& on_end, const std::atomic<int>& stop) override {
    const size_t most = most_tasks();
    Open open;
    int stopped = 0;
    std::set<std::string> gone;  // the tasks that the last look at the queue did not find
    for (;;) {
      if (stop == 0) submit_ready(next, most, &open);
      if (open.empty()) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(500));
      if (stop > stopped) {
        stopped = stop;
        cancel(open, stopped == 1);
        if (stopped > 1) return;
      }
      for (auto task = open.begin(); task != open.end();) {
        task = written_end(task->second, on_end) ? open.erase(task) : std::next(task);
      }
      const std::set<std::string> queued = queue(open);
      for (auto task = open.begin(); task != open.end();) {
        // The exit code of a task that left the queue may still be on its way through the shared
        // directory.
        if (queued.count(task->first) != 0 || gone.insert(task->first).second) {
          ++task;
        } else {
          if (stopped == 0) on_end(task->second, lost_end(task->first));
          task = open.erase(task);
        }
      }
    }
  }

 private:
  using Open = std::map<std::string, Launch>;  // by task: "17_3"

  /// Submits arrays of what is ready. An array takes what comes within a second, so that the first
  /// tasks do not wait for the last ones to be prepared.
  void submit_ready(const NextLaunch& next, size_t most, Open* open) const {
    constexpr size_t kMostOpen = 4096;  // tasks in the queue, which others use too
    constexpr std::chrono::seconds kGathering{1};
    while (open->size() < kMostOpen) {
      const auto end = std::chrono::steady_clock::now() + kGathering;
      std::vector<Launch> launches;
      while (launches.size() < most && std::chrono::steady_clock::now() < end) {
        std::optional<Launch> launch = next();
        if (!launch) break;
        launches.push_back(std::move(*launch));
      }
      if (launches.empty()) return;
      const std::string array = submit(launches);
      for (size_t i = 0; i < launches.size(); ++i) {
        open->emplace(fmt::format("{}_{}", array, i), std::move(launches[i]));
      }
    }
  }

  static size_t most_tasks() {
    const Said said = ask({"scontrol", "show", "config"});
    const std::string most = field(said.text, "MaxArraySize");
    if (most.empty()) {
      throw std::runtime_error("Slurm does not answer 'scontrol show config': " +
                               said.text.substr(0, said.text.find('\n')) +
                               "; check that its controller runs, or use --launcher local");
    }
    return std::max<size_t>(1, std::stoul(most) - 1);
  }

  fs::path exit_file(const std::string& id) const { return folder_.job(id, ".exit"); }

  /// The script of a task, which runs the command and then writes the whole exit code at once. Each
  /// task has a file of its own, because a quoted name may contain the end of a line.
  std::string task_text(const Launch& launch) const {
    const std::string exit = exit_file(launch.id).string();
    const std::string out =
        launch.output.empty() ? "2>&1" : "2>" + shell_text({launch.log.string()});
    return fmt::format("{} >{} {}\necho $? >{}\n{}\n", shell_text(launch.command),
                       shell_text({(launch.output.empty() ? launch.log : launch.output).string()}),
                       out, shell_text({exit + ".tmp"}), shell_text({"mv", exit + ".tmp", exit}));
  }

  /// Submits one array. @return its job number
  std::string submit(const std::vector<Launch>& launches) const {
    std::vector<std::string> tasks;
    std::string all;
    for (const Launch& launch : launches) {
      fs::remove(exit_file(launch.id));
      all += tasks.emplace_back(task_text(launch));
    }
    const fs::path folder = folder_.root / "slurm" / hash_text(all).substr(0, 12);
    for (size_t i = 0; i < tasks.size(); ++i)
      write_whole(folder / fmt::format("{}.sh", i), tasks[i]);
    const fs::path script = folder.string() + ".sh";
    write_whole(script, fmt::format("#!/bin/sh\nexec /bin/sh {}/\"$SLURM_ARRAY_TASK_ID\".sh\n",
                                    shell_text({folder.string()})));
    std::vector<std::string> command = {"sbatch",
                                        "--parsable",
                                        "--requeue",
                                        "--job-name=strobe",
                                        "--ntasks=1",
                                        "--output=/dev/null",
                                        "--chdir=" + fs::current_path().string(),
                                        fmt::format("--array=0-{}", launches.size() - 1)};
    if (limits_.seconds != 0) {
      command.push_back(fmt::format("--time={}", (limits_.seconds + 59) / 60));
    }
    if (limits_.memory != 0) {
      command.push_back(fmt::format("--mem={}M", (limits_.memory + (1 << 20) - 1) >> 20));
    }
    command.insert(command.end(), options_.begin(), options_.end());
    command.push_back(script.string());
    const Said said = ask(command);
    const std::string number = said.text.substr(0, said.text.find_first_of(";\n"));
    if (number.empty() || number.find_first_not_of("0123456789") != std::string::npos) {
      throw std::runtime_error("sbatch refused the array: " + said.text);
    }
    return number;
  }

  /// Reports the end of a run whose task has written its exit code.
  bool written_end(const Launch& launch, const OnEnd& on_end) const {
    const fs::path file = exit_file(launch.id);
    std::error_code error;
    if (!fs::exists(file, error)) return false;
    int code = 0;
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(file.c_str(), "r"),
                                                                 &std::fclose);
    if (stream == nullptr || std::fscanf(stream.get(), "%d", &code) != 1) return false;
    // A shell exits with 128 + n for a command that signal n killed.
    on_end(launch, code > 128 ? end_of(0, code - 128, launch.log) : end_of(code, 0, launch.log));
    fs::remove(file, error);
    return true;
  }

  /// The tasks that wait or run. Slurm is asked for the numbers of the arrays, because their name
  /// may be any.
  std::set<std::string> queue(const Open& open) {
    std::set<std::string> arrays, queued;
    for (const auto& task : open) arrays.insert(task.first.substr(0, task.first.find('_')));
    if (open.empty()) return queued;
    const Said said = ask(
        {"squeue", "-h", "-r", fmt::format("--jobs={}", fmt::join(arrays, ",")), "-o", "%i %r"});
    // Slurm forgets an array some minutes after its last task.
    if (said.text.find("Invalid job id") != std::string::npos) return queued;
    // When the controller does not answer, the launcher asks again later.
    if (said.text.find("error") != std::string::npos) {
      for (const auto& task : open) queued.insert(task.first);
      return queued;
    }
    std::istringstream lines(said.text);
    for (std::string line; std::getline(lines, line);) {
      const size_t space = std::min(line.find(' '), line.size());
      queued.insert(line.substr(0, space));
      if (needs_someone(line.substr(space))) say_why_tasks_wait(line.substr(space + 1));
    }
    return queued;
  }

  /// Once for each reason.
  void say_why_tasks_wait(const std::string& reason) {
    if (!said_.insert(reason).second) return;
    std::istringstream lines(
        ask({"sinfo", "-h", "-t", "drain,down,fail", "-o", "%N is %T (%E)"}).text);
    std::string nodes;
    for (std::string line; std::getline(lines, line);) nodes += "; " + line;
    warn_(
        fmt::format("tasks wait in Slurm's queue: {}{}; the sweep goes on when they can run, and "
                    "'scontrol show job' tells more",
                    reason, nodes));
  }

  /// The end of a task that left the queue and wrote nothing.
  RunEnd lost_end(const std::string& task) const {
    const Said said = ask({"scontrol", "show", "job", "-o", task});
    const std::string state = field(said.text, "JobState");
    RunEnd end;
    end.status = state == "TIMEOUT"         ? "timeout"
                 : state == "OUT_OF_MEMORY" ? "out_of_memory"
                                            : "lost";
    end.reason = fmt::format("Slurm's job {} ended without a result: {}", task,
                             state.empty() ? "Slurm does not know it" : state);
    return end;
  }

  static void cancel(const Open& open, bool waiting_only) {
    std::vector<std::string> command = {"scancel"};
    if (waiting_only) command.emplace_back("--state=PENDING");
    for (const auto& task : open) command.push_back(task.first);
    ask(command);
  }

  Folder folder_;
  RunLimits limits_;
  std::vector<std::string> options_;
  std::function<void(const std::string&)> warn_;
  std::set<std::string> said_;  // why tasks wait
};

}  // namespace

std::unique_ptr<Launcher> slurm_launcher(const Folder& folder, RunLimits limits,
                                         std::vector<std::string> options,
                                         std::function<void(const std::string&)> warn) {
  return std::make_unique<SlurmLauncher>(folder, limits, std::move(options), std::move(warn));
}

}  // namespace strobe::explore
