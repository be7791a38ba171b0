#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "sw/answer/overlap.h"
#include "sw/answer/read_run.h"
#include "sw/process/exit_code.h"
#include "sw/strobe/arguments.h"
#include "sw/strobe/commands/commands.h"
#include "sw/strobe/faults.h"

namespace strobe {
namespace {

struct ImportOptions {
  std::string directory, program, file, profiler;
  size_t rows = 10;
};

int import_command(const ImportOptions& options) {
  return say_faults(kExitUsage, [&] {
    const answer::ForeignProfile profile = answer::read_foreign(options.file);
    const answer::RunProfile run = answer::read_run(options.directory, options.program);
    answer::print_overlap(options.file, profile, run, answer::series_for(run, options.profiler, {}),
                          options.rows);
    return kExitOk;
  });
}

}  // namespace

void add_import_command(CLI::App& app, Invocation& invocation) {
  const auto options = std::make_shared<ImportOptions>();
  CLI::App* command = app.add_subcommand(
      "import", "Score a profile of LLVM or pprof, as from real hardware, against a run's");
  add_result(*command, options->directory, options->program);
  command->add_option("FILE", options->file, "LLVM sample profile in text form, or pprof's")
      ->required();
  command->add_option("--profiler", options->profiler,
                      "Profile to score against (default: the truth, or else the first profiler)");
  command->add_option("--rows", options->rows, "Functions to show")->capture_default_str();
  command->footer("Example: strobe import results/quickstart othello.pb.gz --rows 20");
  command->callback([options, &invocation] { invocation.code = import_command(*options); });
}

}  // namespace strobe
