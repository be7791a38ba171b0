#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "sw/answer/answer_error.h"
#include "sw/answer/formats/format.h"
#include "sw/answer/read_run.h"
#include "sw/files/whole_file.h"
#include "sw/process/exit_code.h"
#include "sw/result/number_text.h"
#include "sw/strobe/arguments.h"
#include "sw/strobe/commands/commands.h"
#include "sw/strobe/faults.h"

namespace strobe {
namespace {

struct ExportOptions {
  std::string directory, program, format, profiler, output;
};

/// The profiler's series, or all of the run; where the format holds one, the one that `strobe top`
/// shows.
answer::SeriesList series_of(const ExportOptions& options, const answer::Format& format,
                             const answer::RunProfile& run) {
  if (format.takes == answer::Takes::kNone) {
    if (options.profiler.empty()) return {};
    throw answer::AnswerError(
        fmt::format("{} shows the course of the whole run: expected no --profiler, got {}; leave "
                    "it out",
                    format.name, options.profiler));
  }
  const answer::Series& first = answer::series_for(run, options.profiler, format.kinds);
  if (format.takes == answer::Takes::kFirst) return {&first};
  answer::SeriesList list;
  for (const answer::Series& series : run.series) {
    if (options.profiler.empty() || series.source == options.profiler) list.push_back(&series);
  }
  return list;
}

int export_command(const ExportOptions& options) {
  return say_faults(kExitUsage, [&] {
    const auto format =
        std::find_if(answer::kFormats.begin(), answer::kFormats.end(),
                     [&](const answer::Format& one) { return options.format == one.name; });
    if (format->binary && options.output.empty()) {
      throw answer::AnswerError(
          fmt::format("{} is a binary format: give --output FILE", options.format));
    }
    const answer::RunProfile run = answer::read_run(options.directory, options.program);
    const answer::SeriesList series = series_of(options, *format, run);
    const std::string bytes = format->write(run, series);
    const double left_out = format->left_out == nullptr ? 0 : format->left_out(run, series);
    if (left_out > 0) {
      fmt::print(stderr,
                 "strobe: warning: {} of the {} by {} is not in the profile, because its "
                 "instructions have no line; compile what they are of with -g1\n",
                 result::percent(left_out), answer::events_of(*series.front()),
                 series.front()->source);
    }
    if (options.output.empty()) {
      fmt::print("{}", bytes);
      return kExitOk;
    }
    files::write_whole(options.output, bytes);
    fmt::print("{}\n", options.output);
    return kExitOk;
  });
}

}  // namespace

void add_export_command(CLI::App& app, Invocation& invocation) {
  const auto options = std::make_shared<ExportOptions>();
  std::vector<std::string> names;
  for (const answer::Format& format : answer::kFormats) names.emplace_back(format.name);
  CLI::App* command =
      app.add_subcommand("export", "Write a run's profiles in a format that other tools read");
  add_result(*command, options->directory, options->program);
  command
      ->add_option("--format", options->format,
                   fmt::format("Output format: {}", fmt::join(names, ", ")))
      ->required()
      ->check(CLI::IsMember(names));
  command->add_option("--profiler", options->profiler,
                      "Profile to write (default: all; folded and llvm: the one of strobe top)");
  command->add_option("--output", options->output, "File to write (default: the standard output)");
  command->footer(
      "Example: strobe export results/quickstart --format pprof --output othello.pb.gz");
  command->callback([options, &invocation] { invocation.code = export_command(*options); });
}

}  // namespace strobe
