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
#include <filesystem>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sc_models/isa/elf_file.h"
#include "sc_models/isa/linux/process.h"
#include "sc_models/platform/production_set.h"
#include "sc_models/platform/program_names.h"
#include "sc_models/platform/region.h"
#include "sc_models/platform/run.h"
#include "sw/config/load.h"
#include "sw/confine/confine.h"
#include "sw/files/sha256.h"
#include "sw/strobe/confinement.h"
#include "sw/strobe/exit_code.h"
#include "sw/strobe/instrumented_run.h"
#include "sw/strobe/interruption.h"
#include "sw/strobe/memory_limit.h"
#include "sw/strobe/progress.h"
#include "sw/strobe/result/handler_report.h"
#include "sw/strobe/result/make_result.h"
#include "sw/strobe/result/manifest.h"
#include "sw/strobe/result/out_of_reach.h"
#include "sw/strobe/result/output_files.h"
#include "sw/strobe/result/progress_series.h"
#include "sw/strobe/result/result_directory.h"
#include "sw/strobe/result/result_table.h"
#include "sw/strobe/run_exit_code.h"
#include "sw/strobe/run_manifest.h"
#include "sw/strobe/standard_input.h"
#include "sw/text/json_text.h"

namespace strobe {
namespace {

/// Whether something in the run costs the program cycles: then there is a baseline.
bool costs_cycles(const config::RunConfig& configuration) {
  const bool edited = configuration.decode.given() || configuration.instrument.given();
  if (edited && configuration.mode != config::Mode::kFunctional) return true;
  for (const config::ProfilerConfig& profiler : configuration.profilers) {
    if (profiler.active) return true;
  }
  return false;
}

std::string inputs_hash(const config::RunConfig& configuration, const platform::RunInputs& inputs) {
  return files::sha256_of_text(
      text::json_text(result::make_manifest(manifest_input(configuration, inputs))));
}

/// The same run without its active profiler, in a process of its own: SystemC elaborates once a
/// process. It starts before the profiled run does anything and is joined after it.
class BaselineProcess {
 public:
  BaselineProcess(const config::RunConfig& configuration,
                  std::shared_ptr<const isa::ElfFile> program, bool confined) {
    std::array<int, 2> ends = {};
    if (pipe(ends.data()) != 0) fail("pipe");
    child_ = fork();
    if (child_ < 0) fail("fork");
    if (child_ == 0) {
      close(ends[0]);
      prctl(PR_SET_PDEATHSIG, SIGKILL);  // it must not outlive the run it belongs to
      std::signal(SIGINT, SIG_DFL);
      const auto report = simulate(configuration, std::move(program), confined);
      const bool sent =
          send(ends[1], &report.first, sizeof report.first) &&
          send(ends[1], report.second.data(), report.second.size() * sizeof(uint64_t));
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

  /// Waits for its end.
  void join() {
    if (child_ == 0) return;
    Report report;
    bool whole = receive(&report, sizeof report);
    std::vector<uint64_t> units(whole ? report.units : 0);
    whole = whole && receive(units.data(), units.size() * sizeof(uint64_t));
    waitpid(child_, nullptr, 0);
    child_ = 0;
    if (!whole || report.cycles == 0) {
      error_ = !whole ? "the baseline run died without a result"
                      : std::string("the baseline run: ") + report.error;
      return;
    }
    cycles_ = report.cycles;
    inputs_ = report.inputs;
    if (report.unit == 0) return;
    samples_.emplace();
    samples_->unit = report.unit;
    samples_->instructions = report.instructions;
    samples_->start_instructions = report.start_instructions;
    samples_->start_cycles = report.start_cycles;
    samples_->unit_cycles = std::move(units);
  }
  /// Waits for its end and throws std::runtime_error when it did not finish.
  void expect_done() {
    join();
    if (!error_.empty()) throw std::runtime_error(error_);
  }
  /// After join(): its cycles, and in mode sampled what was measured for them; none of a baseline
  /// that did not finish.
  std::optional<uint64_t> cycles() const { return cycles_; }
  const std::optional<profile::Samples>& samples() const { return samples_; }
  /// 0 after join().
  pid_t process() const { return child_; }
  /// Hash of what its manifest would say of its inputs.
  const std::string& inputs() const { return inputs_; }

 private:
  struct Report {
    uint64_t cycles = 0;  // 0: it failed
    // In mode sampled; the units' cycles follow.
    uint64_t instructions = 0, start_instructions = 0, start_cycles = 0, unit = 0, units = 0;
    char error[1024] = {};
    char inputs[65] = {};
  };

  static bool send(int to, const void* data, size_t size) {
    const char* at = static_cast<const char*>(data);
    while (size > 0) {
      const ssize_t put = write(to, at, size);
      if (put < 0 && errno == EINTR) continue;
      if (put <= 0) return false;
      at += put;
      size -= static_cast<size_t>(put);
    }
    return true;
  }
  bool receive(void* data, size_t size) const {
    char* at = static_cast<char*>(data);
    while (size > 0) {
      const ssize_t got = read(read_end_, at, size);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return false;
      at += got;
      size -= static_cast<size_t>(got);
    }
    return true;
  }

  static std::pair<Report, std::vector<uint64_t>> simulate(
      const config::RunConfig& configuration, std::shared_ptr<const isa::ElfFile> program,
      bool confined) {
    Report report;
    std::vector<uint64_t> units;
    std::string error;
    try {
      platform::RunHooks hooks;
      // The profiled run says what of it is not in force.
      if (confined) hooks.elaborated = [&] { confine::confine(sandbox_grants(configuration)); };
      hooks.program = std::move(program);
      hooks.loaded = [&](const platform::RunInputs& inputs) {
        inputs_hash(configuration, inputs).copy(report.inputs, sizeof report.inputs - 1);
      };
      const platform::RunOutcome outcome = platform::run(configuration, /*profiled=*/false, hooks);
      if (outcome.end == platform::RunEnd::kExited ||
          outcome.end == platform::RunEnd::kRegionDone) {
        report.cycles = outcome.cycles;
        if (outcome.samples) {
          units = outcome.samples->unit_cycles;
          report.instructions = outcome.samples->instructions;
          report.start_instructions = outcome.samples->start_instructions;
          report.start_cycles = outcome.samples->start_cycles;
          report.unit = outcome.samples->unit;
          report.units = units.size();
        }
      }
      error = outcome.error;
    } catch (const std::bad_alloc&) {
      error = out_of_memory();
    } catch (const std::exception& exception) {
      error = exception.what();
    }
    std::strncpy(report.error, error.c_str(), sizeof report.error - 1);
    return {report, units};
  }

  [[noreturn]] static void fail(const char* what) {
    throw std::runtime_error(fmt::format("baseline run: {}: {}", what, std::strerror(errno)));
  }

  pid_t child_ = 0;
  int read_end_ = -1;
  std::string error_;
  std::string inputs_;
  std::optional<uint64_t> cycles_;
  std::optional<profile::Samples> samples_;
};

/// What the configuration of a result (docs/results.md), which names files without their
/// directories, does not find where it stands; empty for any other run file, or when all is there.
std::string missing_of_result(const std::string& file, const config::RunConfig& configuration) {
  namespace fs = std::filesystem;
  if (!fs::exists(fs::path(file).parent_path() / "manifest.json")) return "";
  const config::WorkloadConfig& workload = configuration.workload;
  std::vector<std::pair<const char*, std::string>> paths = {{"workload.elf", workload.elf}};
  if (!workload.stdin_file.empty()) paths.emplace_back("workload.stdin", workload.stdin_file);
  for (const auto& path : workload.read) paths.emplace_back("workload.sandbox.read", path);
  for (const auto& path : workload.write) paths.emplace_back("workload.sandbox.write", path);
  for (const auto& path : configuration.decode.productions) {
    paths.emplace_back("decode.productions", path);
  }
  std::string text;
  for (const auto& [key, path] : paths) {
    if (fs::exists(path)) continue;
    text += fmt::format(
        "{}: error: {}: {} does not exist; the configuration in a result names files without their "
        "directories: copy the file to that place, or name its path with --set {}=...\n",
        file, key, config::in_quotes(path), key);
  }
  return text;
}

/// Runs the configuration, with its baseline beside it or, where the program may write files that
/// both would touch, before it.
int simulate_and_write(const RunOptions& options, const config::LoadResult& loaded) {
  const config::RunConfig& configuration = loaded.configuration;
  if (const std::string missing = missing_of_result(options.file, configuration);
      !missing.empty()) {
    fmt::print(stderr, "{}", missing);
    return kExitUsage;
  }
  limit_memory(configuration.limits.memory);
  const std::shared_ptr<const isa::ElfFile> program = isa::open_program(configuration.workload.elf);
  config::Diagnostics faults = platform::check_region(configuration.workload, *program);
  if (faults.empty()) faults = platform::check_productions(configuration);
  if (!faults.empty()) {
    fmt::print(stderr, "{}", config::to_text(faults));
    return kExitUsage;
  }
  result::check_out_of_reach(configuration.workload, "the output directory", options.out);
  result::ResultDirectory directory(options.out, options.force);

  const bool wants_baseline = configuration.baseline && costs_cycles(configuration);
  std::optional<BaselineProcess> baseline;
  if (wants_baseline) {
    baseline.emplace(configuration, program, options.confined);
    if (!configuration.workload.write.empty()) baseline->join();
  }

  std::optional<InstrumentedRun> instrumented;
  OriginalEvents original_events(bursty_options(configuration.instrument));
  if (configuration.instrument.given()) instrumented.emplace(configuration, program);

  Progress progress(options.quiet);
  result::OutputFiles output(directory.workspace());
  result::RunFiles files;
  StandardInput standard_input;
  std::string inputs_read;
  platform::RunHooks hooks;
  hooks.output = [&output](int descriptor, const char* data, size_t size) {
    output.write(descriptor, data, size);
  };
  hooks.program = program;
  hooks.loaded = [&](const platform::RunInputs& inputs) {
    const platform::RunInputs given{*program, inputs.firmware, inputs.productions,
                                    inputs.standard_input};
    result::ManifestInput manifest = manifest_input(configuration, given);
    manifest.command = options.command_line;
    if (instrumented) manifest.instrumented = inputs.program.sha256();
    files.manifest = result::make_manifest(manifest);
    inputs_read = inputs_hash(configuration, given);
    standard_input.watch(configuration.workload, inputs.standard_input,
                         manifest.standard_input.sha256);
  };
  hooks.progress = [&progress](uint64_t instructions, uint64_t cycles) {
    throw_if_interrupted();
    progress.update(instructions, cycles);
  };
  hooks.trace_directory = directory.workspace().string();
  confine::Grants grants = sandbox_grants(configuration);
  grant_result(directory, grants);
  if (baseline) grants.child = baseline->process();
  confine::Confinement confinement;
  hooks.elaborated = [&] { confinement = confine_or_warn(grants, options.confined); };
  if (instrumented) {
    this_executable();  // is read before the confinement
    grant_again(configuration, grants);
    platform::RunHooks original;
    original.elaborated = std::exchange(hooks.elaborated, nullptr);
    original.progress = hooks.progress;
    instrumented->place(run_original(configuration, program, original, &original_events));
    instrumented->add_to(&hooks);
  }
  const auto begin = std::chrono::steady_clock::now();
  platform::RunOutcome outcome = platform::run(
      instrumented ? instrumented->configuration() : configuration, /*profiled=*/true, hooks);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  progress.done();
  if (!outcome.error.empty()) fmt::print(stderr, "strobe: error: {}\n", outcome.error);
  const int code = exit_code(outcome);
  // A run that failed says why itself.
  if (baseline && code == kExitOk) baseline->expect_done();
  if (baseline && baseline->cycles() && baseline->inputs() != inputs_read) {
    throw std::runtime_error(
        "the run and its baseline cannot be compared: the firmware, the standard input or a "
        "production file changed between them; run it again, or with --set baseline=false if the "
        "program itself changes that file");
  }
  standard_input.expect_unchanged();

  files.config = loaded.portable;
  const profile::ProgramNames names = platform::names_of(*program);
  const bool whole =
      outcome.end == platform::RunEnd::kExited || outcome.end == platform::RunEnd::kRegionDone;
  if (instrumented && whole)
    outcome.handlers = original_events.outcome(instrumented->take_events());
  nlohmann::json handlers;
  if (outcome.handlers) {
    const result::HandlerReport report(*outcome.handlers, platform::functions_of(*program),
                                       instrumented ? "instrument" : "handlers");
    handlers = report.json();
    if (!options.no_profiles) files.reports = report.files(names);
  }
  files.result =
      result::make_result(configuration, outcome, baseline ? baseline->cycles() : std::nullopt,
                          baseline ? baseline->samples() : std::nullopt, handlers);
  if (instrumented && whole)
    files.result["instrument"] = instrumented->json(original_events.events());
  files.host = result::make_host(seconds.count(), outcome.simulated_instructions);
  files.host["confinement"] = confinement_json(confinement);
  for (const platform::ProfilerOutcome& profiler : outcome.profilers) {
    if (options.no_profiles) break;
    files.profiles.push_back({profiler.name, profile::Profile(*profiler.profile)});
  }
  files.symbol_of = names.symbol_of;
  files.intervals = outcome.intervals;
  files.progress = result::progress_text(configuration, outcome);
  output.close();
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
  } catch (const object::ObjectError& error) {
    fmt::print(stderr, "strobe: error: {}\n", error.what());
    return kExitUsage;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    fmt::print(stderr, "strobe: error: {}\n", error.what());
    return kExitSimulation;
  }
}

}  // namespace strobe
