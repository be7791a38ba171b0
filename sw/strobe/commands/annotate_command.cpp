#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "sw/answer/annotate.h"
#include "sw/answer/read_run.h"
#include "sw/process/exit_code.h"
#include "sw/strobe/arguments.h"
#include "sw/strobe/commands/commands.h"
#include "sw/strobe/faults.h"

namespace strobe {
namespace {

struct AnnotateOptions {
  std::string directory, program, function, profiler;
};

int annotate_command(const AnnotateOptions& options) {
  return say_faults(kExitUsage, [&] {
    const answer::RunProfile run = answer::read_run(options.directory, options.program);
    answer::print_annotated(run, answer::series_for(run, options.profiler, {}), options.function);
    return kExitOk;
  });
}

}  // namespace

void add_annotate_command(CLI::App& app, Invocation& invocation) {
  const auto options = std::make_shared<AnnotateOptions>();
  CLI::App* command = app.add_subcommand(
      "annotate", "Show a function's source and instructions with what the profilers found there");
  add_result(*command, options->directory, options->program);
  command->add_option("FUNCTION", options->function, "Function to show (default: the hottest)");
  command->add_option("--profiler", options->profiler,
                      "Profile to show (default: the truth, or else the first profiler)");
  command->footer("Example: strobe annotate results/quickstart legal_moves");
  command->callback([options, &invocation] { invocation.code = annotate_command(*options); });
}

}  // namespace strobe
