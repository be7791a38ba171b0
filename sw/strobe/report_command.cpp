#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>

#include "sw/explore/store/record.h"
#include "sw/files/temporary.h"
#include "sw/process/exit_code.h"
#include "sw/report/page.h"
#include "sw/report/run_report.h"
#include "sw/report/sweep_views.h"
#include "sw/result/result_table.h"
#include "sw/strobe/commands.h"

namespace strobe {
namespace {

namespace fs = std::filesystem;
using report::ReportError;

struct ReportOptions {
  std::string directory, output;
  std::string format = "html";
};

/// To the file, or to stdout without one.
void put(const fs::path& file, const std::string& text) {
  if (file.empty()) {
    fmt::print("{}", text);
    return;
  }
  files::sweep_leftovers(fs::absolute(file).parent_path());
  explore::write_whole(fs::absolute(file), text);
}

std::string sweep_report(const ReportOptions& options, const report::SweepData& data) {
  if (options.format == "text") return report::sweep_text(data);
  if (options.format == "csv") return report::sweep_csv(data);
  if (options.format == "svg") return report::to_svg(report::front_figures(data)[0]);
  if (options.format == "json") return report::json_text(report::to_json(data));
  if (options.format == "html") return report::html_page(report::to_json(data));
  if (options.output.empty()) {
    throw ReportError("--format markdown writes a page and the figures beside it: give --output");
  }
  for (const report::Figure& figure : report::front_figures(data)) {
    put(fs::path(options.output).parent_path() / (figure.name + ".svg"), report::to_svg(figure));
  }
  return report::sweep_markdown(data);
}

std::string run_report(const ReportOptions& options) {
  const nlohmann::ordered_json run = report::read_run(options.directory);
  if (options.format == "text") return result::result_table(run.at("result"));
  if (options.format == "csv") return report::run_csv(run);
  if (options.format == "json") return report::json_text(run);
  if (options.format == "html") return report::html_page(run);
  throw ReportError(fmt::format(
      "{} is the result of a run, which has no front: expected the directory of a sweep "
      "for --format {}; take html, text, csv or json",
      options.directory, options.format));
}

int report_command(ReportOptions options) {
  const fs::path directory = options.directory;
  try {
    if (options.format == "html" && options.output.empty()) {
      options.output = (directory / "report.html").string();
    }
    std::string text;
    if (fs::exists(explore::Folder{directory}.database())) {
      text = sweep_report(options, report::read_sweep(directory));
    } else if (fs::exists(directory / "result.json")) {
      text = run_report(options);
    } else {
      throw ReportError(
          fmt::format("nothing to report in {}: expected sweep.sqlite of a sweep or result.json of "
                      "a run, got neither; give what 'strobe sweep --out' or 'strobe run --out' "
                      "wrote",
                      options.directory));
    }
    put(options.output, text);
    if (!options.output.empty()) fmt::print("{}\n", options.output);
    return kExitOk;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    fmt::print(stderr, "strobe: error: {}\n", error.what());
    return kExitUsage;
  }
}

}  // namespace

void add_report_command(CLI::App& app, Invocation& invocation) {
  const auto options = std::make_shared<ReportOptions>();
  CLI::App* command = app.add_subcommand(
      "report", "Show what a sweep or a run found: as a page, a table, or a figure of the front");
  command
      ->add_option("DIR", options->directory,
                   "Directory that 'strobe sweep --out' or 'strobe run --out' wrote")
      ->required();
  command
      ->add_option("--format", options->format,
                   "Output format: html (default), text, csv, json, svg or markdown")
      ->check(CLI::IsMember({"html", "text", "csv", "json", "svg", "markdown"}));
  command->add_option("--output", options->output,
                      "File to write (default: the standard output; for html DIR/report.html)");
  command->footer("Example: strobe report results/small --format text");
  command->callback([options, &invocation] { invocation.code = report_command(*options); });
}

}  // namespace strobe
