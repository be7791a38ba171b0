#include "sw/strobe/run_command.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <optional>
#include <stdexcept>

#include "sc_models/isa/elf_file.h"
#include "sc_models/platform/run.h"
#include "sc_models/port/address_map.h"
#include "sw/config/guest_files.h"
#include "sw/config/load.h"
#include "sw/strobe/exit_code.h"
#include "sw/strobe/interruption.h"
#include "sw/strobe/progress.h"
#include "sw/strobe/result/make_result.h"
#include "sw/strobe/result/manifest.h"
#include "sw/strobe/result/progress_series.h"
#include "sw/strobe/result/result_directory.h"
#include "sw/strobe/result/result_table.h"
#include "sw/strobe/run_exit_code.h"
#include "sw/strobe/version.h"

namespace strobe {
namespace {

bool has_active_profiler(const config::RunConfig& configuration) {
  for (const config::ProfilerConfig& profiler : configuration.profilers) {
    if (profiler.active) return true;
  }
  return false;
}

/// The same run without its active profiler, in a process of its own: SystemC elaborates once a
/// process. It starts before the profiled run does anything and is joined after it.
class BaselineProcess {
 public:
  explicit BaselineProcess(const config::RunConfig& configuration) {
    std::array<int, 2> ends = {};
    if (pipe(ends.data()) != 0) fail("pipe");
    child_ = fork();
    if (child_ < 0) fail("fork");
    if (child_ == 0) {
      close(ends[0]);
      prctl(PR_SET_PDEATHSIG, SIGKILL);  // it must not outlive the run it belongs to
      std::signal(SIGINT, SIG_DFL);
      const Report report = simulate(configuration);
      const bool sent = write(ends[1], &report, sizeof report) == sizeof report;
      _exit(sent ? 0 : 1);
    }
    close(ends[1]);
    read_end_ = ends[0];
  }
  ~BaselineProcess() {
    if (child_ > 0) {
      kill(child_, SIGKILL);
      waitpid(child_, nullptr, 0);
    }
    close(read_end_);
  }
  BaselineProcess(const BaselineProcess&) = delete;
  BaselineProcess& operator=(const BaselineProcess&) = delete;

  /// Waits for its end. @return its cycles; throws std::runtime_error when it did not finish.
  uint64_t cycles() {
    Report report;
    ssize_t got = 0;
    do {
      got = read(read_end_, &report, sizeof report);
    } while (got < 0 && errno == EINTR);
    waitpid(child_, nullptr, 0);
    child_ = -1;
    if (got != sizeof report) throw std::runtime_error("the baseline run died without a result");
    if (report.cycles == 0)
      throw std::runtime_error(std::string("the baseline run: ") + report.error);
    return report.cycles;
  }

 private:
  struct Report {
    uint64_t cycles = 0;  // 0: it failed
    char error[1024] = {};
  };

  static Report simulate(const config::RunConfig& configuration) {
    Report report;
    std::string error;
    try {
      platform::RunHooks hooks;
      hooks.output = [](int, const char*, size_t) {};
      const platform::RunOutcome outcome = platform::run(configuration, /*profiled=*/false, hooks);
      if (outcome.end == platform::RunEnd::kExited ||
          outcome.end == platform::RunEnd::kRegionDone) {
        report.cycles = outcome.cycles;
      }
      error = outcome.error;
    } catch (const std::exception& exception) {
      error = exception.what();
    }
    std::strncpy(report.error, error.c_str(), sizeof report.error - 1);
    return report;
  }

  [[noreturn]] static void fail(const char* what) {
    throw std::runtime_error(fmt::format("baseline run: {}: {}", what, std::strerror(errno)));
  }

  pid_t child_ = -1;
  int read_end_ = -1;
};

/// Runs the configuration, with its baseline beside it or, where the program may write files that
/// both would touch, before it.
int simulate_and_write(const RunOptions& options, const config::LoadResult& loaded) {
  const config::RunConfig& configuration = loaded.configuration;
  result::ResultDirectory directory(options.out, options.force);

  const bool wants_baseline = configuration.baseline && has_active_profiler(configuration);
  std::optional<BaselineProcess> baseline;
  std::optional<uint64_t> baseline_cycles;
  if (wants_baseline) {
    baseline.emplace(configuration);
    if (!configuration.workload.write.empty()) baseline_cycles = baseline->cycles();
  }

  Progress progress(options.quiet);
  platform::RunHooks hooks;
  hooks.progress = [&progress](uint64_t instructions, uint64_t cycles) {
    throw_if_interrupted();
    progress.update(instructions, cycles);
  };
  hooks.trace_directory = directory.workspace().string();
  const auto begin = std::chrono::steady_clock::now();
  const platform::RunOutcome outcome = platform::run(configuration, /*profiled=*/true, hooks);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  progress.done();
  if (!outcome.error.empty()) fmt::print(stderr, "strobe: error: {}\n", outcome.error);
  const int code = exit_code(outcome);
  if (wants_baseline && !baseline_cycles && code == kExitOk) baseline_cycles = baseline->cycles();

  const isa::ElfFile program = isa::ElfFile::open(configuration.workload.elf, STROBE_USER_TOP);
  result::RunFiles files;
  files.config = loaded.effective;
  result::ManifestInput manifest;
  manifest.version = project_version();
  manifest.git_id = git_id();
  manifest.tools = tool_versions();
  manifest.elf = configuration.workload.elf;
  manifest.firmware = config::guest_file("firmware.elf");
  manifest.seed = configuration.seed;
  manifest.command = options.command_line;
  files.manifest = result::make_manifest(manifest);
  files.result = result::make_result(configuration, outcome, baseline_cycles);
  files.host = result::make_host(seconds.count(), outcome.simulated_instructions);
  for (const platform::ProfilerOutcome& profiler : outcome.profilers) {
    files.profiles.push_back({profiler.name, profile::Profile(profiler.profile)});
  }
  files.symbol_of = [&program](uint64_t pc) { return program.describe(pc); };
  files.intervals = outcome.intervals;
  files.progress = result::progress_text(configuration, outcome);
  files.captured_stdout = outcome.captured_stdout;
  files.captured_stderr = outcome.captured_stderr;
  directory.write(files);
  fmt::print("{}", result::result_table(files.result));
  for (const nlohmann::json& profiler : files.result.at("profilers")) {
    if (profiler.at("conserved") == false) return code == kExitOk ? kExitCheckFailed : code;
  }
  return code;
}

}  // namespace

int run_command(const RunOptions& options) {
  const config::LoadResult loaded = config::load_run_config(options.file, options.sets);
  if (!loaded.good()) {
    fmt::print(stderr, "{}", config::to_text(loaded.diagnostics));
    return kExitUsage;
  }
  catch_interrupts();
  try {
    return simulate_and_write(options, loaded);
  } catch (const Interrupted&) {
    fmt::print(stderr, "\nstrobe: interrupted; nothing was written\n");
    return kExitInterrupted;
  } catch (const result::ResultError& error) {
    fmt::print(stderr, "strobe: error: {}\n", error.what());
    return kExitUsage;
  } catch (const std::exception& error) {
    fmt::print(stderr, "strobe: error: {}\n", error.what());
    return kExitSimulation;
  }
}

}  // namespace strobe
