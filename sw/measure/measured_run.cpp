#include "sw/measure/measured_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "sc_models/machine/guest/observer_image.h"
#include "sc_models/machine/guest/program_names.h"
#include "sc_models/machine/guest/region.h"
#include "sc_models/machine/profiler/active_profiler.h"
#include "sc_models/machine/profiler/production_set.h"
#include "sc_models/profiling/verilated/source_hash.h"
#include "sc_models/run/run.h"
#include "sw/measure/confinement.h"
#include "sw/measure/exact_instead.h"
#include "sw/measure/run_exit_code.h"
#include "sw/measure/run_manifest.h"
#include "sw/process/exit_code.h"
#include "sw/profile/reports/export.h"
#include "sw/result/handler_report.h"
#include "sw/result/make_result.h"
#include "sw/result/manifest.h"
#include "sw/result/out_of_reach.h"
#include "sw/result/progress_series.h"
#include "sw/result/shim_report.h"
#include "sw/result/truth_report.h"

namespace strobe {

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
  std::string sentences;
  for (const auto& [key, path] : paths) {
    if (fs::exists(path)) continue;
    sentences += fmt::format(
        "{}: error: {}: {} does not exist; the configuration in a result names files without their "
        "directories: copy the file to that place, or name its path with --set {}=...\n",
        file, key, text::in_quotes(path), key);
  }
  return sentences;
}

std::string faults_of_inputs(const config::RunConfig& configuration, const isa::ElfFile& program) {
  text::Diagnostics faults = platform::check_region(configuration.workload, program);
  if (faults.empty()) faults = platform::check_productions(configuration);
  // An edited program may have signals that the original lacks.
  if (faults.empty() && !configuration.instrument.given()) {
    faults = platform::check_signals(configuration.shim, program);
  }
  return text::to_text(faults);
}

MeasuredRun::MeasuredRun(const RunOptions& options, const config::LoadResult& loaded,
                         std::shared_ptr<const isa::ElfFile> program)
    : options_(options),
      configuration_(loaded.configuration),
      program_(std::move(program)),
      directory_(options.out, options.force),
      progress_(options.quiet),
      output_(directory_.workspace()) {
  files_.config = loaded.portable;
}

bool MeasuredRun::whole() const {
  return outcome_.end == platform::RunEnd::kExited || outcome_.end == platform::RunEnd::kRegionDone;
}

/// A region that is too short to be sampled is simulated whole from the beginning.
void MeasuredRun::choose_mode() {
  exact_because_ = why_exact_instead(configuration_, program_, options_.confined);
  if (exact_because_.empty()) return;
  fmt::print(stderr, "strobe: remark: {}\n", exact_because_);
  configuration_.mode = config::Mode::kTiming;
}

void MeasuredRun::start_baseline() {
  if (!configuration_.baseline || !config::costs_cycles(configuration_)) return;
  baseline_.emplace(configuration_, program_, options_.confined, options_.baseline);
  if (!configuration_.workload.write.empty()) baseline_->join();
}

/// The bytes of the inputs are the run's from here on: what the manifest says of them.
void MeasuredRun::take_inputs(const platform::RunInputs& inputs) {
  const platform::RunInputs given{*program_, inputs.firmware, inputs.productions,
                                  inputs.standard_input};
  result::ManifestInput manifest = manifest_input(configuration_, given);
  manifest.command = options_.command_line;
  if (instrumented_) manifest.instrumented = inputs.program.sha256();
  manifest.link = link_;
  manifest.rtl = rtl_;
  files_.manifest = result::make_manifest(manifest);
  inputs_ = inputs_hash(configuration_, given);
  standard_input_.watch(configuration_.workload, inputs.standard_input,
                        manifest.standard_input.sha256);
}

/// An object that was loaded since run() began is of the sources as they were then
/// (profiling::find_or_build), unless they have changed meanwhile.
void MeasuredRun::expect_same_rtl() const {
  if (rtl_.empty() || rtl_ == profiling::hash_of_sources()) return;
  throw std::runtime_error("the RTL sources changed while they were loaded: run it again");
}

platform::RunHooks MeasuredRun::hooks() {
  platform::RunHooks hooks;
  hooks.output = [this](int descriptor, const char* data, size_t size) {
    output_.write(descriptor, data, size);
  };
  hooks.program = program_;
  hooks.loaded = [this](const platform::RunInputs& inputs) { take_inputs(inputs); };
  hooks.progress = [this](uint64_t instructions, uint64_t cycles) {
    progress_.update(instructions, cycles);
  };
  hooks.trace_directory = directory_.workspace().string();
  return hooks;
}

/// Executes the original of an edited program first, for its events and its region; the process
/// is confined before that.
void MeasuredRun::run_original_first(platform::RunHooks& hooks, confine::Grants grants) {
  this_executable();  // is read before the confinement
  grant_again(configuration_, grants);
  platform::RunHooks original;
  original.elaborated = [&] { confinement_ = confine_or_warn(grants, options_.confined); };
  original.progress = hooks.progress;
  progress_.begin("original program");
  instrumented_->place(run_original(configuration_, program_, original, &*original_events_));
  instrumented_->add_to(&hooks);
  begin_profiled_run();
}

/// How many instructions it has is known where the region says so and begins at a count.
void MeasuredRun::begin_profiled_run() {
  const config::WorkloadConfig& workload = configuration_.workload;
  const bool counted = workload.roi_run != 0 && !workload.roi_begin.given();
  progress_.begin("profiled run",
                  counted ? workload.roi_skip + workload.roi_warm + workload.roi_run : 0);
}

