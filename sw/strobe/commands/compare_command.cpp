#include <CLI/CLI.hpp>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "sw/answer/figures.h"
#include "sw/answer/ranking.h"
#include "sw/answer/read_run.h"
#include "sw/process/exit_code.h"
#include "sw/strobe/arguments.h"
#include "sw/strobe/commands/commands.h"
#include "sw/strobe/faults.h"

namespace strobe {
namespace {

struct CompareOptions {
  std::vector<std::string> directories;
  std::string profiler;
  std::string by = "function";
  size_t rows = 20;
};

int compare_command(const CompareOptions& options) {
  return say_faults(kExitUsage, [&] {
    const answer::By by = answer::by_of(options.by);
    std::list<answer::RunProfile> runs;  // the columns point into it
    std::vector<answer::Column> columns;
    for (const std::string& directory : options.directories) {
      runs.push_back(answer::read_run(directory, ""));
      columns.push_back({&runs.back(), &answer::series_for(runs.back(), options.profiler,
                                                           answer::kinds_for(by))});
    }
    answer::expect_same_events(columns);
    answer::print_figures(columns);
    answer::print_ranking(answer::rank(by, columns), options.rows);
    return kExitOk;
  });
}

}  // namespace

void add_compare_command(CLI::App& app, Invocation& invocation) {
  const auto options = std::make_shared<CompareOptions>();
  CLI::App* command =
      app.add_subcommand("compare", "Show in what the results of runs differ from the first one");
  command->add_option("DIR", options->directories, "Directories that 'strobe run --out' wrote")
      ->required()
      ->expected(2, 26);
  command->add_option("--profiler", options->profiler,
                      "Profile to compare (default: the truth, or else the first profiler)");
  add_ranking(*command, options->by, options->rows);
  command->footer("Example: strobe compare results/quickstart results/r64 --by line");
  command->callback([options, &invocation] { invocation.code = compare_command(*options); });
}

}  // namespace strobe
