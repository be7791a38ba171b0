#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "sw/config/load.h"
#include "sw/measure/progress.h"
#include "sw/measure/run_exit_code.h"
#include "sw/process/exit_code.h"
#include "sw/process/memory_limit.h"
#include "sw/record/record_run.h"
#include "sw/strobe/arguments.h"
#include "sw/strobe/commands/commands.h"
#include "sw/strobe/faults.h"
#include "sw/text/diagnostic.h"

namespace strobe {

int record_command(const RunOptions& options) {
  const config::LoadResult loaded = config::load_run_config(options.file, options.sets);
  if (!loaded.good()) {
    fmt::print(stderr, "{}", text::to_text(loaded.diagnostics));
    return kExitUsage;
  }
  limit_memory(loaded.configuration.limits.memory);
  Progress progress(options.quiet);
  platform::RunHooks hooks;
  hooks.progress = [&progress](uint64_t instructions, uint64_t cycles) {
    progress.update(instructions, cycles);
  };
  return say_faults_of_run([&] {
    const platform::RunOutcome outcome = record_run(loaded, options.out, hooks, options.confined);
    progress.done();
    if (!outcome.error.empty()) fmt::print(stderr, "strobe: error: {}\n", outcome.error);
    fmt::print("{}: recorded {} instructions of {}\n", options.out, outcome.instructions,
               loaded.configuration.workload.elf_name);
    return exit_code(outcome);
  });
}

void add_record_command(CLI::App& app, Invocation& invocation) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand(
      "record", "Run a configuration and record the events that its selectors pick");
  add_run_file(*command, options->file, options->sets);
  command->add_option("--out", options->out, "Stream file to write")->required();
  command->add_flag("--quiet", options->quiet, "Show no progress");
  add_confinement(*command, options->confined);
  command->footer("Example: strobe record configs/runs/quickstart.yaml --out othello.stream");
  command->callback([options, &invocation] { invocation.code = record_command(*options); });
}

}  // namespace strobe
