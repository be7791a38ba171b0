#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>

#include "sc_models/isa/linux/process.h"
#include "sw/config/load.h"
#include "sw/measure/named_files.h"
#include "sw/measure/run_exit_code.h"
#include "sw/measure/run_manifest.h"
#include "sw/process/exit_code.h"
#include "sw/process/memory_limit.h"
#include "sw/result/out_of_reach.h"
#include "sw/result/result_directory.h"
#include "sw/result/result_table.h"
#include "sw/strobe/arguments.h"
#include "sw/strobe/commands/commands.h"
#include "sw/strobe/faults.h"
#include "sw/text/diagnostic.h"

namespace strobe {
namespace {

int run_and_write(const RunOptions& options, const config::LoadResult& loaded) {
  const config::RunConfig& configuration = loaded.configuration;
  std::string faults = missing_of_result(options.file, configuration);
  std::shared_ptr<const isa::ElfFile> program;
  if (faults.empty()) {
    limit_memory(configuration.limits.memory);
    program = isa::open_program(configuration.workload.elf);
    faults = faults_of_inputs(configuration, *program);
  }
  if (!faults.empty()) {
    fmt::print(stderr, "{}", faults);
    return kExitUsage;
  }
  warn_of_program(*program);
  const result::NamedFiles named = named_files_of(loaded);
  result::check_out_of_reach(named, "the output directory", options.out);
  if (!options.baseline.empty()) {
    result::check_out_of_reach(named, "the shared baseline", options.baseline);
  }
  MeasuredRun run(options, loaded, program);
  const int code = exit_code(run.run());
  const nlohmann::json result = run.write();
  fmt::print("{}", result::result_table(result));
  const nlohmann::json& profilers = result.at("profilers");
  const bool conserved = std::none_of(
      profilers.begin(), profilers.end(),
      [](const nlohmann::json& profiler) { return profiler.at("conserved") == false; });
  return code == kExitOk && !conserved ? static_cast<int>(kExitCheckFailed) : code;
}

}  // namespace

int run_command(const RunOptions& options) {
  const config::LoadResult loaded = config::load_run_config(options.file, options.sets);
  if (!loaded.good()) {
    fmt::print(stderr, "{}", text::to_text(loaded.diagnostics));
    return kExitUsage;
  }
  return say_faults_of_run([&] { return run_and_write(options, loaded); });
}

void add_run_command(CLI::App& app, Invocation& invocation) {
  const auto options = std::make_shared<RunOptions>();
  options->command_line = invocation.words;
  CLI::App* command = app.add_subcommand("run", "Run a configuration and write a result directory");
  add_run_file(*command, options->file, options->sets);
  command->add_option("--out", options->out, "Result directory to write")->required();
  command->add_flag("--force", options->force, "Replace the result directory when it exists");
  command->add_flag("--no-profiles", options->no_profiles,
                    "Do not write the profile.NAME.csv files");
  command->add_option("--baseline", options->baseline,
                      "File of a baseline that equal runs share: read when it is whole, else made");
  command->add_flag("--quiet", options->quiet, "Show no progress");
  add_confinement(*command, options->confined);
  command->footer(
      "Example: strobe run configs/runs/quickstart.yaml --out results/r64 --set "
      "profilers.0.rate=64");
  command->callback([options, &invocation] { invocation.code = run_command(*options); });
}

}  // namespace strobe