const platform::RunOutcome& MeasuredRun::run() {
  choose_mode();
  start_baseline();
  if (platform::simulates_rtl(configuration_)) rtl_ = profiling::hash_of_sources();
  platform::RunHooks hooks = this->hooks();
  confine::Grants grants = sandbox_grants(configuration_);
  grant_result(directory_, grants);
  if (baseline_) grants.child = baseline_->process();
  if (configuration_.instrument.given()) {
    const config::WorkloadConfig& workload = configuration_.workload;
    const auto record = instrument::linked_program(workload.elf, workload.objects).record;
    link_ = {record.file.string(), record.sha256};
    instrumented_ = make_instrumented_run(configuration_, program_);
    original_events_.emplace(instrumented_->events());
    run_original_first(hooks, grants);
  } else {
    if (!rtl_.empty()) progress_.begin("loading the RTL");
    hooks.elaborated = [&] {
      expect_same_rtl();
      begin_profiled_run();
      confinement_ = confine_or_warn(grants, options_.confined);
    };
  }
  const auto begin = std::chrono::steady_clock::now();
  outcome_ = platform::run(instrumented_ ? instrumented_->configuration() : configuration_,
                           /*profiled=*/true, hooks);
  seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  progress_.done();
  if (!outcome_.error.empty()) fmt::print(stderr, "strobe: error: {}\n", outcome_.error);
  if (baseline_ && exit_code(outcome_) == kExitOk) {
    progress_.begin("waiting for the baseline");
    baseline_->join();
    progress_.done();
  }
  expect_comparable();
  return outcome_;
}

/// Throws std::runtime_error when the run and its baseline did not run the same bytes, or when the
/// standard input changed.
void MeasuredRun::expect_comparable() {
  // A run that failed says why itself.
  if (baseline_ && exit_code(outcome_) == kExitOk) baseline_->expect_done();
  if (baseline_ && baseline_->result() && baseline_->inputs() != inputs_) {
    throw std::runtime_error(
        "the run and its baseline cannot be compared: the firmware, the standard input or a "
        "production file changed between them; run it again, or with --set baseline=false if the "
        "program itself changes that file");
  }
  standard_input_.expect_unchanged();
}

void MeasuredRun::write_instrument(const profile::ProgramNames& names) {
  nlohmann::json& out = files_.result["instrument"];
  out = instrumented_->json(original_events_->events());
  if (outcome_.epochs) {
    out["epochs"] = outcome_.epochs->ended;
    out["hooked"] = outcome_.epochs->hooked;
    out["longest_handler"] = outcome_.epochs->longest_handler;
  }
  if (options_.no_profiles) return;
  for (result::NamedText& file : instrumented_->files(names)) {
    files_.reports.push_back(std::move(file));
  }
}

void MeasuredRun::write_shim() {
  const result::ShimReport report(configuration_, *outcome_.shim, outcome_.cycles);
  files_.result["shim"] = report.json();
  if (report.too_short()) {
    fmt::print(stderr, "strobe: warning: {}\n", report.too_short_text());
  }
  if (options_.no_profiles) return;
  for (result::NamedText& file : report.files()) files_.reports.push_back(std::move(file));
}

/// In the addresses of the program that was executed.
void MeasuredRun::write_truth() {
  const isa::ElfFile& executed = instrumented_ ? *instrumented_->edited() : *program_;
  const profile::ProgramNames names = platform::names_of(executed);
  const result::TruthReport report(*outcome_.truth, platform::functions_of(executed), names);
  files_.result["truth"] = report.json();
  if (outcome_.sampled) files_.result["timer"].update(report.errors_of(*outcome_.sampled));
  if (!options_.no_profiles) files_.reports.push_back(report.csv());
}

/// In the addresses of the program that was executed.
void MeasuredRun::write_timer() {
  const profile::ProgramNames names =
      platform::names_of(instrumented_ ? *instrumented_->edited() : *program_);
  std::ostringstream text;
  profile::write_csv(*outcome_.sampled, text, names.symbol_of);
  files_.reports.emplace_back("timer.csv", text.str());
}

nlohmann::json MeasuredRun::write() {
  const profile::ProgramNames names = platform::names_of(*program_);
  const bool edited = instrumented_ != nullptr && whole();
  if (edited) outcome_.handlers = instrumented_->outcome(*original_events_);
  nlohmann::json handlers;
  if (outcome_.handlers) {
    const result::HandlerReport report(*outcome_.handlers, platform::functions_of(*program_),
                                       instrumented_ ? "instrument" : "handlers");
    handlers = report.json();
    if (!options_.no_profiles) {
      files_.reports = report.files(names, configuration_.exhaustive_profiles);
    }
  }
  files_.result = result::make_result(configuration_, outcome_,
                                      baseline_ ? baseline_->result() : std::nullopt, handlers);
  if (!exact_because_.empty()) files_.result["exact_because"] = exact_because_;
  if (edited) write_instrument(names);
  if (outcome_.shim) write_shim();
  if (outcome_.sampled && !options_.no_profiles) write_timer();
  if (outcome_.truth) write_truth();
  files_.host = result::make_host(seconds_, outcome_.simulated_instructions);
  files_.host["confinement"] = confinement_json(confinement_);
  if (!options_.no_profiles) {
    files_.profiles =
        result::named_profiles(outcome_.profilers, configuration_.exhaustive_profiles);
  }
  files_.symbol_of = names.symbol_of;
  files_.intervals = outcome_.intervals;
  files_.progress = result::progress_text(configuration_, outcome_);
  output_.close();
  directory_.write(files_);
  return files_.result;
}

}  // namespace strobe
