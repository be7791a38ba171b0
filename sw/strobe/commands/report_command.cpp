#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "sw/explore/store/record.h"
#include "sw/files/whole_file.h"
#include "sw/process/exit_code.h"
#include "sw/report/page.h"
#include "sw/report/run_report.h"
#include "sw/report/sweep_views.h"
#include "sw/result/result_table.h"
#include "sw/strobe/commands/commands.h"
#include "sw/strobe/faults.h"

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
  files::write_whole(file, text);
}

/// A sweep's page with the figures beside it.
std::string markdown_of(const ReportOptions& options, const report::SweepData& data) {
  if (options.output.empty()) {
    throw ReportError("--format markdown writes a page and the figures beside it: give --output");
  }
  for (const report::Figure& figure : report::front_figures(data)) {
    put(fs::path(options.output).parent_path() / (figure.name + ".svg"), report::to_svg(figure));
  }
  return report::sweep_markdown(data);
}

using Run = nlohmann::ordered_json;

/// A format, and what makes the text of it of a sweep and of a run; null: it shows none.
struct Format {
  const char* name;
  std::string (*of_sweep)(const ReportOptions&, const report::SweepData&);
  std::string (*of_run)(const Run&);
};

/// The default first.
constexpr Format kFormats[] = {
    {"html",
     [](const ReportOptions&, const report::SweepData& data) {
       return report::html_page(report::to_json(data));
     },
     [](const Run& run) { return report::html_page(run); }},
    {"text",
     [](const ReportOptions&, const report::SweepData& data) { return report::sweep_text(data); },
     [](const Run& run) { return result::result_table(run.at("result")); }},
    {"csv",
     [](const ReportOptions&, const report::SweepData& data) { return report::sweep_csv(data); },
     [](const Run& run) { return report::run_csv(run); }},
    {"json",
     [](const ReportOptions&, const report::SweepData& data) {
       return report::json_text(report::to_json(data));
     },
     [](const Run& run) { return report::json_text(run); }},
    {"svg",
     [](const ReportOptions&, const report::SweepData& data) {
       return report::to_svg(report::front_figures(data)[0]);
     },
     nullptr},
    {"markdown", markdown_of, nullptr},
};

/// "a, b or c".
std::string either(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  }
  return text;
}

/// The names of the formats of which `has` is true, in their order.
template <class Has>
std::vector<std::string> names_of_formats(Has has) {
  std::vector<std::string> names;
  for (const Format& format : kFormats) {
    if (has(format)) names.emplace_back(format.name);
  }
  return names;
}

/// The format that the command line has checked.
const Format& format_of(const ReportOptions& options) {
  return *std::find_if(std::begin(kFormats), std::end(kFormats),
                       [&](const Format& format) { return options.format == format.name; });
}

std::string run_report(const ReportOptions& options) {
  const Format& format = format_of(options);
  if (format.of_run != nullptr) return format.of_run(report::read_run(options.directory));
  throw ReportError(fmt::format(
      "{} is the result of a run, which has no front: expected the directory of a sweep "
      "for --format {}; take {}",
      options.directory, options.format,
      either(names_of_formats([](const Format& one) { return one.of_run != nullptr; }))));
}

int report_command(ReportOptions options) {
  const fs::path directory = options.directory;
  return say_faults(kExitUsage, [&] {
    if (options.format == "html" && options.output.empty()) {
      options.output = (directory / "report.html").string();
    }
    std::string text;
    if (fs::exists(explore::Folder{directory}.database())) {
      text = format_of(options).of_sweep(options, report::read_sweep(directory));
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
  });
}

}  // namespace

void add_report_command(CLI::App& app, Invocation& invocation) {
  const auto options = std::make_shared<ReportOptions>();
  std::vector<std::string> formats = names_of_formats([](const Format&) { return true; });
  const CLI::IsMember is_format(formats);
  formats.front() += " (default)";
  CLI::App* command = app.add_subcommand(
      "report", "Show what a sweep or a run found: as a page, a table, or a figure of the front");
  command
      ->add_option("DIR", options->directory,
                   "Directory that 'strobe sweep --out' or 'strobe run --out' wrote")
      ->required();
  command->add_option("--format", options->format, "Output format: " + either(formats))
      ->check(is_format);
  command->add_option("--output", options->output,
                      "File to write (default: the standard output; for html DIR/report.html)");
  command->footer("Example: strobe report results/small --format text");
  command->callback([options, &invocation] { invocation.code = report_command(*options); });
}

}  // namespace strobe
