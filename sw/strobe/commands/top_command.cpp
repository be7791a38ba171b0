#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "sw/answer/ranking.h"
#include "sw/answer/read_run.h"
#include "sw/process/exit_code.h"
#include "sw/strobe/arguments.h"
#include "sw/strobe/commands/commands.h"
#include "sw/strobe/faults.h"

namespace strobe {
namespace {

struct TopOptions {
  std::string directory, program, profiler, against;
  std::string by = "function";
  size_t rows = 20;
};

int top_command(const TopOptions& options) {
  return say_faults(kExitUsage, [&] {
    const answer::RunProfile run = answer::read_run(options.directory, options.program);
    const answer::By by = answer::by_of(options.by);
    std::vector<answer::Column> columns = {
        {&run, &answer::series_for(run, options.profiler, answer::kinds_for(by))}};
    if (!options.against.empty()) {
      const answer::Series& first = *columns[0].series;
      columns.push_back(
          {&run, &answer::series_beside(run, options.against, first, answer::kinds_for(by))});
    }
    answer::print_ranking(answer::rank(by, columns), options.rows);
    return kExitOk;
  });
}

}  // namespace

void add_top_command(CLI::App& app, Invocation& invocation) {
  const auto options = std::make_shared<TopOptions>();
  CLI::App* command = app.add_subcommand(
      "top", "Show the hot functions, lines, call sites or loads that a run's profilers found");
  add_result(*command, options->directory, options->program);
  command->add_option("--profiler", options->profiler,
                      "Profile to show (default: the truth, or else the first profiler)");
  command->add_option("--against", options->against,
                      "Profile of the same run to show beside it, with the difference");
  add_ranking(*command, options->by, options->rows);
  command->footer("Example: strobe top results/quickstart --by load --against random256");
  command->callback([options, &invocation] { invocation.code = top_command(*options); });
}

}  // namespace strobe
